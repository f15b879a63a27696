import { db } from './schema.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { ChainDeposit } from '../chains/port.ts';
import type { ChainName } from '../shared/crypto-currency.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import type { ConnectedChain } from './connected-chains.ts';
import type { WalletsContext } from './context.ts';
import { valuesTable } from './addresses.ts';
import { isIssuingSuspended, recordLostWrites, readAccount, reportLostWrites } from './accounts.ts';

/** Addresses derived per turn of the event loop: about 10 ms. */
const DERIVATION_BATCH = 10;
/** A simulated chain is stored in the same database, so no deposit can reach an address that the database lost. */
const LOOKAHEAD_ON_SIMULATED = 5;

/**
 * Derives skipped addresses and those above the next index, so that the scan detects deposits to them. Derives a batch
 * per call, or all of them while issuing is suspended. Returns the number of new ones.
 */
export async function deriveUnissuedAddresses(context: WalletsContext, connected: ConnectedChain): Promise<number> {
  const { database, addresses, simulatedChains } = context;
  const { chain, name, accountId, accountKey } = connected;
  const ahead = simulatedChains[name] ? LOOKAHEAD_ON_SIMULATED : addresses.gapLimit;
  const account = await readAccount(database, accountId);
  const end = account.nextIndex + ahead;
  let derived = 0;
  for (let from = account.watchedTo; from < end; from += DERIVATION_BATCH) {
    const to = Math.min(end, from + DERIVATION_BATCH);
    const rows = Array.from({ length: to - from }, (_, offset) => ({
      ...{ wallet_account_id: accountId, derivation_index: from + offset, chain: name },
      address: chain.addresses.derive(accountKey, from + offset),
    }));
    const isAdded = await database.inTransaction(
      async (unit) => await insertUnissuedAddresses(unit, accountId, from, to, rows),
    );
    if (isAdded) derived += to - from;
    if (!isAdded || !isIssuingSuspended(account)) break;
    await nextTurn();
  }
  return derived;
}

async function insertUnissuedAddresses(
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

interface UnissuedAddress {
  accountId: number;
  index: number;
}

/** Returns the index of each address that is derived but was not issued. */
export async function findUnissuedAddresses(
  reader: Runner,
  chain: ChainName,
  addresses: readonly string[],
): Promise<Map<string, UnissuedAddress>> {
  if (addresses.length === 0) return new Map();
  // SQLite keeps the order of a cross join: it looks up each value in the index.
  const { rows } = await sql<{ account: number; place: number; address: string }>`
    select unissued.wallet_account_id as account, unissued.derivation_index as place, unissued.address from ${valuesTable(reader, addresses)}
    cross join unissued_addresses as unissued
    where unissued.chain = ${chain} and unissued.address = given.value`.execute(db(reader));
  return new Map(rows.map(({ account, place, address }) => [address, { accountId: account, index: place }]));
}

/**
 * Records deposits to unissued addresses. A deposit above the next index means that the database lost the write that
 * issued the address: issuing is then suspended.
 */
export async function recordUnissuedDeposits(
  context: WalletsContext,
  unit: UnitOfWork,
  chain: ChainName,
  deposits: readonly { deposit: ChainDeposit; height: number | null }[],
): Promise<void> {
  const now = context.clock.now();
  const unissued = await findUnissuedAddresses(unit, chain, [
    ...new Set(deposits.map(({ deposit }) => deposit.address)),
  ]);
  for (const { deposit, height } of deposits) {
    const unissuedAddress = unissued.get(deposit.address);
    // Issued in the meantime: the next scan finds its wallet.
    if (!unissuedAddress) continue;
    const { accountId, index } = unissuedAddress;
    const existing = await db(unit)
      .selectFrom('unissued_deposits')
      .select(['id', 'height'])
      .where('chain', '=', chain)
      .where('payment_key', '=', deposit.paymentKey)
      .executeTakeFirst();
    if (existing) {
      if (height !== null)
        await db(unit).updateTable('unissued_deposits').set({ height }).where('id', '=', existing.id).execute();
      continue;
    }
    await db(unit)
      .insertInto('unissued_deposits')
      .values({
        ...{ wallet_account_id: accountId, derivation_index: index, chain, height, seen_at: now },
        ...{ code: deposit.code, address: deposit.address, payment_key: deposit.paymentKey },
        ...{ tx_hash: deposit.txHash, amount: deposit.amount.toString() },
      })
      .execute();
    const { numUpdatedRows } = await db(unit)
      .updateTable('wallet_accounts')
      .set({ next_index: index + 1 })
      .where('id', '=', accountId)
      .where('next_index', '<=', index)
      .executeTakeFirst();
    const isAboveNextIndex = numUpdatedRows === 1n;
    if (isAboveNextIndex) await recordLostWrites(unit, accountId, 'deposit', now);
    unit.afterCommit(() => {
      const { code, amount, address, txHash } = deposit;
      context.log.error(
        { chain, code, amount: String(amount), address, txHash, index },
        'deposit to an unissued address',
      );
      if (isAboveNextIndex) reportLostWrites(context, chain, 'deposit');
    });
  }
}

/** Finds deposits to unissued addresses that are not in a block yet. */
export async function findUnminedUnissuedDeposits(
  reader: Runner,
  chain: ChainName,
): Promise<{ payment_key: string }[]> {
  return await db(reader)
    .selectFrom('unissued_deposits')
    .select('payment_key')
    .where('chain', '=', chain)
    .where('height', 'is', null)
    .execute();
}

/** Returns those payment keys that belong to deposits to unissued addresses. */
export async function findUnissuedDepositKeys(
  reader: Runner,
  chain: ChainName,
  keys: readonly string[],
): Promise<Set<string>> {
  const rows = await db(reader)
    .selectFrom('unissued_deposits')
    .select('payment_key')
    .where('chain', '=', chain)
    .where('payment_key', 'in', keys)
    .execute();
  return new Set(rows.map(({ payment_key: key }) => key));
}
