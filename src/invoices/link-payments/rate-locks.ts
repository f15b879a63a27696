import { db } from '../schema.ts';
import type { CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import type { CurrencyCode } from '../../api/currency.ts';
import { Problem } from '../../api/problem-error.ts';
import type { Runner } from '../../database/engine.ts';
import { createCleanupJob, type Job } from '../../jobs/runner.ts';
import { type Instant, MINUTE } from '../../shared/time.ts';
import type { InvoicesContext } from '../context.ts';
import type { Rate } from '../../rates/port.ts';

/** Duration of a rate lock, and of a price in coins once the payer has chosen the currency. */
export const RATE_LOCK_DURATION: Instant = 15 * MINUTE;

interface RateLock extends Rate {
  lockedUntil: Instant;
}

/** The buyer of a link, for whom rates are locked. */
interface RateLockBuyer {
  merchantId: number;
  /** The merchant's reference of the transaction. */
  paymentReference: string;
  /** The buyer's network; null if the caller is not a buyer: current rates are then returned without a lock. */
  viewer: string | null;
}

/** Locked rates by currency, and the reason for each currency without a rate. */
export interface LockedRates {
  locked: ReadonlyMap<CryptoCurrencyCode, RateLock>;
  unavailable: ReadonlyMap<CryptoCurrencyCode, string>;
}

/**
 * Locks the rates of coins for 15 minutes from the moment when a buyer first sees them. Each buyer of a link has
 * separate locks, so no buyer inherits the remaining time of another's. They are stored, so every process shows the
 * same rates.
 */
export async function lockRates(
  { database, clock, rates }: Pick<InvoicesContext, 'database' | 'clock' | 'rates'>,
  buyer: RateLockBuyer,
  codes: readonly CryptoCurrencyCode[],
  currency: CurrencyCode,
): Promise<LockedRates> {
  const now = clock.now();
  const { merchantId, paymentReference, viewer } = buyer;
  const read = async () =>
    viewer === null || codes.length === 0
      ? new Map<CryptoCurrencyCode, RateLock>()
      : await readLocks(database, { merchantId, paymentReference, viewer }, codes, now);
  const locked = await read();
  const missing = codes.filter((code) => !locked.has(code));
  const { current, unavailable } = currentRates(rates, missing, currency);
  if (current.size === 0) return { locked, unavailable };
  const lockedUntil = now + RATE_LOCK_DURATION;
  const fresh = [...current].map(([code, rate]) => ({ code, ...rate, lockedUntil }));
  if (viewer === null) return { locked: new Map(fresh.map((lock) => [lock.code, lock])), unavailable };
  await database.writeOne(
    async (runner) =>
      await db(runner)
        .insertInto('rate_locks')
        .values(
          fresh.map(({ code, rate, source, at }) => ({
            ...{ merchant_id: merchantId, transaction_id: paymentReference, viewer, code },
            ...{ rate, source, at, locked_until: lockedUntil },
          })),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['merchant_id', 'transaction_id', 'viewer', 'code'])
            .doUpdateSet((eb) => ({
              rate: eb.ref('excluded.rate'),
              source: eb.ref('excluded.source'),
              at: eb.ref('excluded.at'),
              locked_until: eb.ref('excluded.locked_until'),
            }))
            // If another request has written a lock in the meantime, that lock is kept.
            .where('rate_locks.locked_until', '<=', now),
        )
        .execute(),
  );
  return { locked: await read(), unavailable };
}

/** Rates of a coin that are locked for at least one buyer of a transaction. */
export async function readLockedRates(
  reader: Runner,
  { merchantId, paymentReference }: Omit<RateLockBuyer, 'viewer'>,
  code: CryptoCurrencyCode,
  now: Instant,
): Promise<string[]> {
  const rows = await db(reader)
    .selectFrom('rate_locks')
    .select('rate')
    .where('merchant_id', '=', merchantId)
    .where('transaction_id', '=', paymentReference)
    .where('code', '=', code)
    .where('locked_until', '>', now)
    .execute();
  return rows.map(({ rate }) => rate);
}

/** A job that deletes expired locks. */
export function createRateLockCleanup({ database, clock }: Pick<InvoicesContext, 'database' | 'clock'>): Job {
  return createCleanupJob('rate lock cleanup', clock, async (now) => {
    await database.writeOne(
      async (runner) => await db(runner).deleteFrom('rate_locks').where('locked_until', '<=', now).execute(),
    );
  });
}

async function readLocks(
  reader: Runner,
  { merchantId, paymentReference, viewer }: RateLockBuyer & { viewer: string },
  codes: readonly CryptoCurrencyCode[],
  now: Instant,
): Promise<Map<CryptoCurrencyCode, RateLock>> {
  const rows = await db(reader)
    .selectFrom('rate_locks')
    .select(['code', 'rate', 'source', 'at', 'locked_until'])
    .where('merchant_id', '=', merchantId)
    .where('transaction_id', '=', paymentReference)
    .where('viewer', '=', viewer)
    .where('code', 'in', codes)
    .where('locked_until', '>', now)
    .execute();
  return new Map(
    rows.map(({ code, rate, source, at, locked_until: lockedUntil }) => [
      code as CryptoCurrencyCode,
      { rate, source, at, lockedUntil },
    ]),
  );
}

function currentRates(
  rates: InvoicesContext['rates'],
  codes: readonly CryptoCurrencyCode[],
  currency: CurrencyCode,
): { current: Map<CryptoCurrencyCode, Rate>; unavailable: Map<CryptoCurrencyCode, string> } {
  const current = new Map<CryptoCurrencyCode, Rate>();
  const unavailable = new Map<CryptoCurrencyCode, string>();
  for (const code of codes) {
    try {
      current.set(code, rates.rate(code, currency));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      unavailable.set(code, error.message);
    }
  }
  return { current, unavailable };
}
