import { recordEvent } from '../../callbacks/record-event.ts';
import type { CryptoCurrencyCode } from '../../contract/crypto-currency.ts';
import { cryptoCurrencyCodes, cryptoCurrencies } from '../../contract/crypto-currency.ts';
import { formatInstant, type Instant } from '../../contract/time.ts';
import type { PreferenceGuard } from '../../merchants/preferences/set.ts';
import type { Database, UnitOfWork } from '../../platform/database/database.ts';
import { lockRows } from '../../platform/database/database.ts';
import type { ConnectedChains } from '../connected-chains.ts';
import type { InvoicesContext } from '../context.ts';
import { findAddresses } from '../find-addresses.ts';

const PREFIX = 'auto-withdrawal-destination-';

/** Where a merchant's money goes by itself at a moment; null where nowhere. */
export async function readDestination(
  reader: Pick<Database, 'query'>,
  merchantId: number,
  code: CryptoCurrencyCode,
  now: Instant,
): Promise<string | null> {
  const row = await reader.query
    .selectFrom('withdrawal_destinations')
    .select('address')
    .where('chain', '=', cryptoCurrencies[code].chain)
    .where('merchant_id', '=', merchantId)
    .where('code', '=', code)
    .where('effective_at', '<=', now)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.address ?? null;
}

/** Where something may be sent, in its kept form; in words where it may not. */
export async function readAddress(
  { chains, database }: Pick<InvoicesContext, 'chains' | 'database'>,
  code: CryptoCurrencyCode,
  text: string,
): Promise<{ address: string } | { problem: string }> {
  const connected = chains.ofCurrency(code);
  if (!connected) return { problem: `is for ${code}, which is not set up here; possible: ${possible(chains)}` };
  const address = connected.chain.addresses.normalise(text);
  if (address === null)
    return { problem: `must be an address to which ${code} can be sent on the network set up here` };
  if ((await findAddresses(database, connected.name, [address])).size > 0)
    return { problem: 'is an address of this service, from which money is to be withdrawn' };
  return { address };
}

function possible({ currencies }: ConnectedChains): string {
  return currencies.join(', ') || 'none';
}

/**
 * Watches over where money goes by itself: an address must be one of its network, and another one holds only
 * after a while, so that whoever has got hold of a token cannot send it away before anybody has noticed.
 */
export function guardDestinations(context: InvoicesContext, delay: Instant): PreferenceGuard {
  const codeOf = (key: string): CryptoCurrencyCode | null =>
    key.startsWith(PREFIX) ? (cryptoCurrencyCodes.find((code) => key === `${PREFIX}${code}`) ?? null) : null;
  return {
    async read(key, value) {
      const code = codeOf(key);
      if (code === null || typeof value !== 'string') return { value };
      const read = await readAddress(context, code, value);
      return 'problem' in read ? read : { value: read.address };
    },
    async onStored(unit, { merchantId, key, value, by }) {
      const code = codeOf(key);
      if (code === null) return;
      await changeDestination(context, unit, {
        merchantId,
        code,
        address: value === null ? null : String(value),
        by,
        delay,
      });
    },
  };
}

async function changeDestination(
  context: InvoicesContext,
  unit: UnitOfWork,
  {
    merchantId,
    code,
    address,
    by,
    delay,
  }: { merchantId: number; code: CryptoCurrencyCode; address: string | null; by: string; delay: Instant },
): Promise<void> {
  const { chain } = cryptoCurrencies[code];
  // Two changes at once come one after the other.
  await lockRows(unit, unit.query.selectFrom('merchants').select('id').where('id', '=', merchantId)).execute();
  const now = context.clock.now();
  const last = await unit.query
    .selectFrom('withdrawal_destinations')
    .select('address')
    .where('chain', '=', chain)
    .where('merchant_id', '=', merchantId)
    .where('code', '=', code)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  // What is asked for already comes when it was said to.
  if ((last?.address ?? null) === address) return;
  const previous = await readDestination(unit, merchantId, code, now);
  // To stop, or to stay with what holds, takes no time.
  const effectiveAt = address === null || address === previous ? now : now + delay;
  const { id } = await unit.query
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
    subject: { kind: 'destination', id },
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
}
