// Databases: postgres
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { creation, submission } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { roundTripsOfCard, StatementCounter } from '../support/statements.ts';

/** Maximum statements for one approved card, including its two webhooks. */
const MOST_PER_CARD = 42;

/** Maximum round trips to submit an approved card, one of them the sandbox acquirer's. */
const MAX_ROUND_TRIPS_PER_CARD = 12;

describe('statements', () => {
  let fixture: Fixture;
  const counter = new StatementCounter();
  let delivered: () => void = () => {};

  before(async () => {
    fixture = await openFixture({
      async post() {
        delivered();
        return await Promise.resolve({ status: 204, body: '', retryAfter: null });
      },
    });
    const body = { key: 'callback-url', value: 'https://shop.example/webhooks' };
    assert.equal((await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body })).status, 200);
    const { jobs } = fixture.service();
    // Finish all work, including jobs that other jobs wake, before counting starts.
    await fixture.work();
    jobs.start();
    await jobs.runUntilIdle();
    counter.start();
  });
  after(async () => {
    counter.stop();
    await fixture.close();
  });

  test('at rest: one for all due work and one for all chains', async () => {
    const { jobs, invoices } = fixture.service();
    counter.reset();
    for (let times = 0; times < 5; times += 1) await jobs.runDue();
    for (const job of invoices.jobs) if (job.hasWork) assert.equal(await job.hasWork(), false, job.name);
    await invoices.jobs.find(({ name }) => name === 'chain leases')?.runOnce();
    // Statements of the service's own timer may occur in between.
    const counted = counter.statements.filter((text) => !isAtRest(text));
    assert.deepEqual(counted, []);
    assert.ok(counter.statements.filter((text) => text.includes('"chain_cursors" set "held_until"')).length >= 1);
    assert.doesNotMatch(fixture.log(), /due work could not be read|job failed/);
  });

  test(`of an approved card are at most ${MOST_PER_CARD}`, async () => {
    const { jobs } = fixture.service();
    const bothDelivered = new Promise<void>((resolve) => {
      let count = 0;
      delivered = () => {
        count += 1;
        if (count === 2) resolve();
      };
    });
    counter.reset();
    const request = creation();
    const created = await fixture.request('/fiat/v1/transaction', { body: request });
    await fixture.request(new URL(created.body.value.link).pathname, { token: null });
    const submitted = await fixture.request('/fiat/v1/transaction/submit', {
      body: submission(request.transaction_id),
    });
    assert.equal(submitted.body.response_type, 'confirmed');
    await bothDelivered;
    await jobs.stop();
    const counted = counter.statements.filter((text) => !isAtRest(text));
    assert.ok(counted.length <= MOST_PER_CARD, `${counted.length}:\n${counted.join('\n')}`);
    // Guards against a broken counter.
    assert.ok(counted.length > 30 && counted.includes('begin'), `${counted.length}`);
    // Planning the search for due webhooks takes 60 times as long as running it.
    assert.deepEqual(
      counter.unprepared.filter((text) => !isAtRest(text) && text !== 'begin' && text !== 'commit'),
      [],
    );
    jobs.start();
  });

  test(`round trips of an approved card are at most ${MAX_ROUND_TRIPS_PER_CARD}`, async () => {
    const counted = await roundTripsOfCard(fixture, counter);
    assert.ok(counted.length <= MAX_ROUND_TRIPS_PER_CARD, `${counted.length}:\n${counted.join('\n')}`);
    assert.ok(counted.length > 9, `${counted.length}`);
    assert.ok(
      counted.some((text) => text.includes('sandbox_charges')),
      'the acquirer’s are counted',
    );
  });
});

/** The read of due work every two seconds, and the renewal of chain leases. */
function isAtRest(text: string): boolean {
  return /^select \(select min\(due\)|^update "chain_cursors" set "held_until"/.test(text);
}
