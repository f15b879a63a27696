import { db } from '../schema.ts';
import type { CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import type { CurrencyCode } from '../../api/currency.ts';
import { type Instant, MINUTE } from '../../shared/time.ts';
import type { InvoicesContext } from '../context.ts';
import type { CoinRate } from '../../rates/coins.ts';

/** Duration of a rate lock, and of a price in coins once the payer has chosen the currency. */
export const RATE_LOCK_DURATION: Instant = 15 * MINUTE;

interface RateLock extends CoinRate {
  lockedUntil: Instant;
}

/**
 * Locks the rates of coins in a currency for 15 minutes. Locks are stored in the database, so every process and page
 * shows the same rates.
 */
export async function lockRates(
  {
    database,
    clock,
    rates,
  }: Pick<InvoicesContext, 'clock' | 'rates'> & { database: Pick<InvoicesContext['database'], 'query'> },
  codes: readonly CryptoCurrencyCode[],
  currency: CurrencyCode,
): Promise<ReadonlyMap<CryptoCurrencyCode, RateLock>> {
  const now = clock.now();
  const readLocks = async (): Promise<Map<CryptoCurrencyCode, RateLock>> => {
    const rows = await db(database)
      .selectFrom('held_rates')
      .select(['code', 'rate', 'source', 'at', 'held_until'])
      .where('currency', '=', currency)
      .where('code', 'in', codes)
      .where('held_until', '>', now)
      .execute();
    return new Map(
      rows.map(({ code, rate, source, at, held_until: lockedUntil }) => [
        code as CryptoCurrencyCode,
        { rate, source, at, lockedUntil },
      ]),
    );
  };
  const locked = codes.length === 0 ? new Map<CryptoCurrencyCode, RateLock>() : await readLocks();
  const missing = codes.filter((code) => !locked.has(code));
  if (missing.length === 0) return locked;
  await db(database)
    .insertInto('held_rates')
    .values(
      missing.map((code) => ({ code, currency, ...rates.rate(code, currency), held_until: now + RATE_LOCK_DURATION })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['code', 'currency'])
        .doUpdateSet((row) => ({
          rate: row.ref('excluded.rate'),
          source: row.ref('excluded.source'),
          at: row.ref('excluded.at'),
          held_until: row.ref('excluded.held_until'),
        }))
        // A lock that another process wrote in the meantime is kept.
        .where('held_rates.held_until', '<=', now),
    )
    .execute();
  return await readLocks();
}
