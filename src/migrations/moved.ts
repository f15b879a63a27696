import { deleteProperty, readProperty, setProperty } from '../database/installation.ts';
import type { Database } from '../database/database.ts';
import { OperatorError } from '../system/operator-error.ts';
import { appliedMigrations } from './migrate.ts';

const MARK = 'move';
/** Mark of the target: the ID of the move that filled it. */
const ARRIVAL = 'arrival';

/** A move of the whole database by `paylatch database move`. `moving`: whether the target was committed is unknown. */
export interface DatabaseMove {
  state: 'moving' | 'moved';
  /** When it was moved, which also identifies the move. */
  id: string;
  /** The name of the target database. */
  to: string;
}

type Reader = Pick<Database, 'query' | 'engine'>;

/** A database that was moved: its data is outdated, and it issues addresses that the other one issues too. */
export class MovedError extends OperatorError {
  readonly found: string;
  readonly action: string;

  constructor({ state, id, to }: DatabaseMove) {
    const found =
      state === 'moved'
        ? `The database was moved to the PostgreSQL database ${to} at ${id}.`
        : `Moving the database to the PostgreSQL database ${to} was interrupted at the end.`;
    const action =
      state === 'moved'
        ? 'Set DATABASE_URL to that database.'
        : 'Run it again with the same target: npx paylatch database move';
    super(`${found} ${action}`);
    this.found = found;
    this.action = action;
  }
}

/** The move of a database to another one; null if it was not moved. */
export async function readMove(database: Reader): Promise<DatabaseMove | null> {
  const value = await readMark(database, MARK);
  return value === null ? null : (JSON.parse(value) as DatabaseMove);
}

export async function writeMove(database: Pick<Database, 'query'>, move: DatabaseMove): Promise<void> {
  await setProperty(database, MARK, JSON.stringify(move));
}

/** Makes a database usable that was moved, or restored from the backup of such a database. */
export async function deleteMove(database: Pick<Database, 'query'>): Promise<void> {
  await deleteProperty(database, MARK);
}

export async function hasArrived(database: Reader, { id }: DatabaseMove): Promise<boolean> {
  return (await readMark(database, ARRIVAL)) === id;
}

export async function writeArrival(database: Pick<Database, 'query'>, { id }: DatabaseMove): Promise<void> {
  await setProperty(database, ARRIVAL, id);
}

async function readMark(database: Reader, name: string): Promise<string | null> {
  if (!(await appliedMigrations(database)).includes('0035-environment-mark')) return null;
  return await readProperty(database, name);
}
