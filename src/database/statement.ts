import { createHash } from 'node:crypto';
import type { CompiledQuery, DialectAdapter, Kysely, QueryResult } from 'kysely';
import type { Runner, NoTables } from './engine.ts';

/** Runs a statement with values of its own. */
export type Statement<Values, Row> = (on: Runner, values: Values) => Promise<QueryResult<Row>>;

/** A query, or SQL. */
interface Built<Row> {
  compile(query: Kysely<NoTables>): CompiledQuery<Row>;
}

/**
 * Builds a query over some tables; each value stands where it will be put. `on` is for the parts that other modules
 * build of their own tables.
 */
export type Build<Tables, Values, Row> = (query: Kysely<Tables>, values: Values, on: Runner) => Built<Row>;

/** By its text: the name under which a statement is kept prepared where the database has such names. */
const names = new Map<string, string>();

export function preparedName(text: string): string | undefined {
  return names.get(text);
}

function keepPrepared(text: string): void {
  // PostgreSQL refuses a prepared statement whose columns have become others, as those of `*` do by a migration.
  if (/^select \*|returning \*/i.test(text)) throw new Error(`A statement must name its columns: ${text}`);
  names.set(text, createHash('sha256').update(text).digest('hex').slice(0, 32));
}

/** Stands where a value will, while the statement is built; knows which of the values that will be. */
class Place {
  readonly valueIn: (values: unknown) => unknown;
  constructor(valueIn: (values: unknown) => unknown) {
    this.valueIn = valueIn;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function placesOf(values: Fields, groupIn = (all: unknown) => all as Fields): Fields {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const valueIn = (all: unknown) => groupIn(all)[name];
      const isGroup = typeof value === 'object' && value !== null;
      return [name, isGroup ? placesOf(value as Fields, (all) => valueIn(all) as Fields) : new Place(valueIn)];
    }),
  );
}

/**
 * A statement that runs often: built and turned into SQL at its first run, and then only given its values;
 * parsed and planned by the database once for each connection. To build one takes longer than SQLite takes
 * to run it. It names the columns that it answers with.
 *
 * `build` gets a stand-in for each value, by name, and may do nothing with it but put it where a value
 * belongs. Each run tells the same names; a value that is not there is null. Values may stand in groups.
 *
 * @example
 * const nameOf = statement((query, { id }: { id: number }) =>
 *   query.selectFrom('merchants').select('name').where('id', '=', id));
 * const [row] = (await nameOf(database, { id: 1 })).rows;
 */
export function statement<Values extends object, Row>(build: Build<NoTables, Values, Row>): Statement<Values, Row> {
  // One for each database that is open, whatever engine it has: a unit of work has its database's adapter.
  const compiled = new WeakMap<DialectAdapter, CompiledQuery<Row>>();
  return async ({ query }, values) => {
    const { adapter } = query.getExecutor();
    let ready = compiled.get(adapter);
    if (!ready) {
      ready = build(query, placesOf(values as Fields) as Values, { query }).compile(query);
      keepPrepared(ready.sql);
      compiled.set(adapter, ready);
    }
    const parameters = ready.parameters.map((value) => (value instanceof Place ? value.valueIn(values) : value));
    return await query.executeQuery({ ...ready, parameters });
  };
}
