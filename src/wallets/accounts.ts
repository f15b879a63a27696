import type { Runner } from '../database/engine.ts';
import { db } from './schema.ts';
import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { ChainName } from '../shared/crypto-currency.ts';
import { DAY, type Instant } from '../shared/time.ts';
import { type Database, lockRows, type UnitOfWork } from '../database/database.ts';
import { Problem } from '../api/problem-error.ts';
import { heightOf, requireReadable } from '../chains/cursor.ts';
import type { ConnectedChain } from './connected-chains.ts';
import type { WalletsContext } from './context.ts';
import type { AddressMarks } from './address-marks.ts';

/** Version bytes of the notations in which wallets write extended public keys: xpub, zpub, tpub, vpub (SLIP 132). */
const NOTATIONS = ['0488b21e', '04b24746', '043587cf', '045f1cf6'];
/** Invoices live a day at most, and their wallets rest another one by default. */
const REST_AFTER_LOSS: Instant = 2 * DAY;

/** Signs that the database has lost its last writes. */
type LossReason =
  /** A backup was restored. */
  | 'restored'
  /** The mark outside the database is ahead of it. */
  | 'mark'
  /** There was a mark outside the database, and it is gone: the database was moved without it. */
  | 'mark_missing'
  /** PostgreSQL writes another timeline, or is another cluster: a standby took over, or a backup was restored. */
  | 'timeline'
  /** A deposit to an address that the database has not issued. */
  | 'deposit'
  /** The operator said so. */
  | 'operator';

/** Which addresses of an account were issued, and whether the database may have forgotten some. */
export interface WalletAccount {
  id: number;
  name: string;
  chain: ChainName;
  nextIndex: number;
  watchedTo: number;
  /** The last suspected loss of writes: from `since` on, after the block `height`. */
  loss: { since: Instant; reason: LossReason; height: number | null; settledAt: Instant | null } | null;
  timeline: string | null;
  hasMark: boolean;
}

/** What issuing addresses needs besides the database. */
export interface AddressIssuing {
  marks: AddressMarks | null;
  /** Unused addresses in a row that wallet software is told to look through. */
  gapLimit: number;
  /** Reads the timeline of PostgreSQL; null on SQLite and where it cannot be read. */
  timeline: RawBuilder<string> | null;
}

type AccountsContext = Pick<WalletsContext, 'database' | 'clock' | 'log' | 'metrics' | 'addresses'>;

/**
 * The row of an account, made when it is first used. It is known by a digest of its public key and chain code, whatever
 * notation they are written in; rows named by the digest of a notation, as former releases did, become that one row.
 */
export async function openAccount(database: Database, chain: ChainName, accountKey: string): Promise<number> {
  const { name, formerNames } = await namesOf(chain, accountKey);
  return await database.inTransaction(async (unit) => {
    const found = await lockRows(
      unit,
      db(unit)
        .selectFrom('wallet_accounts')
        .select(['id', 'name', 'next_index'])
        .where('name', 'in', [name, ...formerNames])
        .orderBy('id'),
    ).execute();
    const [kept, ...others] = found;
    if (!kept) return await insertAccount(unit, chain, name);
    if (others.length === 0 && kept.name === name) return kept.id;
    for (const { id } of others) {
      const moved = { wallet_account_id: kept.id };
      await db(unit).updateTable('wallets').set(moved).where('wallet_account_id', '=', id).execute();
      await db(unit).updateTable('unissued_deposits').set(moved).where('wallet_account_id', '=', id).execute();
      await db(unit).deleteFrom('unissued_addresses').where('wallet_account_id', '=', id).execute();
      await db(unit).deleteFrom('wallet_accounts').where('id', '=', id).execute();
    }
    const next = Math.max(...found.map((row) => row.next_index));
    await db(unit)
      .updateTable('wallet_accounts')
      .set({ name, next_index: next, ...(others.length > 0 && { watched_to: next }) })
      .where('id', '=', kept.id)
      .execute();
    return kept.id;
  });
}

async function insertAccount(unit: UnitOfWork, chain: ChainName, name: string): Promise<number> {
  await db(unit)
    .insertInto('wallet_accounts')
    .values({
      ...{ name, chain, next_index: 0, database_timeline: null, settled_at: null },
      ...{ lost_writes_since: null, lost_writes_reason: null, lost_writes_height: null },
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { id } = await db(unit)
    .selectFrom('wallet_accounts')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return id;
}

async function namesOf(chain: ChainName, accountKey: string): Promise<{ name: string; formerNames: string[] }> {
  const { base58check } = await import('@scure/base');
  const coder = base58check((data) => new Uint8Array(createHash('sha256').update(data).digest()));
  const digest = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');
  const key = Buffer.from(coder.decode(accountKey));
  return {
    // BIP 32: version (4 bytes), depth, parent and child number (9 bytes), then chain code and public key.
    name: `${chain} ${digest(key.subarray(13)).slice(0, 32)}`,
    formerNames: NOTATIONS.map((version) => {
      const notation = coder.encode(Buffer.concat([Buffer.from(version, 'hex'), key.subarray(4)]));
      return `${chain} ${digest(notation).slice(0, 16)}`;
    }),
  };
}

export async function readAccount(on: Runner, id: number): Promise<WalletAccount> {
  const row = await db(on).selectFrom('wallet_accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return {
    id: row.id,
    name: row.name,
    chain: row.chain as ChainName,
    nextIndex: row.next_index,
    watchedTo: row.watched_to,
    loss:
      row.lost_writes_since === null
        ? null
        : {
            since: row.lost_writes_since,
            reason: row.lost_writes_reason as LossReason,
            height: row.lost_writes_height,
            settledAt: row.settled_at,
          },
    timeline: row.database_timeline,
    hasMark: row.has_mark === 1,
  };
}

/** Whether addresses may have been issued that the database does not know of. */
export function isUnsettled({ loss }: Pick<WalletAccount, 'loss'>): boolean {
  return loss !== null && loss.settledAt === null;
}

/** The answer while it is not settled which addresses were issued. */
function addressesUnsettled(chain: ChainName): Problem {
  return new Problem(
    'chain_unavailable',
    `No address of ${chain} is issued: the database may have lost its last writes, and with them which addresses belong to other payers. The operator settles it with: paylatch addresses settle`,
    { headers: { 'Retry-After': '60' } },
  );
}

/** Throws where it is not settled which addresses were issued. */
async function requireSettled(database: Runner, accountId: number): Promise<void> {
  const account = await readAccount(database, accountId);
  if (isUnsettled(account)) throw addressesUnsettled(account.chain);
}

/**
 * The height of the last block that was read, for whoever issues an address. Throws a `Problem` where what is paid to
 * it could be missed: the chain cannot be read, or addresses may be others' already.
 */
export async function requireIssuable(
  on: Runner,
  { name, accountId }: Pick<ConnectedChain, 'name' | 'accountId'>,
): Promise<number> {
  const height = await requireReadable(on, name);
  await requireSettled(on, accountId);
  return height;
}

/** Locks the account of a chain, after the wallets. */
export async function lockAccount(unit: UnitOfWork, { accountId }: Pick<ConnectedChain, 'accountId'>): Promise<void> {
  await lockRows(unit, db(unit).selectFrom('wallet_accounts').select('id').where('id', '=', accountId)).execute();
}

/** Compares an account with its marks outside the database, at the start. */
export async function checkAccount(context: AccountsContext, accountId: number): Promise<void> {
  const { database, addresses } = context;
  const { marks } = addresses;
  let account = await readAccount(database, accountId);
  const mark = (await marks?.highest(account.name)) ?? null;
  const timeline = await readTimeline(context);
  if (timeline !== null && account.timeline === null) {
    const changed = { database_timeline: timeline };
    await db(database).updateTable('wallet_accounts').set(changed).where('id', '=', accountId).execute();
  } else if (timeline !== null && account.timeline !== timeline) {
    await suspectLoss(context, account, 'timeline');
  }
  // One process has the files of SQLite: a mark that it has lost was another machine's.
  if (marks && mark === null && account.hasMark && database.engine === 'sqlite')
    await suspectLoss(context, account, 'mark_missing');
  if (mark !== null && mark >= account.nextIndex) await skipBeyond(context, account, mark);
  account = await readAccount(database, accountId);
  if (isUnsettled(account)) {
    await settleByMark(context, account);
    return;
  }
  if (marks && account.nextIndex > 0 && (mark === null || mark < account.nextIndex - 1))
    await marks.record(account.name, account.nextIndex - 1);
}

/** The next index below the account, which nobody else ever gets. Throws a `Problem` where that is not certain. */
export async function takeIndex(context: AccountsContext, accountId: number, accountName: string): Promise<number> {
  const { database, addresses } = context;
  const { marks, timeline } = addresses;
  for (;;) {
    // Recorded before this begins, so committed before it: what is taken now is above it, unless writes were lost.
    const before = (await marks?.highest(accountName)) ?? null;
    const taken = await database.writeOne(
      async (unit) =>
        await db(unit)
          .updateTable('wallet_accounts')
          .set((row) => ({ next_index: row('next_index', '+', 1), ...(marks && { has_mark: 1 }) }))
          .where('id', '=', accountId)
          .where((row) => row.or([row('lost_writes_since', 'is', null), row('settled_at', 'is not', null)]))
          .$if(timeline !== null, (query) => query.where('database_timeline', '=', timeline ?? sql<string>``))
          .returning('next_index')
          .executeTakeFirst(),
    );
    const account = await readAccount(database, accountId);
    if (!taken) {
      if (!isUnsettled(account)) await suspectLoss(context, account, 'timeline');
      if (await settleByMark(context, await readAccount(database, accountId))) continue;
      throw addressesUnsettled(account.chain);
    }
    const index = taken.next_index - 1;
    if (before === null || index > before) {
      await marks?.record(accountName, index);
      return index;
    }
    await skipBeyond(context, account, before);
  }
}

/** Notes that writes were lost: no address is issued until it is settled. */
async function suspectLoss(context: AccountsContext, account: WalletAccount, reason: LossReason): Promise<void> {
  await context.database.inTransaction(async (unit) => await noteLoss(unit, account.id, reason, context.clock.now()));
  reportLoss(context, account.chain, reason);
}

export function reportLoss(
  { log, metrics }: Pick<AccountsContext, 'log' | 'metrics'>,
  chain: ChainName,
  reason: LossReason,
) {
  log.error(
    { chain, reason },
    'the database has lost writes: no address is issued until it is settled which were used',
  );
  metrics.lostWrites.inc({ chain, reason });
}

/** The same within a unit. One that is not settled stays as it was noted first. */
export async function noteLoss(unit: UnitOfWork, accountId: number, reason: LossReason, now: Instant): Promise<void> {
  await db(unit)
    .updateTable('wallet_accounts')
    .set((row) => ({
      lost_writes_since: now,
      lost_writes_reason: reason,
      lost_writes_height: heightOf(unit, row.ref('wallet_accounts.chain')),
      settled_at: null,
    }))
    .where('id', '=', accountId)
    .where((row) => row.or([row('lost_writes_since', 'is', null), row('settled_at', 'is not', null)]))
    .execute();
}

/** Issues from beyond a mark on that is ahead of the database: its last writes are lost. */
async function skipBeyond(context: AccountsContext, account: WalletAccount, mark: number): Promise<void> {
  const { clock } = context;
  const isKept = isUnsettled(account) && !isSettledByMark(account);
  const nextIndex = await context.database.inTransaction(async (unit) => {
    if (isKept) return await raiseIndex(unit, account.id, mark + 1);
    await lockResting(unit, account.id);
    await noteLoss(unit, account.id, 'mark', clock.now());
    return await settleWithin(unit, context, account.id, mark + 1);
  });
  if (isKept) return;
  reportLoss(context, account.chain, 'mark');
  context.log.warn({ chain: account.chain, nextIndex }, 'addresses are issued from beyond the mark on');
}

/**
 * Whether a mark says for certain which index was issued last. After a restore it may be as old as the backup: the
 * folder of marks was restored with it. And what the operator holds, the operator releases.
 */
function isSettledByMark({ loss }: WalletAccount): boolean {
  return loss?.reason !== 'restored' && loss?.reason !== 'operator';
}

/** Settles an account whose mark outside the database says which index was issued last. */
async function settleByMark(context: AccountsContext, account: WalletAccount): Promise<boolean> {
  const mark = (await context.addresses.marks?.highest(account.name)) ?? null;
  // A mark that is behind what the database itself knows is not of the last writes.
  if (mark === null || mark < account.nextIndex - 1 || !isSettledByMark(account)) return false;
  const nextIndex = await settleAccount(context, account.id, mark + 1);
  context.log.warn({ chain: account.chain, nextIndex }, 'addresses are issued from beyond the mark on');
  return true;
}

/**
 * Issues addresses again, from an index on that is beyond all that may have been issued; answers it. Wallets that rest
 * may have been given to invoices that are forgotten: they rest until the last of these has ended.
 */
export async function settleAccount(
  context: Pick<AccountsContext, 'database' | 'clock' | 'addresses'>,
  accountId: number,
  from: number,
): Promise<number> {
  return await context.database.inTransaction(async (unit) => await settleWithin(unit, context, accountId, from));
}

/** Wallets are locked in their order, and before their account. */
async function lockResting(unit: UnitOfWork, accountId: number): Promise<void> {
  const resting = db(unit)
    .selectFrom('wallets')
    .select('id')
    .where('wallet_account_id', '=', accountId)
    .where('state', '=', sql.lit('resting'))
    .orderBy('id');
  await lockRows(unit, resting).execute();
}

async function settleWithin(
  unit: UnitOfWork,
  { clock, addresses: { timeline } }: Pick<AccountsContext, 'clock' | 'addresses'>,
  accountId: number,
  from: number,
): Promise<number> {
  const now = clock.now();
  const restsUntil = now + REST_AFTER_LOSS;
  await lockResting(unit, accountId);
  await db(unit)
    .updateTable('wallets')
    .set({ rests_until: restsUntil })
    .where('wallet_account_id', '=', accountId)
    .where('state', '=', sql.lit('resting'))
    .where('rests_until', '<', restsUntil)
    .execute();
  await db(unit)
    .updateTable('wallet_accounts')
    .set({ settled_at: now, ...(timeline && { database_timeline: timeline }) })
    .where('id', '=', accountId)
    .execute();
  return await raiseIndex(unit, accountId, from);
}

/** Returns the next index, which is no lower than given from then on. */
async function raiseIndex(unit: UnitOfWork, accountId: number, least: number): Promise<number> {
  const { next_index: next } = await db(unit)
    .updateTable('wallet_accounts')
    .set((row) => ({
      next_index: row.case().when('next_index', '<', least).then(least).else(row.ref('next_index')).end(),
    }))
    .where('id', '=', accountId)
    .returning('next_index')
    .executeTakeFirstOrThrow();
  return next;
}

async function readTimeline({ database, addresses }: Pick<AccountsContext, 'database' | 'addresses'>) {
  if (!addresses.timeline) return null;
  const { rows } = await sql<{ timeline: string }>`select ${addresses.timeline} as timeline`.execute(db(database));
  return rows[0]?.timeline ?? null;
}

/** How the cluster and the timeline of PostgreSQL are read with the rights that there are; null where they are not. */
export async function findTimeline(database: Database): Promise<RawBuilder<string> | null> {
  if (database.engine !== 'postgres') return null;
  const timeline = sql.raw('substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)');
  const cluster = sql.raw('(select system_identifier::text from pg_control_system())');
  for (const each of [sql<string>`(${cluster} || ' ' || ${timeline})`, sql<string>`${timeline}`]) {
    try {
      await sql`select ${each}`.execute(db(database));
      return each;
    } catch {
      // Not with these rights, or not on this server.
    }
  }
  return null;
}

/** After a restore, addresses issued since the backup are unknown: none is issued until the operator has settled which they were. */
export async function suspectLostWrites(unit: UnitOfWork, since: Instant): Promise<string[]> {
  const rows = await db(unit)
    .updateTable('wallet_accounts')
    .set((row) => ({
      lost_writes_since: since,
      lost_writes_reason: 'restored',
      lost_writes_height: heightOf(unit, row.ref('wallet_accounts.chain')),
      settled_at: null,
    }))
    .returning('chain')
    .execute();
  return [...new Set(rows.map(({ chain }) => chain))];
}

/** Deposits to addresses that were never issued, the first 100. */
export async function depositsToUnissued(on: Runner, accountId: number) {
  return await db(on)
    .selectFrom('unissued_deposits')
    .select(['derivation_index as index', 'address', 'code', 'amount', 'tx_hash'])
    .where('wallet_account_id', '=', accountId)
    .orderBy('id')
    .limit(100)
    .execute();
}
