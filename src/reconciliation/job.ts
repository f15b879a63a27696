import { db } from './schema.ts';
import { ChainTrouble } from '../chains/port.ts';
import { cryptoCurrencies, type CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { DAY, HOUR, type Instant, MINUTE } from '../shared/time.ts';
import type { Job } from '../jobs/runner.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import { readTipAsReader } from '../chains/cursor.ts';
import type { WithdrawalsContext } from '../withdrawals/context.ts';
import { type Difference, isUnsettled, type Reconciliation, reconcile } from './reconcile.ts';

/** Time of day (UTC) from which a chain is reconciled, once a day. */
const AT: Instant = 3 * HOUR;
/** How often a process looks whether it is time, and what the last result was. */
const LOOK_AGAIN: Instant = MINUTE;
/** Differences that are kept and logged; more of them are counted. */
const MOST_KEPT = 200;

/**
 * Reconciles a chain with the ledger once a day, in the process that reads the chain, and keeps the result. Unsettled
 * differences are logged as an error; every process shows them in its metrics.
 */
export function createReconcileJob(context: WithdrawalsContext, connected: ConnectedChain, holder: string): Job {
  const { database, clock } = context;
  const { name } = connected;
  const startedAt = clock.now();
  let lookedAt: Instant = 0;
  return {
    name: `reconcile_${name}`,
    intervalMs: 60_000,
    async round() {
      const now = clock.now();
      if (now - lookedAt < LOOK_AGAIN) return 0;
      lookedAt = now;
      const last = await db(database)
        .selectFrom('reconciliations')
        .select(['at', 'differences'])
        .where('chain', '=', name)
        .executeTakeFirst();
      if (last) measure(context, connected, (JSON.parse(last.differences) as KeptDifferences).unsettled);
      const dueSince = Math.floor((now - AT) / DAY) * DAY + AT;
      if ((last?.at ?? startedAt) >= dueSince || (await readTipAsReader({ database, clock, holder }, name)) === null)
        return 0;
      try {
        const found = await reconcile(database, connected);
        // Compared while a block came in: another look is due in a minute.
        if (found.differences.some(({ explanation }) => explanation === 'blocks_not_read')) return 0;
        await keep(context, connected, found);
        return 1;
      } catch (error) {
        // The job that reads the chain reports its node.
        if (error instanceof ChainTrouble) return 0;
        throw error;
      }
    },
  };
}

/** By currency: how much unsettled differences add up to. */
interface KeptDifferences {
  unsettled: Partial<Record<string, string>>;
  list: readonly unknown[];
}

async function keep(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  { height, wallets, differences, unsettled }: Reconciliation,
): Promise<void> {
  const { database, clock, log } = context;
  const sums: Partial<Record<string, string>> = {};
  for (const { code, ledger, chain } of differences.filter(isUnsettled)) {
    const off = ledger > chain ? ledger - chain : chain - ledger;
    sums[code] = (BigInt(sums[code] ?? 0) + off).toString();
  }
  // Those that somebody has to look at are kept first.
  const sorted = differences.toSorted((one, other) => Number(isUnsettled(other)) - Number(isUnsettled(one)));
  const kept: KeptDifferences = { unsettled: sums, list: sorted.slice(0, MOST_KEPT).map(printable) };
  const values = { at: clock.now(), height, wallets, unsettled, differences: JSON.stringify(kept) };
  await database.inTransaction(async (unit) => {
    await db(unit)
      .insertInto('reconciliations')
      .values({ chain: connected.name, ...values })
      .onConflict((conflict) => conflict.column('chain').doUpdateSet(values))
      .execute();
  });
  measure(context, connected, sums);
  if (unsettled > 0)
    log.error(
      { chain: connected.name, height, unsettled, differences: kept.list.slice(0, 20) },
      'the ledger and the chain differ; run paylatch reconcile',
    );
  else
    log.info({ chain: connected.name, height, wallets, explained: differences.length }, 'the ledger equals the chain');
}

/** Amounts as digits, as they are in JSON. */
export function printable({ ledger, chain, ...difference }: Difference) {
  return { ...difference, ledger: ledger.toString(), chain: chain.toString() };
}

function measure(
  { metrics }: WithdrawalsContext,
  { name, chain }: ConnectedChain,
  unsettled: KeptDifferences['unsettled'],
): void {
  for (const code of chain.currencies)
    metrics.ledgerDifference.set({ chain: name, code }, inCoins(BigInt(unsettled[code] ?? 0), code));
}

function inCoins(amount: bigint, code: CryptoCurrencyCode): number {
  return Number(amount) / 10 ** cryptoCurrencies[code].decimals;
}
