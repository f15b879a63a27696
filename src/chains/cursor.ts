import type { Runner } from '../database/engine.ts';
import { type Expression, sql } from 'kysely';
import { Problem } from '../api/problem-error.ts';
import type { ChainName } from '../shared/crypto-currency.ts';
import { type Instant, MINUTE, SECOND } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import { type Database, lockRows, type UnitOfWork } from '../database/database.ts';
import { wakeJob } from '../jobs/runner.ts';
import type { BlockRef, ChainErrorKind } from './port.ts';
import { db } from './schema.ts';

/** Time without renewal after which another process may scan the chain. */
const LEASE: Instant = 15 * SECOND;
/** A lease with more time left than this was written by a process whose clock was wrong, and counts as expired. */
const MAX_REMAINING: Instant = MINUTE;
/** A lease is renewed once less than this is left. */
const RENEW_WITHIN: Instant = 10 * SECOND;
/** Interval at which a process renews the leases of all its chains. */
export const RENEW_INTERVAL_MS = 5000;

/** Reason why a chain cannot be scanned. */
export interface ScanError {
  kind: ChainErrorKind | 'reorg_too_deep';
  message: string;
}

/** Position up to which a chain has been scanned. */
export interface Cursor {
  chain: ChainName;
  /** Last block scanned; null until the first connection to the chain. */
  lastBlock: BlockRef | null;
  error: ScanError | null;
  errorSince: Instant | null;
  /** Time when the chain was last scanned to its tip, mempool included. Written with the lease, so it may lag. */
  caughtUpAt: Instant | null;
  /** Height to scan again from, set by the operator to leave `reorg_too_deep`. */
  rescanHeight: number | null;
  /** Time when the chain was last scanned or failed. */
  updatedAt: Instant;
}

/** Another process has moved the cursor, so the changes of this one are outdated. */
export class StaleCursorError extends Error {}

interface LeaseContext {
  database: Database;
  clock: Clock;
  /** Identifies this process. */
  holder: string;
}

/** Name of the job that scans a chain. */
export function scanJobName(chain: ChainName): string {
  return `watch_${chain}`;
}

/** Name of the job that sends withdrawals on a chain. */
export function withdrawalJobName(chain: ChainName): string {
  return `withdrawals_${chain}`;
}

/** Topic announced when the last scanned block changes. */
export function lastBlockTopic(chain: ChainName): string {
  return `last block ${chain}`;
}

/** Inserts the row of a chain if there is none. */
export async function createCursor({ database, clock }: Pick<LeaseContext, 'database' | 'clock'>, chain: ChainName) {
  await db(database)
    .insertInto('chain_cursors')
    .values({
      chain,
      height: null,
      hash: null,
      holder: null,
      held_until: null,
      trouble: null,
      trouble_since: null,
      updated_at: clock.now(),
    })
    .onConflict((conflict) => conflict.column('chain').doNothing())
    .execute();
}

export async function readCursors(database: Runner): Promise<Cursor[]> {
  const rows = await db(database)
    .selectFrom('chain_cursors')
    .select(['chain', 'height', 'hash', 'trouble', 'trouble_since', 'read_to_end_at', 'reanchor_height', 'updated_at'])
    .orderBy('chain')
    .execute();
  return rows.map((row) => ({
    chain: row.chain as ChainName,
    lastBlock: row.height === null || row.hash === null ? null : { height: row.height, hash: row.hash },
    error: row.trouble === null ? null : (JSON.parse(row.trouble) as ScanError),
    errorSince: row.trouble_since,
    caughtUpAt: row.read_to_end_at,
    rescanHeight: row.reanchor_height,
    updatedAt: row.updated_at,
  }));
}

/**
 * Acquires or renews the lease to scan a chain, and records when this process last reached the tip. Returns false if
 * another process holds the lease.
 */
export async function acquireLease(
  { database, clock, holder }: LeaseContext,
  chain: ChainName,
  caughtUpAt: Instant | null,
): Promise<boolean> {
  const now = clock.now();
  const row = await db(database)
    .selectFrom('chain_cursors')
    .select(['holder', 'held_until'])
    .where('chain', '=', chain)
    .executeTakeFirst();
  const remaining = row?.held_until ? row.held_until - now : 0;
  if (row?.holder === holder && remaining > RENEW_WITHIN) return true;
  if (row?.holder && row.holder !== holder && remaining > 0 && remaining <= MAX_REMAINING) return false;
  return await database.writeOne(async (unit) => {
    const { numUpdatedRows } = await db(unit)
      .updateTable('chain_cursors')
      .set({
        holder,
        held_until: now + LEASE,
        ...(caughtUpAt !== null && { read_to_end_at: latestCaughtUpAt(caughtUpAt) }),
      })
      .where('chain', '=', chain)
      .where((eb) =>
        eb.or([
          eb('holder', 'is', null),
          eb('holder', '=', holder),
          eb('held_until', '<=', now),
          eb('held_until', '>', now + MAX_REMAINING),
        ]),
      )
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  });
}

/** The later of the two times: another process may have written a later one. */
function latestCaughtUpAt(caughtUpAt: Instant | Expression<Instant>) {
  return sql<Instant>`case when read_to_end_at > ${caughtUpAt} then read_to_end_at else ${caughtUpAt} end`;
}

/** Renews the leases of several chains in one statement. Returns the chains whose lease this process still holds. */
export async function renewLeases(
  { database, clock, holder }: LeaseContext,
  chains: readonly { name: ChainName; caughtUpAt: Instant | null }[],
): Promise<ReadonlySet<string>> {
  const caughtUpCases = sql.join(
    chains.map(
      ({ name, caughtUpAt }) =>
        sql`when ${name} then ${caughtUpAt === null ? sql`read_to_end_at` : sql`cast(${caughtUpAt} as bigint)`}`,
    ),
    sql` `,
  );
  const rows = await database.writeOne(async (unit) =>
    db(unit)
      .updateTable('chain_cursors')
      .set({
        held_until: clock.now() + LEASE,
        read_to_end_at: latestCaughtUpAt(sql<Instant>`(case chain ${caughtUpCases} end)`),
      })
      .where(
        'chain',
        'in',
        chains.map(({ name }) => name),
      )
      .where('holder', '=', holder)
      .returning('chain')
      .execute(),
  );
  return new Set(rows.map(({ chain }) => chain));
}

/**
 * Subquery for the time at which a chain has work: `dueForHolder` in the process that holds the lease, `dueForOthers`
 * in other processes.
 */
export function dueByLease(
  holder: string,
  chain: ChainName,
  dueForHolder: Expression<Instant | null>,
  dueForOthers: Expression<Instant | null>,
) {
  return sql<Instant | null>`
    select case when holder = ${holder} then (${dueForHolder}) else (${dueForOthers}) end from chain_cursors where chain = ${chain}`;
}

/** Time when another process may acquire the lease; for `dueByLease`. */
export function leaseExpiresAt(now: Instant): Expression<Instant> {
  return sql<Instant>`case when held_until > ${now + MAX_REMAINING} then 0 else coalesce(held_until, 0) end`;
}

/** Releases the lease, so that another process can acquire it immediately. */
export async function releaseLease(
  { database, holder }: Pick<LeaseContext, 'database' | 'holder'>,
  chain: ChainName,
  caughtUpAt: Instant | null,
): Promise<void> {
  await database.inTransaction(async (unit) => {
    wakeJob(unit, scanJobName(chain));
    await db(unit)
      .updateTable('chain_cursors')
      .set({
        holder: null,
        held_until: null,
        ...(caughtUpAt !== null && { read_to_end_at: latestCaughtUpAt(caughtUpAt) }),
      })
      .where('chain', '=', chain)
      .where('holder', '=', holder)
      .execute();
  });
}

/**
 * Moves the cursor from its expected position in a database transaction (`to` may equal `from`), and locks it until
 * the end. Throws `StaleCursorError` if it is elsewhere or another process holds the lease.
 */
export async function moveCursor(
  { clock, holder }: Pick<LeaseContext, 'clock' | 'holder'>,
  unit: UnitOfWork,
  chain: ChainName,
  from: BlockRef | null,
  to: BlockRef,
): Promise<void> {
  const { numUpdatedRows } = await db(unit)
    .updateTable('chain_cursors')
    .set({
      ...{ height: to.height, hash: to.hash, trouble: null, trouble_since: null },
      ...{ reanchor_height: null, updated_at: clock.now() },
    })
    .where('chain', '=', chain)
    .where('holder', '=', holder)
    .where('height', from ? '=' : 'is', from?.height ?? null)
    .where('hash', from ? '=' : 'is', from?.hash ?? null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new StaleCursorError(`The cursor of ${chain} was moved by another process.`);
  if (from?.hash !== to.hash) unit.announce(lastBlockTopic(chain));
}

/** Last block scanned; null if there is none. */
export async function readLastBlock(reader: Runner, chain: ChainName): Promise<BlockRef | null> {
  const { height = null, hash = null } =
    (await db(reader)
      .selectFrom('chain_cursors')
      .select(['height', 'hash'])
      .where('chain', '=', chain)
      .executeTakeFirst()) ?? {};
  return height === null || hash === null ? null : { height, hash };
}

/** Height of the last block scanned; null if there is none. */
export async function readLastHeight(reader: Runner, chain: ChainName): Promise<number | null> {
  return (await readLastBlock(reader, chain))?.height ?? null;
}

/** Last block scanned, for jobs other than the scan. Null if another process holds the lease or the scan has failed. */
export async function readLastBlockAsHolder(
  { database, clock, holder }: LeaseContext,
  chain: ChainName,
): Promise<BlockRef | null> {
  const cursor = await db(database)
    .selectFrom('chain_cursors')
    .select(['height', 'hash', 'holder', 'held_until', 'trouble'])
    .where('chain', '=', chain)
    .executeTakeFirst();
  if (!cursor || cursor.height === null || cursor.hash === null || cursor.trouble !== null) return null;
  const isHeld = cursor.held_until !== null && cursor.held_until > clock.now();
  if (cursor.holder !== null && cursor.holder !== holder && isHeld) return null;
  return { height: cursor.height, hash: cursor.hash };
}

/**
 * Height of the last block scanned, for new deposit addresses. Throws a `Problem` if payments to them could be missed:
 * the chain was never scanned, or it is not the expected one.
 */
export async function requireScannable(reader: Runner, chain: ChainName): Promise<number> {
  const cursor = await db(reader)
    .selectFrom('chain_cursors')
    .select(['height', 'trouble'])
    .where('chain', '=', chain)
    .executeTakeFirst();
  const { kind } = JSON.parse(cursor?.trouble ?? '{}') as Partial<ScanError>;
  if (kind === 'wrong_network' || kind === 'reorg_too_deep') throw chainNotScannable(chain, kind);
  const height = cursor?.height ?? null;
  if (height === null) throw chainUnavailable(chain);
  return height;
}

export function chainUnavailable(chain: ChainName): Problem {
  return new Problem(
    'chain_unavailable',
    `The ${chain} node has not responded yet, so payments could be missed. Try again in a few seconds.`,
    { headers: { 'Retry-After': '5' } },
  );
}

function chainNotScannable(chain: ChainName, kind: 'wrong_network' | 'reorg_too_deep'): Problem {
  const reason =
    kind === 'wrong_network'
      ? `The ${chain} node is on another network`
      : `The chain ${chain} had a deeper reorg than the service can follow`;
  return new Problem('chain_unavailable', `${reason}, so payments would be missed. Contact the operator.`, {
    headers: { 'Retry-After': '60' },
  });
}

/** Composable query: the heights of the last blocks scanned. */
export function selectHeights(reader: Runner) {
  return db(reader).selectFrom('chain_cursors').select(['chain_cursors.chain', 'chain_cursors.height']);
}

/** Subquery for the height of the last block scanned, by a chain expression. */
export function selectHeight(reader: Runner, chain: Expression<string>) {
  return db(reader).selectFrom('chain_cursors').select('chain_cursors.height').where('chain_cursors.chain', '=', chain);
}

/** Requests that the lease holder scan the chain again from a height. */
export async function requestRescan(reader: Runner, name: ChainName, height: number) {
  await db(reader).updateTable('chain_cursors').set({ reanchor_height: height }).where('chain', '=', name).execute();
}

/** Locks the cursor until the end of the database transaction, so that facts read from the chain stay valid. */
export async function lockCursor(unit: UnitOfWork, chain: ChainName): Promise<void> {
  await lockRows(unit, db(unit).selectFrom('chain_cursors').select('id').where('chain', '=', chain)).execute();
}

/** Stores the error of the scan; null clears it. An error of the same kind keeps its start time. */
export async function recordScanError(
  { database, clock, holder }: LeaseContext,
  chain: ChainName,
  error: ScanError | null,
  previous: Pick<Cursor, 'error' | 'errorSince'>,
): Promise<void> {
  const now = clock.now();
  const since = previous.error?.kind === error?.kind ? previous.errorSince : now;
  await database.writeOne(async (unit) =>
    db(unit)
      .updateTable('chain_cursors')
      .set({
        trouble: error === null ? null : JSON.stringify(error),
        trouble_since: error === null ? null : since,
        updated_at: now,
      })
      .where('chain', '=', chain)
      .where('holder', '=', holder)
      .executeTakeFirst(),
  );
}
