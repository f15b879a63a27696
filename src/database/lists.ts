import { type Compilable, type Kysely, type OperationNodeSource, sql } from 'kysely';
import { engineOf, type Runner, type NoTables } from './engine.ts';
import { type Statement, statement } from './statement.ts';

type Queries = Readonly<Record<string, Compilable & OperationNodeSource>>;
type RowsOf<Each extends Queries> = {
  [Name in keyof Each]: Each[Name] extends Compilable<infer Row> ? Row[] : never;
};

/** `lists` over some tables. */
export type Lists<Tables> = <Values extends object, Each extends Queries>(
  build: (query: Kysely<Tables>, values: Values, on: Runner) => Each,
) => (on: Runner, values: Values) => Promise<RowsOf<Each>>;

/**
 * Lists that are read together often: on PostgreSQL in one round trip, so that all show one moment; on
 * SQLite, which has none, one after the other. `build` follows the rules of `statement`. Their rows hold
 * text, and numbers that a double carries exactly, and nothing else: they come as JSON.
 *
 * @example
 * const inUse = lists((query, { merchant }: { merchant: number }) => ({
 *   tokens: query.selectFrom('access_tokens').select('id').where('merchant_id', '=', merchant),
 *   methods: query.selectFrom('merchant_methods').select('payment_method').where('merchant_id', '=', merchant),
 * }));
 * const { tokens, methods } = await inUse(database, { merchant: 1 });
 */
export function lists<Values extends object, Each extends Queries>(
  build: (query: Kysely<NoTables>, values: Values, on: Runner) => Each,
): (on: Runner, values: Values) => Promise<RowsOf<Each>> {
  const together = statement((query, values: Values, on) => {
    const columns = Object.entries(build(query, values, on)).map(
      ([name, list]) => sql`(select coalesce(json_agg(row), '[]'::json) from ${list} as row) as ${sql.ref(name)}`,
    );
    return sql<RowsOf<Each>>`select ${sql.join(columns)}`;
  });
  const apart = new Map<string, Statement<Values, unknown>>();
  const readApart = async (on: Runner, values: Values, name: string) => {
    let list = apart.get(name);
    if (!list) {
      list = statement((query, places: Values, by) => build(query, places, by)[name] as Compilable);
      apart.set(name, list);
    }
    return (await list(on, values)).rows;
  };
  let names: readonly string[] | undefined;

  return async (on, values) => {
    if (engineOf(on) === 'postgres') {
      const [row] = (await together(on, values)).rows;
      if (!row) throw new Error('A select without from answered no row');
      return row;
    }
    names ??= Object.keys(build(on.query, values, on));
    const read: Record<string, readonly unknown[]> = {};
    for (const name of names) read[name] = await readApart(on, values, name);
    return read as RowsOf<Each>;
  };
}
