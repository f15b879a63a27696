import { db } from './schema.ts';
import { ChainError } from '../chains/port.ts';
import { cryptoCurrencies, type CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { DAY, HOUR, type Instant, MINUTE } from '../shared/time.ts';
import type { Job } from '../jobs/runner.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import { readLastBlockAsHolder } from '../chains/cursor.ts';
import type { WithdrawalsContext } from '../withdrawals/context.ts';
import { type Difference, needsOperator, type Reconciliation, reconcile } from './reconcile.ts';

/** Time of day (UTC) of the daily reconciliation. */
const DAILY_AT: Instant = 3 * HOUR;
/** Interval at which a process checks the time and the last result. */
const POLL_INTERVAL: Instant = MINUTE;
/** Differences stored in a result; the others are only counted. */
const MAX_STORED = 200;

/**
 * Creates the job that reconciles a chain with the ledger once a day, in the process that scans the chain, and stores
 * the result. Unresolved differences are logged as an error; every process reports them in its metrics.
 */
export function createReconcileJob(context: WithdrawalsContext, connected: ConnectedChain, holder: string): Job {
  const { database, clock } = context;
  const { name } = connected;
  const startedAt = clock.now();
  let polledAt: Instant = 0;
  return {
    name: `reconcile_${name}`,
    intervalMs: 60_000,
    async runOnce() {
      const now = clock.now();
      if (now - polledAt < POLL_INTERVAL) return 0;
      polledAt = now;
      const last = await db(database)
        .selectFrom('reconciliations')
        .select(['at', 'differences'])
        .where('chain', '=', name)
        .executeTakeFirst();
      if (last) setMetrics(context, connected, (JSON.parse(last.differences) as StoredDifferences).unresolved);
      const dueSince = Math.floor((now - DAILY_AT) / DAY) * DAY + DAILY_AT;
      if (
        (last?.at ?? startedAt) >= dueSince ||
        (await readLastBlockAsHolder({ database, clock, holder }, name)) === null
      )
        return 0;
      try {
        const result = await reconcile(database, connected);
        // A block arrived during the comparison, which is repeated in a minute.
        if (result.differences.some(({ explanation }) => explanation === 'blocks_not_scanned')) return 0;
        return (await storeResult(context, connected, result, last?.at)) ? 1 : 0;
      } catch (error) {
        // The scan job reports node errors.
        if (error instanceof ChainError) return 0;
        throw error;
      }
    },
  };
}

/** Stored differences, and the sums of unresolved ones by currency. */
interface StoredDifferences {
  unresolved: Partial<Record<string, string>>;
  list: readonly unknown[];
}

/** Stores a result, unless a difference was resolved since the last result was read: the chain is compared again. */
async function storeResult(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  { height, wallets, differences, unresolved }: Reconciliation,
  lastAt: Instant = 0,
): Promise<boolean> {
  const { database, clock, log } = context;
  const sums: Partial<Record<string, string>> = {};
  for (const { code, ledger, chain } of differences.filter(needsOperator)) {
    const difference = ledger > chain ? ledger - chain : chain - ledger;
    sums[code] = (BigInt(sums[code] ?? 0) + difference).toString();
  }
  // Unresolved differences come first, so that the limit never cuts them off.
  const sorted = differences.toSorted((one, other) => Number(needsOperator(other)) - Number(needsOperator(one)));
  const stored: StoredDifferences = { unresolved: sums, list: sorted.slice(0, MAX_STORED).map(differenceToJson) };
  const values = { at: clock.now(), height, wallets, unresolved, differences: JSON.stringify(stored) };
  const { numInsertedOrUpdatedRows } = await database.inTransaction(
    async (unit) =>
      await db(unit)
        .insertInto('reconciliations')
        .values({ chain: connected.name, ...values })
        .onConflict((conflict) => conflict.column('chain').doUpdateSet(values).where('reconciliations.at', '=', lastAt))
        .executeTakeFirstOrThrow(),
  );
  if (numInsertedOrUpdatedRows === 0n) return false;
  setMetrics(context, connected, sums);
  if (unresolved > 0)
    log.error(
      { chain: connected.name, height, unresolved, differences: stored.list.slice(0, 20) },
      'ledger and chain differ; run paylatch reconcile',
    );
  else log.info({ chain: connected.name, height, wallets, explained: differences.length }, 'ledger and chain match');
  return true;
}

/** A difference for JSON: amounts as digits. */
export function differenceToJson({ ledger, chain, ...difference }: Difference) {
  return { ...difference, ledger: ledger.toString(), chain: chain.toString() };
}

function setMetrics(
  { metrics }: WithdrawalsContext,
  { name, chain }: ConnectedChain,
  unresolved: StoredDifferences['unresolved'],
): void {
  for (const code of chain.currencies)
    metrics.ledgerDifference.set({ chain: name, code }, toCoins(BigInt(unresolved[code] ?? 0), code));
}

function toCoins(amount: bigint, code: CryptoCurrencyCode): number {
  return Number(amount) / 10 ** cryptoCurrencies[code].decimals;
}
