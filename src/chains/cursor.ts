import type { Runner } from '../database/engine.ts';
import { type Expression, sql } from 'kysely';
import { Problem } from '../api/problem-error.ts';
import type { ChainName } from '../shared/crypto-currency.ts';
import { type Instant, SECOND } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import { type Database, lockRows, type UnitOfWork } from '../database/database.ts';
import { wakeJob } from '../jobs/runner.ts';
import type { BlockRef, ChainErrorKind } from './port.ts';
import { db } from './schema.ts';

/** How long a process that says nothing more is waited for before another one reads the chain. */
const LEASE: Instant = 15 * SECOND;
/** Once less than this is left, a process says that it goes on. */
const RENEW_WITHIN: Instant = 10 * SECOND;
/** How often a process says so for all chains that it reads. */
export const RENEW_INTERVAL_MS = 5000;

/** Why nothing can be read from a chain. */
export interface ScanError {
  kind: ChainErrorKind | 'too_deep';
  message: string;
}

/** How far a chain has been read. */
export interface Cursor {
  chain: ChainName;
  /** The last block that was read; null until the chain was reached for the first time. */
  lastBlock: BlockRef | null;
  error: ScanError | null;
  errorSince: Instant | null;
  /** When the chain was last read to its end, the pool included, as far as that was written down. */
  caughtUpAt: Instant | null;
  /** From where the operator has it read again, out of `too_deep`. */
  reanchorHeight: number | null;
  /** When the chain was last reached, or found in trouble. */
  updatedAt: Instant;
}

/** Another process has read on meanwhile: what this one was about to write would be of yesterday. */
export class StaleCursorError extends Error {}

interface LeaseContext {
  database: Database;
  clock: Clock;
  /** This process. */
  holder: string;
}

/** The name of the job that reads a chain. */
export function scanJobName(chain: ChainName): string {
  return `watch_${chain}`;
}

/** The name of the job that withdraws from a chain. */
export function withdrawalJobName(chain: ChainName): string {
  return `withdrawals_${chain}`;
}

/** What is announced when the last block that was read is another one. */
export function lastBlockTopic(chain: ChainName): string {
  return `last block ${chain}`;
}

/** Makes the chain's row where there is none. */
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
    reanchorHeight: row.reanchor_height,
    updatedAt: row.updated_at,
  }));
}

/**
 * Takes the reading of a chain for a while, or goes on with it, and writes down when this process last read it to its
 * end; false where another process has it.
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
  if (row?.holder && row.holder !== holder && remaining > 0) return false;
  return await database.writeOne(async (unit) => {
    const { numUpdatedRows } = await db(unit)
      .updateTable('chain_cursors')
      .set({
        holder,
        held_until: now + LEASE,
        ...(caughtUpAt !== null && { read_to_end_at: latestCaughtUpAt(caughtUpAt) }),
      })
      .where('chain', '=', chain)
      .where((either) =>
        either.or([either('holder', 'is', null), either('holder', '=', holder), either('held_until', '<=', now)]),
      )
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  });
}

/** Another process may have read it to its end since. */
function latestCaughtUpAt(caughtUpAt: Instant | Expression<Instant>) {
  return sql<Instant>`case when read_to_end_at > ${caughtUpAt} then read_to_end_at else ${caughtUpAt} end`;
}

/** Goes on with the reading of several chains, in one statement; returns those that this process still has. */
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
 * When there is something to do for a chain, as a subquery: `own` in the process that reads it; in others as soon as
 * they may take it over.
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

/** When another process may take the reading over: for `dueForReader`. */
export const leaseExpiresAt = sql<Instant>`coalesce(held_until, 0)`;

/** Leaves the chain to another process at once. */
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
 * Moves the cursor within a unit, from where whoever asks believes it to be (`to` may be the same), and keeps
 * others from moving it until the unit ends. Throws `StaleCursorError` where it is elsewhere or another process's.
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
  if (numUpdatedRows !== 1n) throw new StaleCursorError(`The cursor of ${chain} is not where it was`);
  if (from?.hash !== to.hash) unit.announce(lastBlockTopic(chain));
}

/** The last block of a chain that was read; null where none was yet. */
export async function readLastBlock(on: Runner, chain: ChainName): Promise<BlockRef | null> {
  const { height = null, hash = null } =
    (await db(on)
      .selectFrom('chain_cursors')
      .select(['height', 'hash'])
      .where('chain', '=', chain)
      .executeTakeFirst()) ?? {};
  return height === null || hash === null ? null : { height, hash };
}

/** Its height. */
export async function readLastHeight(on: Runner, chain: ChainName): Promise<number | null> {
  return (await readLastBlock(on, chain))?.height ?? null;
}

/** The last block that was read, for jobs beside the reader; null where another process reads the chain, or none can. */
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
 * The height of the last block that was read, for whoever issues an address. Throws a `Problem` where what is paid to
 * it could be missed: the chain was never read, or is another one than expected.
 */
export async function requireScannable(on: Runner, chain: ChainName): Promise<number> {
  const cursor = await db(on)
    .selectFrom('chain_cursors')
    .select(['height', 'trouble'])
    .where('chain', '=', chain)
    .executeTakeFirst();
  const { kind } = JSON.parse(cursor?.trouble ?? '{}') as Partial<ScanError>;
  if (kind === 'wrong_network' || kind === 'too_deep') throw chainNotScannable(chain, kind);
  const height = cursor?.height ?? null;
  if (height === null) throw chainUnavailable(chain);
  return height;
}

export function chainUnavailable(chain: ChainName): Problem {
  return new Problem(
    'chain_unavailable',
    `The node of ${chain} has not answered yet, so that payments could be missed. Try again in a moment.`,
    { headers: { 'Retry-After': '5' } },
  );
}

function chainNotScannable(chain: ChainName, kind: 'wrong_network' | 'too_deep'): Problem {
  const reason =
    kind === 'wrong_network'
      ? `The node of ${chain} is on another network`
      : `The chain ${chain} was reorganized more deeply than can be followed`;
  return new Problem('chain_unavailable', `${reason}: payments would not be seen. The operator has to resolve it.`, {
    headers: { 'Retry-After': '60' },
  });
}

/** The heights up to which chains were read: a query to compose. */
export function selectHeights(on: Runner) {
  return db(on).selectFrom('chain_cursors').select(['chain_cursors.chain', 'chain_cursors.height']);
}

/** The height up to which the chain of an expression was read, as a subquery. */
export function selectHeight(on: Runner, chain: Expression<string>) {
  return db(on).selectFrom('chain_cursors').select('chain_cursors.height').where('chain_cursors.chain', '=', chain);
}

/** Has the process that reads a chain go back to a height, and read on from there. */
export async function requestReanchor(on: Runner, name: ChainName, height: number) {
  await db(on).updateTable('chain_cursors').set({ reanchor_height: height }).where('chain', '=', name).execute();
}

/** Keeps the reader of a chain from moving its cursor until the unit ends: what is read of the chain then stays true. */
export async function lockCursor(unit: UnitOfWork, chain: ChainName): Promise<void> {
  await lockRows(unit, db(unit).selectFrom('chain_cursors').select('id').where('chain', '=', chain)).execute();
}

/** Says why nothing is read, or with null that it is again; in other words it lasts since it began. */
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
