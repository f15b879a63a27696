/*
 * Map of this module: `move.ts` moves a merchant to another cell in three database transactions. `freeze.ts` takes the
 * rows out of their tables, `rows.ts` stores them in between, and `arrive.ts` inserts them in the new cell.
 * `tables.ts` defines the owner of each table. `moved-merchants.ts` answers requests during and after a move. Reasons:
 * docs/decisions/cells.md.
 */

import type { Database } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import { appliedMigrations, migrationNames } from '../migrations/migrate.ts';
import { describeTables, type TableSchema } from '../migrations/describe-tables.ts';
import { readCell } from '../migrations/cell.ts';
import { requireEnvironment } from '../migrations/environment.ts';
import { cellNumber, formatId } from '../system/cell.ts';
import type { Clock } from '../system/clock.ts';
import { OperatorError } from '../system/operator-error.ts';
import { type Random, randomId } from '../system/random.ts';
import type { Environment } from '../system/settings.ts';
import { type CellKeys, insertMerchant, insertRows, requireSameUsers } from './arrive.ts';
import { createMoveIndexes, dropMoveIndexes, freezeMerchant, retryConflict } from './freeze.ts';
import { Digest, readMovedRows } from './rows.ts';
import { db } from './schema.ts';
import { movedTables } from './tables.ts';

/** A cell with its database. */
export interface CellDatabase extends CellKeys {
  /** Its prefix; empty for the installation without one. */
  cell: string;
  environment: Environment;
  database: Database;
}

export interface MoveOptions {
  source: CellDatabase;
  target: CellDatabase;
  merchantId: number;
  clock: Clock;
  random: Random;
  /** Email addresses of members whose accounts in both cells are known to be theirs. */
  sameUsers?: ReadonlySet<string>;
  /** Called after each commit. */
  onStep?: (step: 'frozen' | 'copied' | 'finished') => void;
}

type Move = NonNullable<Awaited<ReturnType<typeof findMove>>>;

/**
 * Moves a merchant to another cell in three database transactions: removes its rows from the tables of the source
 * (`freezeMerchant`), writes them to the target, and finishes the move in the source. Each transaction records its
 * progress, so an interrupted move resumes, and repeating a finished move changes nothing.
 */
export async function moveMerchant(options: MoveOptions): Promise<Move> {
  const { source, target, merchantId, clock, onStep, sameUsers = new Set() } = options;
  const tables = await checkCells(options);
  const started = await findMove(source.database, merchantId);
  // An unfinished move must be able to end after the other cell was upgraded; only writing rows there needs its columns.
  const isCopied = started && (await findArrival(target.database, started)) === 'arrived';
  if (!isCopied && (await appliedMigrations(target.database)).length > migrationNames.length)
    throw new OperatorError(
      `The cell ${target.cell} has a later release. If the move has begun, cancel it with --cancel. Then install that release here.`,
    );
  if (!started) {
    await requireSameUsers(source.database, target.database, { merchantId, sameUsers });
    const moveId = randomId(options.random);
    await createMoveIndexes(source.database, tables);
    try {
      await retryConflict(async () => {
        await source.database.inTransaction(async (unit) => {
          await freezeMerchant(unit, tables, {
            ...{ merchantId, moveId, from: source.cell, cell: target.cell, now: clock.now() },
          });
        });
      });
    } finally {
      await dropMoveIndexes(source.database, tables);
    }
    onStep?.('frozen');
  }
  const move = await requireMove(options);
  // Left by a killed command.
  if (started) await dropMoveIndexes(source.database, tables);
  if (move.state === 'moved' && (await hasArrived(target.database, merchantId))) return move;
  await verifyStored(source.database, tables, move);
  const isWritten = await target.database.inTransaction(async (unit) => {
    const arrival = await findArrival(unit, move);
    if (arrival === 'arrived') return true;
    if (arrival === 'cancelled')
      throw new OperatorError(
        `The move of merchant ${formatId(merchantId)} was canceled. Run it with --cancel to complete that.`,
      );
    if (await hasArrived(unit, merchantId)) return false;
    // The primary key allows only one of two concurrent moves, or of a move and its cancellation.
    await db(unit)
      .insertInto('merchant_arrivals')
      .values({ merchant_id: merchantId, move_id: move.move_id, cell: source.cell, state: 'arrived', at: clock.now() })
      .execute();
    await insertMerchant(unit, {
      ...{ merchantId, tables, environment: target.environment, random: options.random, now: clock.now(), sameUsers },
      ...{ read: (table) => readMovedRows(source.database, merchantId, table), from: source, to: target },
    });
    return true;
  });
  if (isWritten) onStep?.('copied');
  await source.database.inTransaction(async (unit) => {
    await db(unit)
      .updateTable('merchant_moves')
      .set({ state: 'moved', finished_at: clock.now() })
      .where('merchant_id', '=', merchantId)
      .where('move_id', '=', move.move_id)
      .where('state', '=', 'frozen')
      .execute();
  });
  if (!isWritten)
    throw new OperatorError(
      `Merchant ${formatId(merchantId)} is already in the cell ${target.cell}, after an earlier move. If this database was restored from an older backup, that is correct: the merchant stays out of service here. Keep the proxy’s map, and add the entries of: npx paylatch merchant moved`,
    );
  onStep?.('finished');
  return await requireMove(options);
}

/** Returns a frozen merchant to service in the source. Throws if its rows are already in the target. */
export async function cancelMove(options: MoveOptions): Promise<void> {
  const { source, target, merchantId, clock } = options;
  const tables = await checkCells(options);
  const move = await requireMove(options);
  const refusal = new OperatorError(
    `Merchant ${formatId(merchantId)} is already in the cell ${move.cell}. Run the command without --cancel to finish the move.`,
  );
  if (move.state === 'moved') throw refusal;
  // First in the other cell: from then on, no process can write the rows there.
  await target.database.inTransaction(async (unit) => {
    const arrival = await findArrival(unit, move);
    if (arrival === 'arrived') throw refusal;
    if (await hasArrived(unit, merchantId)) throw refusal;
    if (arrival === null)
      await db(unit)
        .insertInto('merchant_arrivals')
        .values({
          ...{ merchant_id: merchantId, move_id: move.move_id, cell: source.cell },
          state: 'cancelled',
          at: clock.now(),
        })
        .execute();
  });
  await verifyStored(source.database, tables, move);
  await source.database.inTransaction(async (unit) => {
    const { numDeletedRows } = await db(unit)
      .deleteFrom('merchant_moves')
      .where('merchant_id', '=', merchantId)
      .where('move_id', '=', move.move_id)
      .executeTakeFirst();
    if (numDeletedRows === 0n)
      throw new OperatorError(`The move of merchant ${formatId(merchantId)} was already canceled.`);
    for (const table of movedTables(tables)) {
      const version =
        table.name === 'acquirer_accounts' ? table.columns.findIndex((each) => each.name === 'updated_at') : -1;
      // Newer than every version that this cell's processes have loaded, so that they reload the account.
      for await (const rows of readMovedRows(unit, merchantId, table.name))
        await insertRows(
          unit,
          table,
          rows.map((row) =>
            row.map((value, index) => (index === version ? Math.max(clock.now(), Number(value) + 1) : value)),
          ),
        );
    }
    for (const stored of ['moved_rows', 'moved_ids'] as const)
      await db(unit).deleteFrom(stored).where('merchant_id', '=', merchantId).execute();
  });
}

/** Deletes the copy of a moved merchant's rows in the source. Keeps the IDs, for requests that still arrive there. */
export async function discardCopy(options: MoveOptions): Promise<number> {
  const { source, target, merchantId } = options;
  await checkCells(options);
  const move = await requireMove(options);
  if (move.state !== 'moved')
    throw new OperatorError(`The move of merchant ${formatId(merchantId)} is not finished. Nothing was deleted.`);
  if (!(await hasArrived(target.database, merchantId)))
    throw new OperatorError(
      `Merchant ${formatId(merchantId)} is not in the cell ${target.cell}: was its database restored from an older backup? Nothing was deleted. To write the merchant there again, run: npx paylatch merchant move`,
    );
  const { numDeletedRows } = await source.database.writeOne(
    async (runner) =>
      await db(runner).deleteFrom('moved_rows').where('merchant_id', '=', merchantId).executeTakeFirst(),
  );
  return Number(numDeletedRows);
}

/** Entries of the proxy's map for every merchant that left this cell: `ID CELL`. */
export async function listMapEntries(reader: Pick<Database, 'query'>): Promise<string[]> {
  const rows = await db(reader)
    .selectFrom('moved_ids')
    .innerJoin('merchant_moves', 'merchant_moves.merchant_id', 'moved_ids.merchant_id')
    .select(['moved_ids.id', 'merchant_moves.cell'])
    .where('merchant_moves.state', '=', 'moved')
    .orderBy('moved_ids.id')
    .execute();
  return rows.map(({ id, cell }) => `${id} ${cell}`);
}

/** Checks that a merchant can be moved between two cells; returns the tables that both have. */
async function checkCells({ source, target }: MoveOptions): Promise<readonly TableSchema[]> {
  if (source.environment !== target.environment)
    throw new OperatorError(`This cell is ${source.environment}, the other one ${target.environment}.`);
  for (const { database, cell, environment } of [source, target]) {
    const name = cell === '' ? 'without a prefix' : cell;
    const applied = await appliedMigrations(database);
    if (migrationNames.some((migration) => !applied.includes(migration)))
      throw new OperatorError(`The database of the cell ${name} has pending migrations. Run: npx paylatch migrate`);
    await requireEnvironment(environment, database);
    if ((await readCell(database)) !== cell)
      throw new OperatorError(
        `The database does not belong to the cell ${name}. Check DATABASE_URL, or start the cell once.`,
      );
  }
  if (cellNumber(target.cell) <= cellNumber(source.cell))
    throw new OperatorError(
      `A merchant moves only to a cell that is later in the alphabet (a to z, then 2 to 7): its new records must have higher IDs than its former ones. ${target.cell || 'A cell without a prefix'} is not later than ${source.cell || 'none'}.`,
    );
  if (!Buffer.from(source.serviceKey).equals(target.serviceKey))
    throw new OperatorError('PAYLATCH_SECRET_KEY must be the same in both cells: it signs page tokens and webhooks.');
  return await describeTables((await appliedMigrations(source.database)).at(-1) ?? '');
}

async function findMove(reader: Pick<Database, 'query'>, merchantId: number) {
  return (
    (await db(reader)
      .selectFrom('merchant_moves')
      .selectAll()
      .where('merchant_id', '=', merchantId)
      .executeTakeFirst()) ?? null
  );
}

async function requireMove({ source, target, merchantId }: MoveOptions): Promise<Move> {
  const move = await findMove(source.database, merchantId);
  if (!move) throw new OperatorError(`Merchant ${formatId(merchantId)} is not being moved.`);
  if (move.cell !== target.cell)
    throw new OperatorError(
      `Merchant ${formatId(merchantId)} is being moved to the cell ${move.cell}, not to ${target.cell}.`,
    );
  return move;
}

async function findArrival(reader: Runner, { merchant_id: merchantId, move_id: moveId }: Move) {
  const row = await db(reader)
    .selectFrom('merchant_arrivals')
    .select('state')
    .where('merchant_id', '=', merchantId)
    .where('move_id', '=', moveId)
    .executeTakeFirst();
  return row?.state ?? null;
}

/** True if the merchant is in this cell because of an earlier move. */
async function hasArrived(reader: Runner, merchantId: number): Promise<boolean> {
  const arrival = await db(reader)
    .selectFrom('merchant_arrivals')
    .select('move_id')
    .where('merchant_id', '=', merchantId)
    .where('state', '=', 'arrived')
    .executeTakeFirst();
  return arrival !== undefined;
}

/** Compares the stored rows with the tables, and with the count and digest at the freeze. */
async function verifyStored(database: Database, tables: readonly TableSchema[], move: Move): Promise<void> {
  const digest = new Digest();
  for (const { name, columns } of movedTables(tables))
    for await (const rows of readMovedRows(database, move.merchant_id, name)) {
      if (rows.some((row) => row.length !== columns.length))
        throw new OperatorError(
          `The rows of merchant ${formatId(move.merchant_id)} were stored by another release, with other columns of ${name}. Nothing was written.`,
        );
      digest.add(name, rows);
    }
  if (digest.count === 0 && move.state === 'moved')
    throw new OperatorError(
      `Merchant ${formatId(move.merchant_id)} is not in the cell ${move.cell}, and its copy here was discarded. Restore a backup of the cell ${move.cell} from after the move.`,
    );
  if (digest.count !== move.row_count || digest.value !== move.digest)
    throw new OperatorError(
      `The stored rows of merchant ${formatId(move.merchant_id)} were changed (${digest.count} of ${move.row_count}). Nothing was written.`,
    );
}
