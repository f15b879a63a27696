import { db } from './tables.ts';
import assert from 'node:assert/strict';
import type { TransactionDetail } from '../../src/api/fiat-transaction.ts';
import { DAY, MINUTE } from '../../src/shared/time.ts';
import { createBuyers, type Link } from './buyer.ts';
import type { SimulatedClock } from './clock.ts';
import type { TestDatabase } from './databases.ts';
import { enableEveryMethod } from './every-method.ts';
import { cards, createLink, creation, submission } from './requests.ts';
import { openFixture, type TestMerchant, type Fixture } from './fixture.ts';

/** Links are the same wherever the service runs. */
const env = { PUBLIC_URL: 'http://pay.example' };

interface Posted {
  id: string;
  data: { transaction_id: string; sequence: number };
}

/** A service with payments in every state, and webhook endpoints that fail. */
export interface Shop {
  fixture: Fixture;
  merchants: TestMerchant[];
  /** Links by state. */
  links: Record<ShopLink, Link>;
  /** A creation with an idempotency key, and its response. */
  repeatable: { body: object; headers: Record<string, string>; answer: unknown };
  details: TransactionDetail[];
  /** HTTP status of each link's page. */
  pages: Record<ShopLink, number>;
  /** The first page of the list. */
  list: unknown;
}

export type ShopLink =
  | 'open'
  | 'challenge'
  | 'unknown'
  | 'declined'
  | 'paid'
  | 'cancelled'
  | 'expired'
  | 'form'
  | 'issued'
  | 'partly'
  | 'sent';

/** Links with push payments. */
export const pushLinks: readonly ShopLink[] = ['issued', 'partly', 'sent'];

export async function openShop(database?: TestDatabase): Promise<Shop> {
  const fixture = await openFixture({
    env,
    ...(database && { database }),
    post: () => Promise.resolve({ status: 500, retryAfter: null, body: 'closed’' }),
  });
  const { merchant } = fixture;
  const { startPayment, simulate, merchantAction, pay } = createBuyers(() => fixture);
  const other = await fixture.makeMerchant('Über uns «GmbH»');
  await enableEveryMethod(fixture, merchant);
  for (const { token } of [merchant, other]) {
    const body = { key: 'callback-url', value: 'https://shop.example/callbacks' };
    const { status, text } = await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body, token });
    assert.equal(status, 200, text);
  }
  const ideal = { payment_method: 'on_ramp_ideal', amount: 10 };
  const expired = await createLink(fixture);
  await fixture.advance(DAY + MINUTE);
  const links: Shop['links'] = {
    expired,
    open: await createLink(fixture, { description: 'Thé “glacé” 🧊' }),
    challenge: await createLink(fixture),
    unknown: await createLink(fixture),
    declined: await createLink(fixture),
    paid: await createLink(fixture, { amount: 20, type_of_calculation: 'forward_with_fee' }),
    cancelled: await createLink(fixture),
    form: await createLink(fixture),
    issued: await createLink(fixture),
    partly: await createLink(fixture, ideal),
    sent: await createLink(fixture, ideal),
  };
  await pay(links.challenge, cards.challenge);
  await pay(links.unknown, cards.unknown);
  await pay(links.declined, cards.declined);
  await pay(links.paid, cards.declined);
  await pay(links.paid, cards.visa);
  await merchantAction(links.cancelled, 'cancel');
  await startPayment(links.issued, 'on_ramp_ideal');
  await simulate(await startPayment(links.partly, 'on_ramp_ideal'), 'underpay');
  await simulate(await startPayment(links.sent, 'on_ramp_ideal'), 'exact');
  const body = creation();
  const headers = { 'idempotency-key': 'create it once' };
  const response = await fixture.request('/fiat/v1/transaction', { body, headers });
  assert.equal(response.status, 200, response.text);
  await fixture.request('/fiat/v1/transaction', { body: creation(), token: other.token });
  await fixture.work();
  const pages = {} as Shop['pages'];
  for (const [name, { path }] of Object.entries(links))
    pages[name as ShopLink] = (await fixture.request(path, { token: null, headers: { accept: 'text/html' } })).status;
  assert.equal(pages.open, 200);
  return {
    fixture,
    pages,
    merchants: [merchant, other],
    links,
    repeatable: { body, headers, answer: response.body },
    ...(await readShop(fixture, merchant, Object.values(links))),
  };
}

async function readShop(fixture: Fixture, { token }: TestMerchant, links: readonly Link[]) {
  const details: TransactionDetail[] = [];
  for (const { reference } of links) {
    const { body, status, text } = await fixture.request(`/fiat/v1/transaction?transaction_id=${reference}`, { token });
    assert.equal(status, 200, text);
    details.push(body);
  }
  const list = await fixture.request('/fiat/v1/transactions?per_page=100', { token });
  assert.equal(list.status, 200, list.text);
  return { details, list: list.body };
}

/** Starts the service on a copy of the shop's database, and checks that payments continue there. */
export async function assertContinues(
  shop: Shop,
  options: {
    database: TestDatabase;
    clock: SimulatedClock;
    /** Links that were not copied. */
    without?: readonly ShopLink[];
    /** Removes fields of a detail that the copy need not have. */
    forget?: (detail: TransactionDetail) => unknown;
    /** Removes fields of the list that the copy need not have. */
    forgetListed?: (list: unknown) => unknown;
  },
): Promise<void> {
  const { database, clock, without = [], forget = (detail) => detail, forgetListed = (list) => list } = options;
  const [merchant] = shop.merchants;
  assert.ok(merchant);
  const posted: Posted[] = [];
  const fixture = await openFixture({
    env,
    database,
    clock,
    post: (_url, headers, body) => {
      posted.push({ id: headers['webhook-id'] ?? '', ...JSON.parse(body) });
      return Promise.resolve({ status: 204, retryAfter: null, body: '' });
    },
  });
  try {
    const { token } = merchant;
    const kept = Object.entries(shop.links).filter(([name]) => !without.includes(name as ShopLink));
    const links = kept.map(([, link]) => link);
    const now = await readShop(fixture, merchant, links);
    const were = shop.details.filter(({ transaction_id: id }) => links.some(({ reference }) => reference === id));
    assert.deepEqual(now.details.map(forget), were.map(forget), 'details are unchanged');
    if (without.length === 0)
      assert.deepEqual(forgetListed(now.list), forgetListed(shop.list), 'the list is unchanged');

    const pending = await db(fixture.service().database)
      .selectFrom('callbacks')
      .select('webhook_id')
      .where('state', '=', 'pending')
      .execute();
    assert.notEqual(pending.length, 0, 'there are pending webhooks');

    for (const [name, { path }] of kept) {
      const page = await fixture.request(path, { token: null, headers: { accept: 'text/html' } });
      assert.equal(page.status, shop.pages[name as ShopLink], `page of the ${name} link`);
    }
    const again = await fixture.request('/fiat/v1/transaction', { body: shop.repeatable.body, token });
    assert.deepEqual([again.status, again.body.value], [200, (shop.repeatable.answer as { value: unknown }).value]);

    // Buyers continue their payments.
    const submit = async (name: ShopLink) =>
      await fixture.request('/fiat/v1/transaction/submit', { body: submission(shop.links[name].reference), token });
    assert.equal((await submit('open')).body.response_type, 'confirmed');
    assert.equal((await submit('declined')).body.response_type, 'confirmed');
    assert.equal((await submit('paid')).body.code, 'already_paid');
    const { path } = shop.links.challenge;
    const { challengeUrl } = (await fixture.request(`${path}/state`, { token: null })).body;
    const decided = await fixture.request(new URL(challengeUrl).pathname, {
      body: 'decision=approve',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      token: null,
    });
    assert.equal(decided.status, 303, decided.text);
    // The acquirer reports delayed outcomes, and endpoints accept webhooks again.
    for (let hour = 0; hour < 8; hour += 1) await fixture.advance(10 * MINUTE);
    const states = await readShop(
      fixture,
      merchant,
      (['open', 'declined', 'challenge', 'unknown'] as const).map((name) => shop.links[name]),
    );
    for (const { transaction_id: id, status } of states.details)
      assert.equal(status, 'transaction_status_confirmed', id);
    const sent = new Set(posted.map(({ id }) => id));
    for (const { webhook_id: id } of pending) assert.ok(sent.has(id), `webhook ${id} was sent`);
    for (const { reference } of links) {
      const numbers = posted.filter(({ data }) => data.transaction_id === reference).map(({ data }) => data.sequence);
      assert.deepEqual(
        numbers,
        [...numbers].sort((one, next) => one - next),
        `webhooks of ${reference} are in order`,
      );
    }
    const created = await fixture.request('/fiat/v1/transaction', { body: creation(), token });
    assert.equal(created.status, 200, created.text);
  } finally {
    await fixture.close();
  }
}
