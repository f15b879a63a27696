import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { ClassField, CustomElement, Package } from 'custom-elements-manifest/schema';
import { fromFrame } from '../../src/shared/frame/from-frame.ts';
import { themeTokens } from '../../src/shared/frame/theme.ts';
import { packageRoot } from '../../src/system/root.ts';
import { cssVariables } from '../../pages/checkout/embed/theme.ts';
import { PayForm } from '../../widget/pay-form.ts';

const read = async <Content>(name: string) =>
  JSON.parse(await readFile(join(packageRoot(), 'packages/pay-form/dist', name), 'utf8')) as Content;

const named = (items: readonly { name: string }[] = []) => items.map(({ name }) => name).toSorted();

describe('the element’s manifest', () => {
  let element: CustomElement;
  before(async () => {
    const { modules } = await read<Package>('custom-elements.json');
    assert.equal(modules.length, 1);
    assert.equal(modules[0]?.path, 'dist/pay-form.js');
    element = modules[0]?.declarations?.[0] as CustomElement;
    assert.equal(element.tagName, 'pay-form');
  });

  const tokens = () => (element.cssProperties ?? []).filter(({ name }) => name !== '--pay-form-height');

  test('lists the theme tokens', () => {
    const contract = Object.values(themeTokens).flat();
    assert.deepEqual(named(tokens()), contract.map((token) => `--pay-form-${token}`).toSorted());
  });

  test('has the style sheet’s default for every token', async () => {
    const styles = await readFile(join(packageRoot(), 'pages/checkout/elements/tokens.css'), 'utf8');
    const defaults = new Map([...styles.matchAll(/^\s*(--[\w-]+): (.+);$/gm)].map(([, name, value]) => [name, value]));
    for (const { name, default: reported = '' } of tokens()) {
      const variable = (token: string) => cssVariables[token.replace('--pay-form-', '') as keyof typeof cssVariables];
      assert.equal(reported.replace(/--pay-form-[\w-]+/, variable), defaults.get(variable(name)), name);
    }
  });

  test('lists the events with their types', () => {
    const contract = Object.keys(fromFrame).filter((name) => name.startsWith('pay-'));
    assert.deepEqual(named(element.events), contract.toSorted());
    for (const { name, type } of element.events ?? []) assert.match(type.text, /^CustomEvent<Pay\w+Detail>$/, name);
  });

  test('lists every observed attribute with its property', () => {
    // The browser handles two form attributes, and the style sheet handles the theme.
    const supported = [...PayForm.observedAttributes, 'disabled', 'name', 'theme'].toSorted();
    assert.deepEqual(named(element.attributes), supported);
    const reflected = (element.members as ClassField[]).filter((member) => 'attribute' in member);
    for (const { name, attribute = '' } of reflected as (ClassField & { attribute?: string })[]) {
      assert.ok(supported.includes(attribute), attribute);
      assert.ok(Object.hasOwn(PayForm.prototype, name), name);
    }
    assert.equal(reflected.length, supported.length - 1, 'dir alone is the browser’s own property');
  });

  test('lists the public methods, and describes every entry', () => {
    const methods = (element.members ?? []).filter(({ kind }) => kind === 'method');
    assert.deepEqual(named(methods), ['checkValidity', 'focus', 'reportValidity', 'reset', 'submit']);
    const { attributes, events, cssProperties, slots } = element;
    for (const item of [attributes, events, cssProperties, slots].flatMap((items = []) => items)) {
      assert.ok(item.description, item.name);
    }
  });

  test('matches the editors’ formats', async () => {
    const { tags } = await read<{ tags: { name: string; attributes: { name: string }[] }[] }>('html-custom-data.json');
    assert.deepEqual(named(tags[0]?.attributes), named(element.attributes));
    const { properties } = await read<{ properties: { name: string }[] }>('css-custom-data.json');
    assert.deepEqual(named(properties), named(element.cssProperties));
    const { contributions } = await read<{
      contributions: { html: { elements: { attributes: { name: string }[]; events: { name: string }[] }[] } };
    }>('web-types.json');
    const [described] = contributions.html.elements;
    assert.deepEqual(named(described?.attributes), named(element.attributes));
    assert.deepEqual(named(described?.events), named(element.events));
  });
});
