// Databases: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from '../../src/system/metrics.ts';
import { createAccountCalls } from '../../src/acquirers/calls.ts';
import { SimulatedClock } from '../support/clock.ts';
import { type CardAcquirer, NotProcessed, Outage } from '../../src/acquirers/port.ts';
import type { PushAcquirer } from '../../src/acquirers/push-port.ts';

const nothing = { state: 'open', receipts: [], confirmations: null } as const;
const never = async () => await new Promise<never>(() => {});

const push: PushAcquirer = {
  listChoices: async () => ({ choices: [], quoteExpiresAt: null }),
  issueInstructions: never,
  fetchPayment: async () => nothing,
  withdraw: async () => {
    throw new Outage('the bank is closed');
  },
  refund: never,
};
/** Resolved by the test: the acquirer's charge is slow. */
const chargeResponse = Promise.withResolvers<void>();
const card: CardAcquirer = {
  charge: async () => {
    await chargeResponse.promise;
    return { kind: 'approved' };
  },
  fetchOutcome: never,
  complete: never,
  abandon: never,
  reverse: never,
  refund: never,
};

/** Returns the counts by acquirer, call and result. */
async function countsOf(metrics: ReturnType<typeof createMetrics>) {
  const { values } = await metrics.acquirerCalls.get();
  const counts = values.filter(({ metricName }) => metricName === 'paylatch_acquirer_call_seconds_count');
  return Object.fromEntries(
    counts.map(({ labels, value }) => [`${labels.acquirer} ${labels.call} ${labels.result}`, value]),
  );
}

test('every acquirer call has a timeout, longer for a charge and its completion, and each is counted', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const metrics = createMetrics();
  const callsOf = (adapter: string) =>
    createAccountCalls({ adapter, clock: new SimulatedClock(), metrics, timeoutMs: 20, chargeTimeoutMs: 50 });
  const [bank, acquirer] = [callsOf('bank').wrapPush(push), callsOf('acquirer').wrapCard(card)];
  const assertTimeout = async (name: string, call: Promise<unknown>) => {
    context.mock.timers.tick(20);
    await assert.rejects(call, new RegExp(`^Error: ${name} did not respond to \\w+ in 20 ms$`));
  };

  await assertTimeout('bank', bank.issueInstructions({} as never));
  await assertTimeout('bank', bank.refund({} as never));
  await assert.rejects(bank.withdraw({} as never), /the bank is closed/);
  assert.deepEqual(await bank.fetchPayment({} as never), nothing);
  for (const call of [acquirer.fetchOutcome, acquirer.abandon, acquirer.reverse])
    await assertTimeout('acquirer', Promise.resolve(call?.({} as never)));
  await assertTimeout('acquirer', acquirer.refund({} as never));
  const completing = callsOf('issuer').wrapCard(card);
  const completed = Promise.resolve(completing.complete?.({} as never, {}));
  context.mock.timers.tick(49);
  context.mock.timers.tick(1);
  await assert.rejects(completed, /did not respond to complete in 50 ms/);
  const charged = acquirer.charge({} as never);
  context.mock.timers.tick(60_000);
  chargeResponse.resolve();
  assert.deepEqual(await charged, { kind: 'approved' });

  assert.deepEqual(await countsOf(metrics), {
    'bank issue timeout': 1,
    'bank refund timeout': 1,
    'bank withdraw failed': 1,
    'bank fetch responded': 1,
    'acquirer fetch timeout': 1,
    'acquirer abandon timeout': 1,
    'acquirer reverse timeout': 1,
    'acquirer refund timeout': 1,
    'acquirer charge responded': 1,
    'issuer complete timeout': 1,
  });
});

const createCalls = () =>
  createAccountCalls({ adapter: 'bank', clock: new SimulatedClock(), metrics: createMetrics() });

test('only an outage opens the circuit', async () => {
  const calls = createCalls();
  let error: Error = new Error('the response has unexpected fields');
  const bank = calls.wrapPush({ ...push, issueInstructions: () => Promise.reject(error) });
  for (let number = 0; number < 9; number += 1) await assert.rejects(bank.issueInstructions({} as never), error);
  assert.equal(calls.guard.health().circuit, 'closed');
  error = new NotProcessed('no connection', { cause: new Outage('ECONNREFUSED') });
  for (let number = 0; number < 9; number += 1) await assert.rejects(bank.issueInstructions({} as never), NotProcessed);
  assert.equal(calls.guard.health().circuit, 'open');
});

test('calls that send nothing are not measured', async () => {
  const calls = createCalls();
  const network = calls.trackFetch(() => Promise.reject(new Outage('no response')));
  const bank = calls.wrapPush({ ...push, issueInstructions: async () => await network('').then(() => assert.fail()) });
  for (let number = 0; number < 5; number += 1) {
    await assert.rejects(bank.issueInstructions({} as never), Outage);
    if (number < 4) await bank.fetchPayment({} as never);
  }
  const { circuit, calls: measured } = calls.guard.health();
  assert.deepEqual([circuit, measured], ['open', 5]);
});

test('calls that send nothing do not count against the rate limit', async () => {
  const [clock, metrics] = [new SimulatedClock(), createMetrics()];
  const calls = createAccountCalls({ adapter: 'bank', clock, metrics, callsPerMinute: 2 });
  const network = calls.trackFetch(() => Promise.resolve(new Response()));
  const bank = calls.wrapPush({ ...push, fetchPayment: async () => await network('').then(() => nothing) });
  const listChoices = async () => {
    for (let number = 0; number < 5; number += 1) await bank.listChoices({} as never);
  };
  await listChoices();
  await bank.fetchPayment({} as never);
  await listChoices();
  await bank.fetchPayment({} as never);
  await assert.rejects(bank.fetchPayment({} as never), NotProcessed);
});
