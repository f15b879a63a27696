import { createHash } from 'node:crypto';
import type { CompiledQuery, DialectAdapter, Kysely, QueryResult } from 'kysely';
import type { Runner, NoTables } from './engine.ts';

/** Runs a prepared statement with the given values. */
export interface Statement<Values, Row> {
  (runner: Runner, values: Values): Promise<QueryResult<Row>>;
  /** The statement with its values, for `inOneRoundTrip`. */
  bind(runner: Runner, values: Values): CompiledQuery<Row>;
}

/**
 * Runs two statements in order. PostgreSQL receives both at once. The second has its own snapshot, so it sees the
 * changes that the first waited for.
 */
export async function inOneRoundTrip<First, Second>(
  { query }: Runner,
  first: CompiledQuery<First>,
  second: CompiledQuery<Second>,
): Promise<[QueryResult<First>, QueryResult<Second>]> {
  return await query
    .getExecutor()
    .provideConnection(
      async (connection) =>
        await Promise.all([connection.executeQuery<First>(first), connection.executeQuery<Second>(second)]),
    );
}

interface CompilableQuery<Row> {
  compile(query: Kysely<NoTables>): CompiledQuery<Row>;
}

/**
 * Builds a query over a module's tables from placeholders. `on` is for parts that other modules build over their
 * own tables.
 */
export type Build<Tables, Values, Row> = (
  query: Kysely<Tables>,
  values: Values,
  runner: Runner,
) => CompilableQuery<Row>;

/** Names of prepared statements, by their SQL. */
const preparedNames = new Map<string, string>();

export function preparedName(text: string): string | undefined {
  return preparedNames.get(text);
}

function registerPreparedName(text: string): void {
  if (preparedNames.has(text)) return;
  // PostgreSQL rejects a prepared statement whose result columns changed, as those of `*` do after a migration.
  if (/^select \*|returning \*/i.test(text)) throw new Error(`A statement must name its columns: ${text}`);
  preparedNames.set(text, createHash('sha256').update(text).digest('hex').slice(0, 32));
}

/**
 * Runs a query that is built on each call, but compiles to only a few distinct SQL strings, as a prepared statement.
 */
export async function runPrepared<Row>({ query }: Runner, built: CompilableQuery<Row>): Promise<QueryResult<Row>> {
  const compiled = built.compile(query);
  registerPreparedName(compiled.sql);
  return await query.executeQuery(compiled);
}

/** Number of rows that each pipelined statement must change, by its SQL; null: any number. */
const rowsExpected = new Map<string, number | null>();

/** Returns the number of rows that a pipelined statement must change (null: any); undefined for other statements. */
export function rowsExpectedOf(text: string): number | null | undefined {
  return rowsExpected.get(text);
}

/** Stands for a value while the statement is built. */
class Placeholder {
  readonly valueIn: (values: unknown) => unknown;
  constructor(valueIn: (values: unknown) => unknown) {
    this.valueIn = valueIn;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function placeholdersFor(values: Fields, groupIn = (all: unknown) => all as Fields): Fields {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const valueIn = (all: unknown) => groupIn(all)[name];
      const isGroup = typeof value === 'object' && value !== null;
      return [
        name,
        isGroup ? placeholdersFor(value as Fields, (all) => valueIn(all) as Fields) : new Placeholder(valueIn),
      ];
    }),
  );
}

/**
 * A frequent statement. It is compiled to SQL once, and parsed and planned by the database once per connection.
 * Building a query takes longer than SQLite needs to run it. It must name its result columns.
 *
 * `build` receives a placeholder for each value, by name, and may only pass it where a value belongs. Every run
 * passes the same names; a missing value is null. Values may be grouped in objects.
 *
 * @example
 * const nameOf = statement((query, { id }: { id: number }) =>
 *   query.selectFrom('merchants').select('name').where('id', '=', id));
 * const [row] = (await nameOf(database, { id: 1 })).rows;
 */
export function statement<Values extends object, Row>(
  build: Build<NoTables, Values, Row>,
  { onCompiled }: { onCompiled?: (text: string) => void } = {},
): Statement<Values, Row> {
  // One per open database: a unit of work shares its database's adapter.
  const compiled = new WeakMap<DialectAdapter, CompiledQuery<Row>>();
  const bind = ({ query }: Runner, values: Values): CompiledQuery<Row> => {
    const { adapter } = query.getExecutor();
    let ready = compiled.get(adapter);
    if (!ready) {
      ready = build(query, placeholdersFor(values as Fields) as Values, { query }).compile(query);
      registerPreparedName(ready.sql);
      onCompiled?.(ready.sql);
      compiled.set(adapter, ready);
    }
    const parameters = ready.parameters.map((value) => (value instanceof Placeholder ? value.valueIn(values) : value));
    return { ...ready, parameters };
  };
  return Object.assign(
    async (runner: Runner, values: Values) => await runner.query.executeQuery(bind(runner, values)),
    { bind },
  );
}

/**
 * A frequent write in a unit of work whose result is not read. PostgreSQL receives it with the next statement or the
 * commit, so it takes no round trip of its own; if it fails, that statement or the commit rejects. With `rows`, it
 * fails unless it changes that many rows.
 */
export function pipelinedStatement<Values extends object>(
  build: Build<NoTables, Values, unknown>,
  { rows: expected = null }: { rows?: number | null } = {},
): (unit: Runner, values: Values) => Promise<void> {
  const run = statement(build, { onCompiled: (text) => rowsExpected.set(text, expected) });
  return async (unit, values) => {
    const { numAffectedRows } = await run(unit, values);
    requireRows(expected, Number(numAffectedRows));
  };
}

export function requireRows(expected: number | null, changed: number | null): void {
  if (expected !== null && changed !== expected)
    throw new Error(`The statement changed ${changed} rows instead of ${expected}`);
}
