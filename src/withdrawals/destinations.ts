import { lockMerchant } from '../merchants/merchants.ts';
import type { Runner } from '../database/engine.ts';
import { db } from './schema.ts';
import { enforceChangeLimit } from '../webhooks/change-limit.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { cryptoCurrencyCodes, cryptoCurrencies } from '../shared/crypto-currency.ts';
import { formatInstant, HOUR, type Instant } from '../shared/time.ts';
import type { PendingDestination } from '../api/withdrawal.ts';
import { readUserNames } from '../auth/user-names.ts';
import type { PreferenceGuard } from '../merchants/preferences/set.ts';
import type { UnitOfWork } from '../database/database.ts';
import { emailDestinationChanged } from '../mail/team-emails.ts';
import { wakeJob } from '../jobs/runner.ts';
import type { WithdrawalsContext } from './context.ts';
import { withdrawalJobName } from '../chains/cursor.ts';
import { currencyProblem, parsePayoutAddress } from '../wallets/addresses.ts';

const PREFIX = 'auto-withdrawal-destination-';

interface DestinationChange {
  address: string | null;
  previous_address: string | null;
  requested_by: string;
  effective_at: Instant;
  created_at: Instant;
}

/** Finds the last change. Only that one counts: a pending destination that was replaced never takes effect. */
async function findLastChange(
  reader: Runner,
  merchantId: number,
  code: CryptoCurrencyCode,
): Promise<DestinationChange | undefined> {
  return await db(reader)
    .selectFrom('withdrawal_destinations')
    .select(['address', 'previous_address', 'requested_by', 'effective_at', 'created_at'])
    .where('chain', '=', cryptoCurrencies[code].chain)
    .where('merchant_id', '=', merchantId)
    .where('code', '=', code)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Reads a merchant's destination of automatic withdrawals at a given time; null if none is set. */
export async function readDestination(
  reader: Runner,
  merchantId: number,
  code: CryptoCurrencyCode,
  now: Instant,
): Promise<string | null> {
  const last = await findLastChange(reader, merchantId, code);
  return (last && last.effective_at > now ? last.previous_address : last?.address) ?? null;
}

/** Reads destinations that are not effective yet. */
export async function readPendingDestinations(
  reader: Runner,
  merchantId: number,
  now: Instant,
): Promise<PendingDestination[]> {
  const pending: Omit<PendingDestination, 'requestedByName'>[] = [];
  for (const code of cryptoCurrencyCodes) {
    const last = await findLastChange(reader, merchantId, code);
    if (!last || last.effective_at <= now) continue;
    pending.push({
      code,
      reason: 'new_destination',
      destination: last.address,
      previousDestination: last.previous_address,
      effectiveAt: formatInstant(last.effective_at),
      requestedBy: last.requested_by,
      createdAt: formatInstant(last.created_at),
    });
  }
  const names = await readUserNames(
    reader,
    pending.map(({ requestedBy }) => requestedBy),
  );
  return pending.map((each) => ({ ...each, requestedByName: names.get(each.requestedBy) ?? null }));
}

/** Returns the end of the hold on a withdrawal to an address; null if automatic withdrawals already use that address. */
export async function destinationHoldUntil(
  { clock, destinationDelay }: Pick<WithdrawalsContext, 'clock' | 'destinationDelay'>,
  reader: Runner,
  { merchantId, code, destination }: { merchantId: number; code: CryptoCurrencyCode; destination: string },
): Promise<Instant | null> {
  const now = clock.now();
  if (destinationDelay === 0 || (await readDestination(reader, merchantId, code, now)) === destination) return null;
  return now + destinationDelay;
}

/**
 * Guards preferences of currencies that are not set up, and the destinations of automatic withdrawals. An address must be valid on its network. A new one takes effect
 * only after a delay, so that a stolen token cannot divert funds unnoticed.
 */
export function guardDestinations(context: WithdrawalsContext): PreferenceGuard {
  const codeOf = (key: string): CryptoCurrencyCode | null =>
    key.startsWith(PREFIX) ? (cryptoCurrencyCodes.find((code) => key === `${PREFIX}${code}`) ?? null) : null;
  return {
    keyProblem(key) {
      const code = cryptoCurrencyCodes.find((each) => key.endsWith(`-${each}`));
      return code === undefined || context.chains.forCurrency(code) ? null : currencyProblem(context.chains, code);
    },
    async validate(key, value) {
      const code = codeOf(key);
      if (code === null || typeof value !== 'string') return { value };
      const parsed = await parsePayoutAddress(context, code, value);
      return 'problem' in parsed ? parsed : { value: parsed.address };
    },
    async onStored(unit, { merchantId, key, value, by }) {
      // The change may affect which sweeps are due, and their fee limit.
      if (/withdrawal|rotate/.test(key))
        for (const { name } of context.chains.all) wakeJob(unit, withdrawalJobName(name));
      const code = codeOf(key);
      if (code === null) return;
      await changeDestination(context, unit, {
        merchantId,
        code,
        address: value === null ? null : String(value),
        by,
      });
    },
    async readPending(merchantId) {
      const pending = await readPendingDestinations(context.database, merchantId, context.clock.now());
      return new Map(
        pending.map(({ code, previousDestination, effectiveAt }) => [
          `${PREFIX}${code}`,
          { current_value: previousDestination, effective_at: effectiveAt, reason: 'new_destination' },
        ]),
      );
    },
  };
}

async function changeDestination(
  context: WithdrawalsContext,
  unit: UnitOfWork,
  {
    merchantId,
    code,
    address,
    by,
  }: { merchantId: number; code: CryptoCurrencyCode; address: string | null; by: string },
): Promise<void> {
  const { chain } = cryptoCurrencies[code];
  // Serializes concurrent changes.
  await lockMerchant(unit, merchantId);
  const now = context.clock.now();
  const last = await findLastChange(unit, merchantId, code);
  // Repeating a pending change must not extend its delay.
  if ((last?.address ?? null) === address) return;
  if (address !== null)
    await enforceChangeLimit(
      'withdrawal_destination',
      `\`${PREFIX}${code}\``,
      db(unit)
        .selectFrom('withdrawal_destinations')
        .select('id')
        .where('chain', '=', chain)
        .where('merchant_id', '=', merchantId)
        .where('code', '=', code)
        .where('created_at', '>', now - HOUR),
    );
  const previous = await readDestination(unit, merchantId, code, now);
  // Disabling, or returning to the effective destination, needs no delay.
  const effectiveAt = address === null || address === previous ? now : now + context.destinationDelay;
  const { id } = await db(unit)
    .insertInto('withdrawal_destinations')
    .values({
      merchant_id: merchantId,
      chain,
      code,
      address,
      previous_address: previous,
      requested_by: by,
      effective_at: effectiveAt,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordEvent(context, unit, {
    merchantId,
    subject: { kind: 'withdrawal_destination', id },
    sequence: 1,
    type: 'crypto.withdrawal.destination_changed',
    at: now,
    status: 'changed',
    previousStatus: null,
    detail: null,
    data: {
      code,
      destination: address,
      previousDestination: previous,
      effectiveAt: formatInstant(effectiveAt),
      requestedBy: by,
      createdAt: formatInstant(now),
      previous_status: null,
      sequence: 1,
    },
  });
  const coin = cryptoCurrencies[code].name;
  await emailDestinationChanged(context, unit, { merchantId, coin, address, effectiveAt, now });
}
