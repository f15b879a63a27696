// Databases: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from '../../src/system/metrics.ts';
import { createProviderCalls } from '../../src/acquirers/calls.ts';
import type { CardProvider } from '../../src/acquirers/port.ts';
import type { PushProvider } from '../../src/acquirers/push-port.ts';

const nothing = { state: 'open', receipts: [], confirmations: null } as const;
const never = async () => await new Promise<never>(() => {});

const push: PushProvider = {
  name: 'bank',
  carries: () => true,
  choices: async () => ({ choices: [], amountsUntil: null }),
  issue: never,
  lookUp: async () => nothing,
  withdraw: async () => {
    throw new Error('the bank is closed');
  },
  refund: never,
};
/** What the acquirer takes its time for. */
const answer = Promise.withResolvers<void>();
const card: CardProvider = {
  name: 'acquirer',
  charge: async () => {
    await answer.promise;
    return { kind: 'approved' };
  },
  lookUp: never,
  abandon: never,
  reverse: never,
  refund: never,
};

/** The counts by provider, call and result. */
async function countsOf(metrics: ReturnType<typeof createMetrics>) {
  const { values } = await metrics.providerCalls.get();
  const counts = values.filter(({ metricName }) => metricName === 'paylatch_provider_call_seconds_count');
  return Object.fromEntries(
    counts.map(({ labels, value }) => [`${labels.provider} ${labels.call} ${labels.result}`, value]),
  );
}

test('no call of a provider is waited for without end, but a charge, and each is counted', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const metrics = createMetrics();
  const calls = createProviderCalls({ metrics, timeoutMs: 20 });
  const [bank, acquirer] = [calls.ofPushProvider(push), calls.ofCardProvider(card)];
  const isLate = async (name: string, asking: Promise<unknown>) => {
    context.mock.timers.tick(20);
    await assert.rejects(asking, new RegExp(`^Error: ${name} did not answer to \\w+ in 20 ms$`));
  };

  await isLate('bank', bank.issue({} as never));
  await isLate('bank', bank.refund({} as never));
  await assert.rejects(bank.withdraw('key'), /the bank is closed/);
  assert.deepEqual(await bank.lookUp('key'), nothing);
  for (const ask of [acquirer.lookUp, acquirer.abandon, acquirer.reverse]) await isLate('acquirer', ask('key'));
  await isLate('acquirer', acquirer.refund({} as never));
  const charged = acquirer.charge({} as never);
  context.mock.timers.tick(60_000);
  answer.resolve();
  assert.deepEqual(await charged, { kind: 'approved' });

  assert.deepEqual(await countsOf(metrics), {
    'bank issue late': 1,
    'bank refund late': 1,
    'bank withdraw failed': 1,
    'bank look_up answered': 1,
    'acquirer look_up late': 1,
    'acquirer abandon late': 1,
    'acquirer reverse late': 1,
    'acquirer refund late': 1,
    'acquirer charge answered': 1,
  });
});
