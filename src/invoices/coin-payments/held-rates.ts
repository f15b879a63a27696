import { db } from '../schema.ts';
import type { CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import type { CurrencyCode } from '../../api/currency.ts';
import { type Instant, MINUTE } from '../../shared/time.ts';
import type { InvoicesContext } from '../context.ts';
import type { CoinRate } from '../../rates/coins.ts';

/** How long a rate is the same for all who look at it, and how long a price in coins holds once it was chosen. */
export const RATE_HOLDS: Instant = 15 * MINUTE;

interface HeldRate extends CoinRate {
  heldUntil: Instant;
}

/**
 * What one whole coin is in a currency: taken from where rates come from, and then held for a quarter of an hour in
 * the database, so that every process and every page names the same.
 */
export async function heldRates(
  {
    database,
    clock,
    rates,
  }: Pick<InvoicesContext, 'clock' | 'rates'> & { database: Pick<InvoicesContext['database'], 'query'> },
  codes: readonly CryptoCurrencyCode[],
  currency: CurrencyCode,
): Promise<ReadonlyMap<CryptoCurrencyCode, HeldRate>> {
  const now = clock.now();
  const read = async (): Promise<Map<CryptoCurrencyCode, HeldRate>> => {
    const rows = await db(database)
      .selectFrom('held_rates')
      .select(['code', 'rate', 'source', 'at', 'held_until'])
      .where('currency', '=', currency)
      .where('code', 'in', codes)
      .where('held_until', '>', now)
      .execute();
    return new Map(
      rows.map(({ code, rate, source, at, held_until: heldUntil }) => [
        code as CryptoCurrencyCode,
        { rate, source, at, heldUntil },
      ]),
    );
  };
  const held = codes.length === 0 ? new Map<CryptoCurrencyCode, HeldRate>() : await read();
  const missing = codes.filter((code) => !held.has(code));
  if (missing.length === 0) return held;
  await db(database)
    .insertInto('held_rates')
    .values(missing.map((code) => ({ code, currency, ...rates.rate(code, currency), held_until: now + RATE_HOLDS })))
    .onConflict((conflict) =>
      conflict
        .columns(['code', 'currency'])
        .doUpdateSet((row) => ({
          rate: row.ref('excluded.rate'),
          source: row.ref('excluded.source'),
          at: row.ref('excluded.at'),
          held_until: row.ref('excluded.held_until'),
        }))
        // Somebody else may have been faster: theirs is held.
        .where('held_rates.held_until', '<=', now),
    )
    .execute();
  return await read();
}
