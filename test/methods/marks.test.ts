// Databases: sqlite
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { contrastOf } from '../../pages/checkout/elements/contrast.ts';
import { parseHex } from '../../pages/checkout/elements/brand-colors.ts';
import { markOf, paymentMethods } from '../../src/methods/catalog.ts';
import { initials, initialsMark } from '../../src/methods/initials.ts';
import { type Fixture, openFixture } from '../support/fixture.ts';

describe('marks of methods and banks', () => {
  test('every method has a logo, or the initials of its brand', () => {
    for (const method of paymentMethods) {
      const countries = method.countries === 'world' ? ['USA'] : method.countries;
      for (const country of countries) {
        const mark = markOf(method, country);
        if (!mark.startsWith('initials/')) assert.ok(existsSync(`public/methods/${mark}.svg`), mark);
        else assert.notEqual(initials(decodeURIComponent(mark.slice('initials/'.length))), '', mark);
      }
    }
  });

  test('initials are short', () => {
    const examples = {
      ...{ UPI: 'UPI', MoMo: 'MoMo', ttb: 'ttb', bKash: 'bK', Nagad: 'Na', PromptPay: 'PP', TrueMoney: 'TM' },
      ...{ 'Bangkok Bank': 'BB', 'The Co-operative Bank': 'CB', 'Banco de Chile': 'BC', 'St.George': 'SG' },
      ...{ 'Government Savings Bank': 'GSB', 'BBVA México': 'BM', 'Banco Nación': 'BN', 'de la': 'DL', '?!': '' },
      ...{ กสิกรไทย: 'กสิ', 中国银行: '中国银行', '<script>alert("x")</script>': 'sc' },
    };
    for (const [name, expected] of Object.entries(examples)) assert.equal(initials(name), expected, name);
  });

  test('a name always has the same color, and its text is legible', () => {
    const names = Array.from({ length: 200 }, (_, index) => `Bank ${index}`);
    const colors = new Set(names.map((name) => /fill="(#\w{6})"/.exec(initialsMark(name))?.[1] ?? ''));
    assert.ok(colors.size > 5);
    for (const color of colors) assert.ok(contrastOf(parseHex(color), [255, 255, 255]) >= 4.5, color);
    assert.equal(initialsMark('Bank 1'), initialsMark('Bank 1'));
  });
});

describe('the route of initials', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());
  const get = async (name: string) => await fixture.request(`/methods/initials/${name}`, { token: null });

  test('serves an image that caches may store', async () => {
    const response = await get(`${encodeURIComponent('Bangkok Bank')}.svg`);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^image\/svg\+xml/);
    assert.match(response.headers.get('cache-control') ?? '', /^public/);
    assert.match(response.text, /<svg .*>BB<\/text><\/svg>/);
  });

  test('never contains markup of the name, and refuses other names', async () => {
    const { text: hostile } = await get(`${encodeURIComponent('<b onload=x()>&"')}.svg`);
    assert.equal(hostile.replaceAll(/<(?:svg|path|text) [^<>]*>|<\/(?:text|svg)>/g, ''), 'on');
    for (const name of ['UPI.png', '.svg', `${'x'.repeat(101)}.svg`]) assert.equal((await get(name)).status, 404, name);
  });
});
