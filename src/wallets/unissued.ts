import { db } from './schema.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { ChainPayment } from '../chains/port.ts';
import type { ChainName } from '../shared/crypto-currency.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import type { ConnectedChain } from './connected-chains.ts';
import type { WalletsContext } from './context.ts';
import { asGiven } from './addresses.ts';
import { isUnsettled, noteLoss, readAccount, reportLoss } from './accounts.ts';

/** Addresses derived in one turn of the event loop: about ten milliseconds. */
const DERIVED_AT_ONCE = 10;
/** A simulated chain is lost with its database: nobody pays there to what the database has forgotten. */
const AHEAD_ON_SIMULATED = 5;

/**
 * Derives the addresses beyond the next index, and those that were skipped, so that deposits to them are noticed: a few
 * at a time, or all of them where writes may have been lost. Returns how many were new.
 */
export async function deriveAhead(context: WalletsContext, connected: ConnectedChain): Promise<number> {
  const { database, addresses, simulatedChains } = context;
  const { chain, name, accountId, accountKey } = connected;
  const ahead = simulatedChains[name] ? AHEAD_ON_SIMULATED : addresses.gapLimit;
  const account = await readAccount(database, accountId);
  const end = account.nextIndex + ahead;
  let derived = 0;
  for (let from = account.watchedTo; from < end; from += DERIVED_AT_ONCE) {
    const to = Math.min(end, from + DERIVED_AT_ONCE);
    const rows = Array.from({ length: to - from }, (_, place) => ({
      ...{ wallet_account_id: accountId, derivation_index: from + place, chain: name },
      address: chain.addresses.derive(accountKey, from + place),
    }));
    const isAdded = await database.inTransaction(async (unit) => await addUnissued(unit, accountId, from, to, rows));
    if (isAdded) derived += to - from;
    if (!isAdded || !isUnsettled(account)) break;
    await nextTurn();
  }
  return derived;
}

async function addUnissued(
  unit: UnitOfWork,
  accountId: number,
  from: number,
  to: number,
  rows: readonly { wallet_account_id: number; derivation_index: number; chain: ChainName; address: string }[],
): Promise<boolean> {
  const { numUpdatedRows } = await db(unit)
    .updateTable('wallet_accounts')
    .set({ watched_to: to })
    .where('id', '=', accountId)
    .where('watched_to', '=', from)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  const issued = await db(unit)
    .selectFrom('wallets')
    .select('address')
    .where('wallet_account_id', '=', accountId)
    .where('derivation_index', '>=', from)
    .where('derivation_index', '<', to)
    .execute();
  const unissued = rows.filter(({ address }) => !issued.some((wallet) => wallet.address === address));
  if (unissued.length > 0)
    await db(unit)
      .insertInto('unissued_addresses')
      .values(unissued)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  return true;
}

interface Unissued {
  accountId: number;
  index: number;
}

/** Which of some addresses are ours without having been issued. */
export async function findUnissued(
  on: Runner,
  chain: ChainName,
  addresses: readonly string[],
): Promise<Map<string, Unissued>> {
  if (addresses.length === 0) return new Map();
  const { rows } = await sql<{ account: number; place: number; address: string }>`
    select unissued.wallet_account_id as account, unissued.derivation_index as place, unissued.address from ${asGiven(on, addresses)}
    cross join unissued_addresses as unissued
    where unissued.chain = ${chain} and unissued.address = given.value`.execute(db(on));
  return new Map(rows.map(({ account, place, address }) => [address, { accountId: account, index: place }]));
}

/**
 * Records deposits to addresses that were never issued. One beyond the next index was issued by writes that are lost:
 * no address is issued any more until it is settled which were.
 */
export async function recordUnissued(
  context: WalletsContext,
  unit: UnitOfWork,
  chain: ChainName,
  deposits: readonly { payment: ChainPayment; height: number | null }[],
): Promise<void> {
  const now = context.clock.now();
  const unissued = await findUnissued(unit, chain, [...new Set(deposits.map(({ payment }) => payment.address))]);
  for (const { payment, height } of deposits) {
    const found = unissued.get(payment.address);
    // Issued meanwhile: a wallet's, which the next reading finds.
    if (!found) continue;
    const { accountId, index } = found;
    const known = await db(unit)
      .selectFrom('unissued_deposits')
      .select(['id', 'height'])
      .where('chain', '=', chain)
      .where('payment_key', '=', payment.paymentKey)
      .executeTakeFirst();
    if (known) {
      if (height !== null)
        await db(unit).updateTable('unissued_deposits').set({ height }).where('id', '=', known.id).execute();
      continue;
    }
    await db(unit)
      .insertInto('unissued_deposits')
      .values({
        ...{ wallet_account_id: accountId, derivation_index: index, chain, height, seen_at: now },
        ...{ code: payment.code, address: payment.address, payment_key: payment.paymentKey },
        ...{ tx_hash: payment.txHash, amount: payment.amount.toString() },
      })
      .execute();
    const { numUpdatedRows } = await db(unit)
      .updateTable('wallet_accounts')
      .set({ next_index: index + 1 })
      .where('id', '=', accountId)
      .where('next_index', '<=', index)
      .executeTakeFirst();
    const isNew = numUpdatedRows === 1n;
    if (isNew) await noteLoss(unit, accountId, 'deposit', now);
    unit.afterCommit(() => {
      const { code, amount, address, txHash } = payment;
      context.log.error(
        { chain, code, amount: String(amount), address, txHash, index },
        'a deposit to an address that was not issued',
      );
      if (isNew) reportLoss(context, chain, 'deposit');
    });
  }
}

/** Deposits to addresses that were not issued, and are in no block yet. */
export async function findWaitingUnissued(on: Runner, chain: ChainName): Promise<{ payment_key: string }[]> {
  return await db(on)
    .selectFrom('unissued_deposits')
    .select('payment_key')
    .where('chain', '=', chain)
    .where('height', 'is', null)
    .execute();
}

/** Those of some payment keys that are deposits to addresses that were not issued. */
export async function findUnissuedKeys(on: Runner, chain: ChainName, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db(on)
    .selectFrom('unissued_deposits')
    .select('payment_key')
    .where('chain', '=', chain)
    .where('payment_key', 'in', keys)
    .execute();
  return new Set(rows.map(({ payment_key: key }) => key));
}
