import type { Database } from '../../src/database/database.ts';
import type { Load } from '../../test/support/payment-load.ts';
import { findLoadViolations, isIdle } from '../../test/support/payment-load-checks.ts';
import { type Cluster, until } from './cluster.ts';

/** Claims of a killed process expire after a minute. */
const FINISH_TIMEOUT_MS = 180_000;
const REPLICATION_MS = 60_000;

/** Waits until nothing is in progress, then checks all invariants; returns the violations. */
export async function findViolations(
  cluster: Cluster,
  observed: { database: Database; load: Load; receivedIds: readonly string[] },
): Promise<string[]> {
  const { acquirer } = cluster;
  const violations: string[] = [];
  const check = async (run: () => Promise<void>) => {
    try {
      await run();
    } catch (error) {
      violations.push(error instanceof Error ? error.message : String(error));
    }
  };
  await check(
    async () =>
      await until(
        'all payments and webhooks are finished',
        async () => !acquirer.hasPendingWebhooks() && (await isIdle(observed.database)),
        FINISH_TIMEOUT_MS,
      ),
  );
  violations.push(...(await findLoadViolations({ ...observed, charges: acquirer.charges() })));
  await check(async () => await checkReplicas(cluster));
  return violations;
}

/** Checks that all machines store the same data. */
async function checkReplicas(cluster: Cluster): Promise<void> {
  const tables = ['fiat_transactions', 'card_attempts', 'refunds', 'events', 'callbacks'];
  const fingerprint = tables
    .map((table) => `(select md5(coalesce(string_agg(t::text, '|' order by id), '')) from ${table} t)`)
    .join(" || ' ' || ");
  const read = async () =>
    await Promise.all(
      cluster.machines.map(
        async (machine) =>
          (await cluster.queryAsAdmin<{ all: string }>(`select ${fingerprint} as all`, machine, 'paylatch'))[0]?.all,
      ),
    );
  await until('all machines store the same', async () => new Set(await read()).size === 1, REPLICATION_MS);
}
