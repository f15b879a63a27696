// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { enableEveryMethod } from '../support/every-method.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { createLink, creation, detailOf } from '../support/requests.ts';

const cups = { name: 'Cup', quantity: 2, unit_amount: 4.25, image_url: 'https://cdn.kettle.example/cup.jpg' };
const saucer = { name: 'Saucer', unit_amount: 5 };
const discount = { name: 'Spring sale', unit_amount: -1 };
const items = [cups, saucer, discount];

describe('line items', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await enableEveryMethod(fixture, fixture.merchant);
  });
  after(async () => await fixture.close());

  const problemsOf = ({ errors }: { errors: { pointer: string; code: string; detail: string }[] }) =>
    errors.map(({ pointer, code }) => `${pointer} ${code}`);
  const create = async (fields: Record<string, unknown>) =>
    await fixture.request('/fiat/v1/transaction', { body: creation(fields) });

  test('are returned by the API, in webhooks, and with their amounts by the page', async () => {
    const link = await createLink(fixture, { line_items: items });
    assert.deepEqual((await detailOf(fixture, link.reference)).line_items, items);
    await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: link.reference } });
    const { events } = (await fixture.request('/v1/events')).body;
    assert.deepEqual(events.at(-1).data.line_items, items);
    const { body } = await fixture.request(`${link.path}/state`, { token: null });
    assert.equal(body.subtotal, '12.50');
    assert.deepEqual(body.items, [
      { name: 'Cup', quantity: 2, unitAmount: '4.25', amount: '8.50', imageUrl: cups.image_url },
      { name: 'Saucer', quantity: 1, unitAmount: '5.00', amount: '5.00', imageUrl: null },
      { name: 'Spring sale', quantity: 1, unitAmount: '-1.00', amount: '-1.00', imageUrl: null },
    ]);
    const without = await createLink(fixture);
    assert.equal('line_items' in (await detailOf(fixture, without.reference)), false);
  });

  test('must add up to the amount, in the currency’s decimals', async () => {
    const image = `https://shop.example/${'x'.repeat(2000)}`;
    const long = Array.from({ length: 8 }, () => ({ name: 'Tea', unit_amount: 0, image_url: image }));
    const refused: [lineItems: unknown, problem: string][] = [
      [[cups], '/line_items amount_mismatch'],
      [[], '/line_items too_short'],
      [[{ name: 'Tea', unit_amount: 12.505 }], '/line_items/0/unit_amount invalid_amount'],
      [[cups, { ...saucer, quantity: 0 }], '/line_items/1/quantity too_small'],
      [[cups, { ...saucer, quantity: 1.5 }], '/line_items/1/quantity invalid_type'],
      [[{ name: '', unit_amount: 12.5 }], '/line_items/0/name required'],
      [[{ name: 'x'.repeat(151), unit_amount: 12.5 }], '/line_items/0/name too_long'],
      [[{ name: 'Tea', unit_amount: 12.5, price: 1 }], '/line_items/0/price unknown_field'],
      [long, '/line_items too_long'],
      [Array.from({ length: 51 }, () => ({ name: 'Tea', unit_amount: 0 })), '/line_items too_long'],
      [[{ name: 'Gold', unit_amount: 9e12, quantity: 999_999 }], '/line_items/0/unit_amount invalid_amount'],
    ];
    for (const [line_items, problem] of refused) {
      const { status, body } = await create({ line_items });
      assert.deepEqual([status, problemsOf(body)], [422, [problem]]);
    }
    const { body } = await create({ line_items: [cups] });
    assert.equal(body.errors[0].detail, 'add up to 8.50 USD, but amount is 12.50');
  });

  test('have exact amounts in currencies without decimals', async () => {
    const vnd = { country: 'VNM', currency: 'VND', payment_method: 'qr_code', amount: 90_000 };
    const { status } = await create({ ...vnd, line_items: [{ name: 'Trà', quantity: 3, unit_amount: 30_000 }] });
    assert.equal(status, 200);
    const refused = await create({ ...vnd, line_items: [{ name: 'Trà', quantity: 3, unit_amount: 29_999.5 }] });
    assert.deepEqual(problemsOf(refused.body), ['/line_items/0/unit_amount invalid_amount']);
  });

  test('with another price are a conflict', async () => {
    const order = creation({ line_items: items });
    assert.equal((await fixture.request('/fiat/v1/transaction', { body: order })).status, 200);
    const other = { ...order, line_items: [{ name: 'Cup', unit_amount: 12.5 }] };
    const { status, body } = await fixture.request('/fiat/v1/transaction', { body: other });
    assert.deepEqual([status, body.code], [409, 'transaction_id_conflict']);
  });

  test('are escaped on the page, above the merchant’s links', async () => {
    const set = async (key: string, value: string | null) =>
      await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body: { key, value } });
    await set('support-contact', 'help@kettle.example');
    await set('terms-url', 'https://kettle.example/terms');
    const { path } = await createLink(fixture, { line_items: [{ name: '<img src=x>', unit_amount: 12.5 }] });
    const { text } = await fixture.request(path, { token: null });
    const shown = text.slice(text.indexOf('<link-page'), text.indexOf('<script type="application/json"'));
    assert.match(shown, /<bdi>&lt;img src=x&gt;<\/bdi>/);
    assert.match(shown, /href="mailto:help@kettle\.example"/);
    assert.match(shown, /href="https:\/\/kettle\.example\/terms"/);
    assert.doesNotMatch(shown, /Privacy policy/);
    await set('support-contact', '+44 20 7946 0000');
    assert.match((await fixture.request(path, { token: null })).text, /href="tel:\+442079460000"/);
    for (const key of ['support-contact', 'terms-url']) await set(key, null);
    const plain = await fixture.request(path, { token: null });
    assert.doesNotMatch(plain.text, /merchant-links"/);
  });

  test('load images only from public https origins, which the page’s policy names', async () => {
    const withImages = (...urls: string[]) => ({
      amount: urls.length,
      line_items: urls.map((image_url) => ({ name: 'Cup', unit_amount: 1, image_url })),
    });
    for (const url of [
      'http://cdn.kettle.example/cup.jpg',
      'https://192.168.0.1/cup.jpg',
      'https://intranet/cup.jpg',
    ]) {
      const { body } = await create(withImages('https://a.example/1.jpg', url));
      assert.deepEqual(problemsOf(body), ['/line_items/1/image_url invalid_url'], url);
    }
    const hosts = [1, 2, 3, 4, 5, 6].map((number) => `https://cdn${number}.example/cup.jpg`);
    assert.deepEqual(problemsOf((await create(withImages(...hosts))).body), ['/line_items too_many_origins']);
    const link = await createLink(
      fixture,
      withImages('https://a.example/1.jpg', 'https://a.example/2.jpg', 'https://b.example/3.jpg'),
    );
    const { headers } = await fixture.request(link.path, { token: null });
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /img-src 'self' data: https:\/\/a\.example https:\/\/b\.example;/);
  });
});
