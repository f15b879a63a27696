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
  JSON.parse(await readFile(join(packageRoot(), 'dist/package', name), 'utf8')) as Content;

const named = (items: readonly { name: string }[] = []) => items.map(({ name }) => name).toSorted();

describe('the description of the element', () => {
  let element: CustomElement;
  before(async () => {
    const { modules } = await read<Package>('custom-elements.json');
    assert.equal(modules.length, 1);
    assert.equal(modules[0]?.path, 'dist/package/pay-form.js');
    element = modules[0]?.declarations?.[0] as CustomElement;
    assert.equal(element.tagName, 'pay-form');
  });

  const tokens = () => (element.cssProperties ?? []).filter(({ name }) => name !== '--pay-form-height');

  test('names the tokens of the contract', () => {
    const contract = Object.values(themeTokens).flat();
    assert.deepEqual(named(tokens()), contract.map((token) => `--pay-form-${token}`).toSorted());
  });

  test('gives every token the default that the style sheet has', async () => {
    const styles = await readFile(join(packageRoot(), 'pages/checkout/elements/tokens.css'), 'utf8');
    const defaults = new Map([...styles.matchAll(/^\s*(--[\w-]+): (.+);$/gm)].map(([, name, value]) => [name, value]));
    for (const { name, default: told = '' } of tokens()) {
      const variable = (token: string) => cssVariables[token.replace('--pay-form-', '') as keyof typeof cssVariables];
      assert.equal(told.replace(/--pay-form-[\w-]+/, variable), defaults.get(variable(name)), name);
    }
  });

  test('names the events of the contract, each with its type', () => {
    const contract = Object.keys(fromFrame).filter((name) => name.startsWith('pay-'));
    assert.deepEqual(named(element.events), contract.toSorted());
    for (const { name, type } of element.events ?? []) assert.match(type.text, /^CustomEvent<Pay\w+Detail>$/, name);
  });

  test('names every attribute that the element heeds, and the property that goes with it', () => {
    // The browser itself heeds two for what stands in a form, and the style sheet heeds the theme.
    const heeded = [...PayForm.observedAttributes, 'disabled', 'name', 'theme'].toSorted();
    assert.deepEqual(named(element.attributes), heeded);
    const reflected = (element.members as ClassField[]).filter((member) => 'attribute' in member);
    for (const { name, attribute = '' } of reflected as (ClassField & { attribute?: string })[]) {
      assert.ok(heeded.includes(attribute), attribute);
      assert.ok(Object.hasOwn(PayForm.prototype, name), name);
    }
    assert.equal(reflected.length, heeded.length - 1, 'dir alone is the browser’s own property');
  });

  test('names what a page may call, and says something about everything', () => {
    const methods = (element.members ?? []).filter(({ kind }) => kind === 'method');
    assert.deepEqual(named(methods), ['checkValidity', 'focus', 'reportValidity', 'reset', 'submit']);
    const { attributes, events, cssProperties, slots } = element;
    for (const item of [attributes, events, cssProperties, slots].flatMap((items = []) => items)) {
      assert.ok(item.description, item.name);
    }
  });

  test('is the same for editors', async () => {
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
