import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { TransactionEvent } from '../../src/api/event.ts';
import { DAY, HOUR } from '../../src/shared/time.ts';
import { cards, creation, submission } from '../support/requests.ts';
import { openFixture, type TestMerchant, type Fixture } from '../support/fixture.ts';

interface Page {
  events: TransactionEvent[];
  next: string | null;
  has_more: boolean;
}

describe('the event log', () => {
  let fixture: Fixture;
  let merchant: TestMerchant;
  const posted: { id: string; type: string; timestamp: string; data: unknown }[] = [];

  before(async () => {
    fixture = await openFixture({
      post: (_url, headers, body) => {
        posted.push({ id: headers['webhook-id'] ?? '', ...JSON.parse(body) });
        return Promise.resolve({ status: 204, retryAfter: null, body: '' });
      },
    });
  });
  beforeEach(async () => {
    merchant = await fixture.makeMerchant('Kettle & Co');
    posted.length = 0;
  });
  after(async () => await fixture.close());

  const pull = async (query: Record<string, string> = {}, token = merchant.token): Promise<Page> => {
    const { status, body, text } = await fixture.request(`/v1/events?${new URLSearchParams(query).toString()}`, {
      token,
    });
    assert.equal(status, 200, text);
    return body;
  };
  const pullAll = async (limit: number): Promise<TransactionEvent[]> => {
    const all: TransactionEvent[] = [];
    let after: string | null = null;
    for (;;) {
      const page: Page = await pull({ limit: String(limit), ...(after !== null && { after }) });
      all.push(...page.events);
      after = page.next;
      if (!page.has_more) return all;
    }
  };
  const eventsOf = async (reference: string): Promise<TransactionEvent[]> => {
    const path = `/fiat/v1/transaction/events?transaction_id=${reference}`;
    const { status, body, text } = await fixture.request(path, { token: merchant.token });
    assert.equal(status, 200, text);
    return body.events;
  };
  const create = async () => {
    const body = creation();
    const created = await fixture.request('/fiat/v1/transaction', { body, token: merchant.token });
    assert.equal(created.status, 200, created.text);
    return body.transaction_id;
  };
  const pay = async (reference: string, card: string = cards.visa) => {
    const year = String(new Date(fixture.clock.now() / 1000).getUTCFullYear() + 2);
    const body = submission(reference, card, { card_expiry_year: year });
    const response = await fixture.request('/fiat/v1/transaction/submit', { body, token: merchant.token });
    assert.equal(response.status, 200, response.text);
  };
  const namesOf = (events: readonly TransactionEvent[]) =>
    events.map(({ type, data }) => `${data.transaction_id} ${data.sequence} ${'status' in data ? data.status : type}`);

  test('has the same events as webhooks, with the same ids', async () => {
    await fixture.request('/v1/merchant/preferences', {
      method: 'PATCH',
      token: merchant.token,
      body: { key: 'callback-url', value: 'http://localhost:1/callbacks' },
    });
    for (const card of [cards.declined, cards.visa]) await pay(await create(), card);
    await fixture.work();
    const events = await pullAll(100);
    assert.equal(events.length, 4);
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    assert.deepEqual(events.toSorted(byId), posted.toSorted(byId));
  });

  test('returns each event once, in the same order, with any page size', async () => {
    const references = [await create(), await create(), await create()];
    await Promise.all(references.map(async (reference) => await pay(reference, cards.declined)));
    await Promise.all(references.map(async (reference) => await pay(reference)));
    const events = await pullAll(100);
    assert.equal(events.length, 12);
    assert.equal(new Set(events.map(({ id }) => id)).size, 12);
    for (const limit of [1, 2, 5]) assert.deepEqual(await pullAll(limit), events);
    for (const reference of references) {
      const ownEvents = events.filter(({ data }) => data.transaction_id === reference);
      assert.deepEqual(
        ownEvents.map(({ data }) => data.sequence),
        [1, 2, 3, 4],
      );
      assert.deepEqual(await eventsOf(reference), ownEvents);
    }
  });

  test('is separate for each merchant', async () => {
    await pay(await create());
    const other = await fixture.makeMerchant('Other & Co');
    assert.deepEqual(await pull({}, other.token), { events: [], next: null, has_more: false });
    // A cursor of another merchant is unknown.
    const { next } = await pull({ limit: '1' });
    const refused = await fixture.request(`/v1/events?after=${next}`, { token: other.token });
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.code], [422, 'invalid_cursor']);
  });

  test('returns new events immediately to a waiting pull', async () => {
    const reference = await create();
    const { next } = await pull();
    assert.equal(next, null);
    const waiting = pull({ wait: '30' });
    await pay(reference);
    const first = await waiting;
    assert.ok(first.events.length > 0);
    assert.deepEqual(namesOf(first.events)[0], `${reference} 1 transaction_status_waiting`);
    // Without an event: an empty page and the same position.
    const { next: place } = await pull({ after: first.next ?? '' });
    const empty = await pull({ after: place ?? '', wait: '1' });
    assert.deepEqual([empty.events, empty.next], [[], place]);
  });

  test('does not prevent a shutdown with waiting pulls', async () => {
    const started = await openFixture();
    const waiting = started.request('/v1/events?wait=30');
    // Sent after the pull, which is waiting by then.
    await started.request('/v1/events');
    const beganMs = performance.now();
    await started.close();
    assert.deepEqual((await waiting).body.events, []);
    assert.ok(performance.now() - beganMs < 20_000);
  });

  test('keeps events for 90 days', async () => {
    await pay(await create());
    await fixture.advance(89 * DAY);
    assert.equal((await pullAll(10)).length, 2);
    const { next } = await pull({ limit: '1' });
    await fixture.advance(DAY + HOUR);
    assert.equal((await pullAll(10)).length, 0);
    // A client with an older cursor continues with the oldest stored event.
    const reference = await create();
    await pay(reference);
    const page = await pull({ after: next ?? '' });
    assert.deepEqual(
      page.events.map(({ data }) => data.transaction_id),
      [reference, reference],
    );
    // Cursors of earlier releases, and of another service key.
    const [position] = (page.next ?? '').split('.');
    for (const after of [`${position}`, `${position}.abcdefghijkl`])
      assert.deepEqual((await pull({ after })).events, []);
    assert.deepEqual(await pull({ after: page.next ?? '' }), { events: [], next: page.next, has_more: false });
  });

  test('skips no event of a unit of work that commits late', async () => {
    const { database } = fixture.service();
    if (database.engine !== 'postgres') return;
    const reference = await create();
    // Of another transaction: the open unit of work locks its own transaction.
    const row = await db(database)
      .selectFrom('fiat_transactions')
      .select('id')
      .where('transaction_id', '=', await create())
      .executeTakeFirstOrThrow();
    const subject = { subject_kind: 'fiat_transaction' as const, subject_id: row.id };
    const late = { merchant_id: merchant.id, ...subject, type: 'fiat.transaction.updated' };
    let end = () => {};
    const mayEnd = new Promise<void>((resolve) => {
      end = resolve;
    });
    let start = () => {};
    const hasStarted = new Promise<void>((resolve) => {
      start = resolve;
    });
    const unit = database.inTransaction(async (unit) => {
      await db(unit)
        .insertInto('events')
        .values({
          ...late,
          ...{ sequence: 99, at: fixture.clock.now(), status: 'waiting', previous_status: 'pending', detail: null },
          ...{ data: '{"transaction_id":"late"}', webhook_id: `evt_late_${reference}` },
        })
        .execute();
      start();
      await mayEnd;
    });
    await hasStarted;
    await pay(reference);
    const first = await pull();
    assert.deepEqual(namesOf(first.events), namesOf(await eventsOf(reference)));
    const waiting = pull({ after: first.next ?? '', wait: '30' });
    end();
    await unit;
    assert.equal((await waiting).events[0]?.data.transaction_id, 'late');
    assert.deepEqual(
      (await pullAll(2)).map(({ data }) => data.transaction_id),
      [reference, reference, 'late'],
    );
  });

  test('returns the same events to concurrent pulls', async () => {
    const references = await Promise.all(Array.from({ length: 8 }, create));
    const payments = Promise.all(references.map(async (reference) => await pay(reference)));
    const readers = Array.from({ length: 4 }, async () => {
      const seen: TransactionEvent[] = [];
      let after: string | null = null;
      while (seen.length < 16) {
        const page: Page = await pull({ limit: '3', wait: '30', ...(after !== null && { after }) });
        seen.push(...page.events);
        after = page.next;
      }
      return seen;
    });
    await payments;
    const [first = [], ...others] = await Promise.all(readers);
    assert.equal(new Set(first.map(({ id }) => id)).size, 16);
    for (const other of others) assert.deepEqual(other, first);
  });

  test('refuses an invalid cursor', async () => {
    await pay(await create());
    const { next } = await pull();
    assert.ok(next);
    const noPlaces = ['0', '-', '1-1', '!', 'Z', 'abc', 'zzz', '99999999', 'z'.repeat(11), 'z'.repeat(64)];
    for (const after of [...noPlaces, next.slice(0, -1), next.slice(1), `${next}0`, next.slice(0, 8), `1${next}`]) {
      const { status, body } = await fixture.request(`/v1/events?after=${encodeURIComponent(after)}`, {
        token: merchant.token,
      });
      const [error] = body.errors ?? [];
      assert.deepEqual([status, error?.pointer, error?.code], [422, '?after', 'invalid_cursor'], after);
    }
  });
});
