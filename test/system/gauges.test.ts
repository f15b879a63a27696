import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, MINUTE, toSeconds } from '../../src/shared/time.ts';
import { recordBackup } from '../../src/backup/check.ts';
import { createGaugesJob } from '../../src/gauges.ts';
import { createMetrics } from '../../src/system/metrics.ts';
import { createBuyers } from '../support/buyer.ts';
import { testEngine } from '../support/databases.ts';
import { openFixture } from '../support/fixture.ts';
import { createLink, submitCard } from '../support/requests.ts';

test('metrics report the state of the installation', async (context) => {
  const fixture = await openFixture({ certificateExpiryMs: () => Promise.resolve(1_800_000_000_000) });
  context.after(async () => await fixture.close());
  const { clock, merchant } = fixture;
  const { database } = fixture.service();
  const read = async (): Promise<Record<string, number>> => {
    const { text } = await fixture.request('/metrics');
    const lines = Array.from(text.matchAll(/^paylatch_(\S+) ([\d.e+-]+)$/gm), ([, name = '', value]) => [
      name,
      Number(value),
    ]);
    return Object.fromEntries(lines) as Record<string, number>;
  };
  await fixture.work();
  const initial = await read();
  assert.equal(initial.backup_timestamp_seconds, 0);
  assert.equal(initial['oldest_review_timestamp_seconds{kind="payment"}'], 0);
  assert.equal(initial.webhooks_overdue_seconds, 0);
  assert.equal(initial.certificate_expiry_timestamp_seconds, 1_800_000_000);
  assert.ok((initial.database_round_trip_seconds ?? 0) > 0);
  assert.equal((initial.disk_free_bytes ?? 0) > 0, testEngine === 'sqlite');

  await recordBackup(database, clock.now());
  const backupAt = clock.now();
  await fixture.request('/fiat/v1/merchant/payment-methods', {
    method: 'PATCH',
    token: merchant.managerToken,
    body: { payment_methods: [{ payment_method: 'qr_code', currency: 'THB', status: 'enable', fee_percent: 1 }] },
  });
  const { startPayment, simulate } = createBuyers(() => fixture);
  const link = await createLink(fixture, { payment_method: 'qr_code', amount: 1250, country: 'THA', currency: 'THB' });
  await simulate(await startPayment(link, 'qr_code'), 'underpay');
  await fixture.work();
  const paidAt = clock.now();
  await fixture.advance(DAY);
  const waiting = await read();
  assert.equal(Math.floor(waiting.backup_timestamp_seconds ?? 0), Math.floor(toSeconds(backupAt)));
  const since = waiting['oldest_review_timestamp_seconds{kind="payment"}'] ?? 0;
  assert.ok(since > 0 && since <= toSeconds(paidAt + DAY), String(since));

  // A webhook that no job has sent.
  const url = 'http://127.0.0.1:1/callbacks';
  await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body: { key: 'callback-url', value: url } });
  await submitCard(fixture, (await createLink(fixture)).reference);
  clock.advance(10 * MINUTE);
  const metrics = createMetrics();
  const job = createGaugesJob({
    ...{ database, databaseUrl: fixture.databaseUrl, clock, metrics },
    certificateExpiryMs: () => Promise.resolve(null),
  });
  await job.runOnce();
  const [overdue] = (await metrics.webhooksOverdue.get()).values;
  assert.ok(overdue && overdue.value >= 600 && overdue.value < 660, JSON.stringify(overdue));

  // A merchant's dead endpoint is not a problem of the installation.
  await fixture.work();
  const { callback_delay_seconds_count: delays } = await read();
  clock.advance(DAY);
  await job.runOnce();
  assert.equal((await metrics.webhooksOverdue.get()).values[0]?.value, 0);
  await fixture.work();
  assert.equal((await read()).callback_delay_seconds_count, delays);
});

test('only the process that scans a chain reports its gas wallet', async (context) => {
  const fixture = await openFixture();
  const other = await fixture.another();
  context.after(async () => {
    await other.close();
    await fixture.close();
  });
  const reportsGas = async (service = fixture.service()) => {
    const response = await service.fetch(new Request(`${fixture.url}/metrics`));
    return /^paylatch_gas_wallet_ether\{chain="ethereum"\} /m.test(await response.text());
  };
  await fixture.work();
  assert.deepEqual([await reportsGas(), await reportsGas(other)], [true, false]);
  // Longer than a lease.
  fixture.clock.advance(MINUTE);
  await other.jobs.drain();
  await fixture.work();
  assert.deepEqual([await reportsGas(), await reportsGas(other)], [false, true]);
});
