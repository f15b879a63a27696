import {
  type Compilable,
  type CompiledQuery,
  type Kysely,
  type OperationNodeSource,
  type QueryResult,
  sql,
} from 'kysely';
import { engineOf, type Runner, type NoTables } from './engine.ts';
import { inOneRoundTrip, type Statement, statement } from './statement.ts';

type Queries = Readonly<Record<string, Compilable & OperationNodeSource>>;
type RowsOf<Each extends Queries> = {
  [Name in keyof Each]: Each[Name] extends Compilable<infer Row> ? Row[] : never;
};

/** `combinedStatement` for a module's tables. */
export type CombinedStatement<Tables> = <Values extends object, Each extends Queries>(
  build: (query: Kysely<Tables>, values: Values, runner: Runner) => Each,
) => CombinedReader<Values, RowsOf<Each>>;

interface CombinedReader<Values, Rows> {
  (runner: Runner, values: Values): Promise<Rows>;
  /** Runs `first`, then the queries, in one round trip on PostgreSQL. */
  after<Row>(runner: Runner, first: CompiledQuery<Row>, values: Values): Promise<[QueryResult<Row>, Rows]>;
}

/**
 * Runs several queries together. On PostgreSQL they take one round trip and read one snapshot; on SQLite,
 * which has no round trips, they run one after the other. `build` follows the rules of `statement`. PostgreSQL
 * returns the rows as JSON, so columns must be text, or numbers that a double represents exactly.
 *
 * @example
 * const inUse = lists((query, { merchant }: { merchant: number }) => ({
 *   tokens: query.selectFrom('access_tokens').select('id').where('merchant_id', '=', merchant),
 *   methods: query.selectFrom('merchant_methods').select('payment_method').where('merchant_id', '=', merchant),
 * }));
 * const { tokens, methods } = await inUse(database, { merchant: 1 });
 */
export function combinedStatement<Values extends object, Each extends Queries>(
  build: (query: Kysely<NoTables>, values: Values, runner: Runner) => Each,
): CombinedReader<Values, RowsOf<Each>> {
  const combined = statement((query, values: Values, runner) => {
    const columns = Object.entries(build(query, values, runner)).map(
      ([name, list]) => sql`(select coalesce(json_agg(row), '[]'::json) from ${list} as row) as ${sql.ref(name)}`,
    );
    return sql<RowsOf<Each>>`select ${sql.join(columns)}`;
  });
  const separate = new Map<string, Statement<Values, unknown>>();
  const readOne = async (runner: Runner, values: Values, name: string) => {
    let list = separate.get(name);
    if (!list) {
      list = statement((query, placeholders: Values, by) => build(query, placeholders, by)[name] as Compilable);
      separate.set(name, list);
    }
    return (await list(runner, values)).rows;
  };
  let names: readonly string[] | undefined;

  const onlyRow = ({ rows: [row] }: QueryResult<RowsOf<Each>>) => {
    if (!row) throw new Error('A select without from returned no row');
    return row;
  };
  const read = async (runner: Runner, values: Values) => {
    if (engineOf(runner) === 'postgres') return onlyRow(await combined(runner, values));
    names ??= Object.keys(build(runner.query, values, runner));
    const rows: Record<string, readonly unknown[]> = {};
    for (const name of names) rows[name] = await readOne(runner, values, name);
    return rows as RowsOf<Each>;
  };
  return Object.assign(read, {
    async after<Row>(
      runner: Runner,
      first: CompiledQuery<Row>,
      values: Values,
    ): Promise<[QueryResult<Row>, RowsOf<Each>]> {
      if (engineOf(runner) !== 'postgres') return [await runner.query.executeQuery(first), await read(runner, values)];
      const [result, lists] = await inOneRoundTrip(runner, first, combined.bind(runner, values));
      return [result, onlyRow(lists)];
    },
  });
}
