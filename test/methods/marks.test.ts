// Databases: sqlite
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { contrastOf } from '../../pages/checkout/elements/contrast.ts';
import { parseHex } from '../../pages/checkout/elements/brand-colors.ts';
import { markOf, paymentMethods } from '../../src/methods/catalog.ts';
import { listBankChoices } from '../../src/acquirers/sandbox/banks.ts';
import { initials, initialsMark, listedMarks } from '../../src/methods/initials.ts';
import { type Fixture, openFixture } from '../support/fixture.ts';

const sandboxCountries = ['ARG', 'AUS', 'BGD', 'BRA', 'IDN', 'IND', 'MEX', 'MYS', 'NZL', 'PHL', 'THA', 'VNM'];

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

  const lettersOf = (names: string[]) =>
    listedMarks(names).map((mark) => {
      const [name = '', second] = mark.split('/').slice(1).toReversed();
      return initials(decodeURIComponent(name), Number(second ?? 0));
    });

  test('names with the same initials in a list get another letter, each always the same', () => {
    const lists = [
      [
        ['Krungthai', 'SCB', 'Krungsri'],
        ['Kt', 'SCB', 'Ks'],
      ],
      [
        ['Krungsri', 'Krungthai', 'KT'],
        ['Ks', 'Kh', 'KT'],
      ],
      [
        ['Bangkok Bank', 'Bank of Baroda', 'Banco B'],
        ['Bg', 'Bk', 'Bc'],
      ],
      [
        ['กสิกรไทย', 'กสิ'],
        ['กก', 'กสิ'],
      ],
      [
        ['ABC', 'ABC'],
        ['ABC', 'ABC'],
      ],
    ] as const;
    for (const [names, expected] of lists) assert.deepEqual(lettersOf([...names]), expected);
  });

  test('no list of banks has the same initials twice', () => {
    for (const country of sandboxCountries) {
      const letters = lettersOf(listBankChoices(country).map(({ name }) => name)).map((each) => each.toUpperCase());
      assert.equal(new Set(letters).size, letters.length, `${country}: ${letters.join(' ')}`);
      assert.ok(letters.length > 5);
    }
  });

  test('the tints differ, and the text is legible on all of them', () => {
    const tintOf = (name: string) => /fill="(#\w{6})"/.exec(initialsMark(name))?.[1] ?? '';
    const tints = new Set(Array.from({ length: 500 }, (_, index) => tintOf(`Bank ${index}`)));
    assert.equal(tints.size, 8);
    for (const color of tints) assert.ok(contrastOf(parseHex(color), [255, 255, 255]) >= 4.5, color);
    for (const country of sandboxCountries)
      assert.ok(new Set(listBankChoices(country).map(({ name }) => tintOf(name))).size >= 5, country);
  });

  test('the mark of American Express is short enough for a chip', () => {
    const svg = readFileSync('public/brands/american-express.svg', 'utf8');
    const strokes = [...svg.matchAll(/stroke-width="([\d.]+)"/g)].map(([, width]) => Number(width));
    assert.match(svg, /viewBox="0 0 38 24"/);
    assert.ok(strokes.length === 1 && strokes.every((width) => width >= 1.5), 'lines of at least 1.5 pixels');
  });

  test('a transfer and the page of a bank have different glyphs', () => {
    for (const { action, mark } of paymentMethods)
      if (mark === 'bank' || mark === 'online') assert.equal(mark, action === 'redirect' ? 'online' : 'bank');
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
    assert.match((await get(`4/${encodeURIComponent('Bangkok Bank')}.svg`)).text, />Bk<\/text>/);
    for (const index of ['-1', '100', 'x']) assert.equal((await get(`${index}/UPI.svg`)).status, 404);
  });

  test('never contains markup of the name, and refuses other names', async () => {
    const { text: hostile } = await get(`${encodeURIComponent('<b onload=x()>&"')}.svg`);
    assert.equal(hostile.replaceAll(/<(?:svg|path|text) [^<>]*>|<\/(?:text|svg)>/g, ''), 'on');
    for (const name of ['UPI.png', '.svg', `${'x'.repeat(101)}.svg`]) assert.equal((await get(name)).status, 404, name);
  });
});
