import type { Runner } from '../database/engine.ts';
import { db } from './schema.ts';
import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { ChainName } from '../shared/crypto-currency.ts';
import { DAY, type Instant } from '../shared/time.ts';
import { type Database, lockRows, type UnitOfWork } from '../database/database.ts';
import { Problem } from '../api/problem-error.ts';
import { extendedKeyCoder } from '../chains/seed-accounts.ts';
import { selectHeight, requireScannable } from '../chains/cursor.ts';
import type { ConnectedChain } from './connected-chains.ts';
import type { WalletsContext } from './context.ts';
import type { AddressMarks } from './address-marks.ts';

/** Version bytes of extended public keys: xpub, zpub, tpub, vpub (SLIP 132). */
const PUBLIC_KEY_VERSIONS = ['0488b21e', '04b24746', '043587cf', '045f1cf6'];
/** An invoice is open for at most one day, and the cooldown of its wallet is one day by default. */
const COOLDOWN_AFTER_LOST_WRITES: Instant = 2 * DAY;

/** Evidence that the database has lost its last writes. */
type LostWritesReason =
  /** A backup was restored. */
  | 'restored'
  /** The address mark (`ADDRESS_MARKS`) is ahead of the database. */
  | 'mark'
  /** The address mark is missing: the database was moved without it. */
  | 'mark_missing'
  /** The PostgreSQL timeline or cluster changed: a standby was promoted, or a backup was restored. */
  | 'timeline'
  /** A deposit to an address that the database has not issued. */
  | 'deposit'
  /** Reported by the operator. */
  | 'operator';

/** An extended public key, its next address index, and any suspected loss of writes. */
export interface WalletAccount {
  id: number;
  name: string;
  chain: ChainName;
  nextIndex: number;
  watchedTo: number;
  /** The last suspected loss of writes: since when, and the last scanned block at that time. */
  lostWrites: { since: Instant; reason: LostWritesReason; height: number | null; resumedAt: Instant | null } | null;
  timeline: string | null;
  hasAddressMark: boolean;
}

/** Settings for issuing addresses. */
export interface AddressIssuing {
  marks: AddressMarks | null;
  /** Gap limit that wallet software scans: the number of consecutive unused addresses. */
  gapLimit: number;
  /** SQL for the PostgreSQL timeline; null on SQLite, or without the privilege to read it. */
  timeline: RawBuilder<string> | null;
}

type AccountsContext = Pick<WalletsContext, 'database' | 'clock' | 'log' | 'metrics' | 'addresses'>;

/**
 * Finds or creates the row of an account and returns its ID. Its name is a digest of public key and chain code, so all
 * notations of a key share one row. Rows that earlier releases named by notation are merged into it.
 */
export async function openAccount(database: Database, chain: ChainName, accountKey: string): Promise<number> {
  const { name, formerNames } = await accountNames(chain, accountKey);
  return await database.inTransaction(async (unit) => {
    const existingRows = await lockRows(
      unit,
      db(unit)
        .selectFrom('wallet_accounts')
        .select(['id', 'name', 'next_index'])
        .where('name', 'in', [name, ...formerNames])
        .orderBy('id'),
    ).execute();
    const [primary, ...others] = existingRows;
    if (!primary) return await insertAccount(unit, chain, name);
    if (others.length === 0 && primary.name === name) return primary.id;
    for (const { id } of others) {
      const newAccount = { wallet_account_id: primary.id };
      await db(unit).updateTable('wallets').set(newAccount).where('wallet_account_id', '=', id).execute();
      await db(unit).updateTable('unissued_deposits').set(newAccount).where('wallet_account_id', '=', id).execute();
      await db(unit).deleteFrom('unissued_addresses').where('wallet_account_id', '=', id).execute();
      await db(unit).deleteFrom('wallet_accounts').where('id', '=', id).execute();
    }
    const next = Math.max(...existingRows.map((row) => row.next_index));
    await db(unit)
      .updateTable('wallet_accounts')
      .set({ name, next_index: next, ...(others.length > 0 && { watched_to: next }) })
      .where('id', '=', primary.id)
      .execute();
    return primary.id;
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

async function accountNames(chain: ChainName, accountKey: string): Promise<{ name: string; formerNames: string[] }> {
  const coder = await extendedKeyCoder();
  const digest = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');
  const key = Buffer.from(coder.decode(accountKey));
  return {
    // BIP 32: version (4 bytes), depth, parent and child number (9 bytes), then chain code and public key.
    name: `${chain} ${digest(key.subarray(13)).slice(0, 32)}`,
    formerNames: PUBLIC_KEY_VERSIONS.map((version) => {
      const notation = coder.encode(Buffer.concat([Buffer.from(version, 'hex'), key.subarray(4)]));
      return `${chain} ${digest(notation).slice(0, 16)}`;
    }),
  };
}

export async function readAccount(reader: Runner, id: number): Promise<WalletAccount> {
  const row = await db(reader).selectFrom('wallet_accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return {
    id: row.id,
    name: row.name,
    chain: row.chain as ChainName,
    nextIndex: row.next_index,
    watchedTo: row.watched_to,
    lostWrites:
      row.lost_writes_since === null
        ? null
        : {
            since: row.lost_writes_since,
            reason: row.lost_writes_reason as LostWritesReason,
            height: row.lost_writes_height,
            resumedAt: row.settled_at,
          },
    timeline: row.database_timeline,
    hasAddressMark: row.has_mark === 1,
  };
}

/** True while the database may lack addresses that were issued. */
export function isIssuingSuspended({ lostWrites }: Pick<WalletAccount, 'lostWrites'>): boolean {
  return lostWrites !== null && lostWrites.resumedAt === null;
}

/** Returned to callers while issuing is suspended. */
function issuingSuspended(chain: ChainName): Problem {
  return new Problem(
    'chain_unavailable',
    `Issuing ${chain} addresses is suspended: the database may have lost its last writes, so a new address could belong to another payer. The operator can resume it with: paylatch addresses resume`,
    { headers: { 'Retry-After': '60' } },
  );
}

/** Throws a `Problem` while issuing is suspended. */
async function requireNotSuspended(database: Runner, accountId: number): Promise<void> {
  const account = await readAccount(database, accountId);
  if (isIssuingSuspended(account)) throw issuingSuspended(account.chain);
}

/**
 * Returns the height of the last scanned block. Throws a `Problem` if a deposit to a new address could be missed or
 * misattributed: the chain cannot be scanned, or issuing is suspended.
 */
export async function requireAddressIssuing(
  reader: Runner,
  { name, accountId }: Pick<ConnectedChain, 'name' | 'accountId'>,
): Promise<number> {
  const height = await requireScannable(reader, name);
  await requireNotSuspended(reader, accountId);
  return height;
}

/** Locks the account of a chain. Lock its wallets first. */
export async function lockAccount(unit: UnitOfWork, { accountId }: Pick<ConnectedChain, 'accountId'>): Promise<void> {
  await lockRows(unit, db(unit).selectFrom('wallet_accounts').select('id').where('id', '=', accountId)).execute();
}

/** Compares an account with its address mark. Runs at startup. */
export async function compareWithAddressMark(context: AccountsContext, accountId: number): Promise<void> {
  const { database, addresses } = context;
  const { marks } = addresses;
  let account = await readAccount(database, accountId);
  const mark = (await marks?.readHighest(account.name)) ?? null;
  const timeline = await readTimeline(context);
  if (timeline !== null && account.timeline === null) {
    const values = { database_timeline: timeline };
    await db(database).updateTable('wallet_accounts').set(values).where('id', '=', accountId).execute();
  } else if (timeline !== null && account.timeline !== timeline) {
    await suspendIssuing(context, account, 'timeline');
  }
  // A SQLite database belongs to one process: if its mark is missing, the database was moved to another machine.
  if (marks && mark === null && account.hasAddressMark && database.engine === 'sqlite')
    await suspendIssuing(context, account, 'mark_missing');
  if (mark !== null && mark >= account.nextIndex) await resumeAfterMark(context, account, mark);
  account = await readAccount(database, accountId);
  if (isIssuingSuspended(account)) {
    await resumeFromMark(context, account);
    return;
  }
  if (marks && account.nextIndex > 0 && (mark === null || mark < account.nextIndex - 1))
    await marks.record(account.name, account.nextIndex - 1);
}

/** Reserves the next index below the account. Throws a `Problem` if it may have been issued before. */
export async function reserveIndex(context: AccountsContext, accountId: number, accountName: string): Promise<number> {
  const { database, addresses } = context;
  const { marks, timeline } = addresses;
  for (;;) {
    // Recorded marks belong to committed indexes: the index reserved next is above them, unless writes were lost.
    const before = (await marks?.readHighest(accountName)) ?? null;
    const reserved = await database.writeOne(
      async (unit) =>
        await db(unit)
          .updateTable('wallet_accounts')
          // Set only if a mark was read: a process may die between this commit and its first mark.
          .set((eb) => ({ next_index: eb('next_index', '+', 1), ...(before !== null && { has_mark: 1 }) }))
          .where('id', '=', accountId)
          .where((eb) => eb.or([eb('lost_writes_since', 'is', null), eb('settled_at', 'is not', null)]))
          .$if(timeline !== null, (query) => query.where('database_timeline', '=', timeline ?? sql<string>``))
          .returning('next_index')
          .executeTakeFirst(),
    );
    const account = await readAccount(database, accountId);
    if (!reserved) {
      if (!isIssuingSuspended(account)) await suspendIssuing(context, account, 'timeline');
      if (await resumeFromMark(context, await readAccount(database, accountId))) continue;
      throw issuingSuspended(account.chain);
    }
    const index = reserved.next_index - 1;
    if (before === null || index > before) {
      await marks?.record(accountName, index);
      return index;
    }
    await resumeAfterMark(context, account, before);
  }
}

/** Records lost writes, and suspends issuing. */
async function suspendIssuing(
  context: AccountsContext,
  account: WalletAccount,
  reason: LostWritesReason,
): Promise<void> {
  await context.database.inTransaction(
    async (unit) => await recordLostWrites(unit, account.id, reason, context.clock.now()),
  );
  reportLostWrites(context, account.chain, reason);
}

export function reportLostWrites(
  { log, metrics }: Pick<AccountsContext, 'log' | 'metrics'>,
  chain: ChainName,
  reason: LostWritesReason,
) {
  log.error({ chain, reason }, 'the database has lost writes: issuing addresses is suspended');
  metrics.lostWrites.inc({ chain, reason });
}

/** Records lost writes in a unit of work. An earlier loss that still suspends issuing is kept. */
export async function recordLostWrites(
  unit: UnitOfWork,
  accountId: number,
  reason: LostWritesReason,
  now: Instant,
): Promise<void> {
  await db(unit)
    .updateTable('wallet_accounts')
    .set((eb) => ({
      lost_writes_since: now,
      lost_writes_reason: reason,
      lost_writes_height: selectHeight(unit, eb.ref('wallet_accounts.chain')),
      settled_at: null,
    }))
    .where('id', '=', accountId)
    .where((eb) => eb.or([eb('lost_writes_since', 'is', null), eb('settled_at', 'is not', null)]))
    .execute();
}

/**
 * Raises the next index above a mark that is ahead of the database: the database has lost writes. Resumes issuing,
 * unless a suspension remains.
 */
async function resumeAfterMark(context: AccountsContext, account: WalletAccount, mark: number): Promise<void> {
  const { clock } = context;
  const staysSuspended = isIssuingSuspended(account) && !isMarkConclusive(account);
  const nextIndex = await context.database.inTransaction(async (unit) => {
    if (staysSuspended) return await raiseNextIndex(unit, account.id, mark + 1);
    await lockFreeWallets(unit, account.id);
    await recordLostWrites(unit, account.id, 'mark', clock.now());
    return await resumeInUnit(unit, context, account.id, mark + 1);
  });
  if (staysSuspended) return;
  reportLostWrites(context, account.chain, 'mark');
  context.log.warn({ chain: account.chain, nextIndex }, 'issuing addresses resumes above the mark');
}

/**
 * True if the mark is known to hold the last issued index. After a restore it may be as old as the backup, since the
 * folder of marks may have been restored too. Only the operator can end a suspension that the operator requested.
 */
function isMarkConclusive({ lostWrites }: WalletAccount): boolean {
  return lostWrites?.reason !== 'restored' && lostWrites?.reason !== 'operator';
}

/** Resumes issuing if the address mark holds the last issued index; returns true if it did. */
async function resumeFromMark(context: AccountsContext, account: WalletAccount): Promise<boolean> {
  const mark = (await context.addresses.marks?.readHighest(account.name)) ?? null;
  if (mark === null || !isMarkConclusive(account)) return false;
  // A mark below an issued address does not cover the last writes. An address with a deposit was issued, even if the
  // database has lost it. Any other index above the mark was reserved by a request that was interrupted.
  for (const table of ['wallets', 'unissued_deposits'] as const) {
    const issuedAbove = await db(context.database)
      .selectFrom(table)
      .select('id')
      .where('wallet_account_id', '=', account.id)
      .where('derivation_index', '>', mark)
      .limit(1)
      .executeTakeFirst();
    if (issuedAbove) return false;
  }
  const nextIndex = await resumeIssuing(context, account.id, mark + 1);
  context.log.warn({ chain: account.chain, nextIndex }, 'issuing addresses resumes above the mark');
  return true;
}

/**
 * Resumes issuing addresses from `from`, which must be above every index that may have been issued. Returns the next
 * index. Free wallets may have been assigned to invoices that were lost: their cooldown ends after the last of these
 * has expired.
 */
export async function resumeIssuing(
  context: Pick<AccountsContext, 'database' | 'clock' | 'addresses'>,
  accountId: number,
  from: number,
): Promise<number> {
  return await context.database.inTransaction(async (unit) => await resumeInUnit(unit, context, accountId, from));
}

/** Locks free wallets in order of their IDs. Call this before locking their account. */
async function lockFreeWallets(unit: UnitOfWork, accountId: number): Promise<void> {
  const free = db(unit)
    .selectFrom('wallets')
    .select('id')
    .where('wallet_account_id', '=', accountId)
    .where('state', '=', sql.lit('resting'))
    .orderBy('id');
  await lockRows(unit, free).execute();
}

async function resumeInUnit(
  unit: UnitOfWork,
  { clock, addresses: { timeline } }: Pick<AccountsContext, 'clock' | 'addresses'>,
  accountId: number,
  from: number,
): Promise<number> {
  const now = clock.now();
  const cooldownUntil = now + COOLDOWN_AFTER_LOST_WRITES;
  await lockFreeWallets(unit, accountId);
  await db(unit)
    .updateTable('wallets')
    .set({ rests_until: cooldownUntil })
    .where('wallet_account_id', '=', accountId)
    .where('state', '=', sql.lit('resting'))
    .where('rests_until', '<', cooldownUntil)
    .execute();
  await db(unit)
    .updateTable('wallet_accounts')
    .set({ settled_at: now, ...(timeline && { database_timeline: timeline }) })
    .where('id', '=', accountId)
    .execute();
  return await raiseNextIndex(unit, accountId, from);
}

/** Raises the next index to `minimum` if it is lower; returns it. */
async function raiseNextIndex(unit: UnitOfWork, accountId: number, minimum: number): Promise<number> {
  const { next_index: next } = await db(unit)
    .updateTable('wallet_accounts')
    .set((eb) => ({
      next_index: eb.case().when('next_index', '<', minimum).then(minimum).else(eb.ref('next_index')).end(),
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

/** Finds SQL that reads the PostgreSQL cluster and timeline with the available privileges; null if none works. */
export async function findTimelineQuery(database: Database): Promise<RawBuilder<string> | null> {
  if (database.engine !== 'postgres') return null;
  const timeline = sql.raw('substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)');
  const cluster = sql.raw('(select system_identifier::text from pg_control_system())');
  for (const candidate of [sql<string>`(${cluster} || ' ' || ${timeline})`, sql<string>`${timeline}`]) {
    try {
      await sql`select ${candidate}`.execute(db(database));
      return candidate;
    } catch {
      // Missing privilege, or not supported by this server.
    }
  }
  return null;
}

/** Suspends issuing on all accounts after a restore, since addresses issued after the backup are unknown. */
export async function suspendIssuingAfterRestore(unit: UnitOfWork, since: Instant): Promise<string[]> {
  const rows = await db(unit)
    .updateTable('wallet_accounts')
    .set((eb) => ({
      lost_writes_since: since,
      lost_writes_reason: 'restored',
      lost_writes_height: selectHeight(unit, eb.ref('wallet_accounts.chain')),
      settled_at: null,
    }))
    .returning('chain')
    .execute();
  return [...new Set(rows.map(({ chain }) => chain))];
}

/** Accepts the cluster of the next start: the database was moved there without losing writes. */
export async function forgetTimelines(unit: UnitOfWork): Promise<void> {
  await db(unit).updateTable('wallet_accounts').set({ database_timeline: null }).execute();
}

/** Lists the first 100 deposits to unissued addresses. */
export async function listUnissuedDeposits(reader: Runner, accountId: number) {
  return await db(reader)
    .selectFrom('unissued_deposits')
    .select(['derivation_index as index', 'address', 'code', 'amount', 'tx_hash'])
    .where('wallet_account_id', '=', accountId)
    .orderBy('id')
    .limit(100)
    .execute();
}
