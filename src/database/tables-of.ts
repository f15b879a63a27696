import type { Kysely } from 'kysely';
import type { Runner } from './engine.ts';
import { type CombinedStatement, combinedStatement } from './combined-statement.ts';
import { type Build, type Statement, statement, pipelinedStatement } from './statement.ts';

/**
 * Access to a module's own tables. Each module calls it once, in its `schema.ts`; a query for a table of another module
 * does not compile.
 */
export function tablesOf<Own>() {
  return {
    /** The query builder for a database or a unit of work. */
    db: ({ query }: Runner) => query as unknown as Kysely<Own>,
    statement: statement as unknown as <Values extends object, Row>(
      build: Build<Own, Values, Row>,
    ) => Statement<Values, Row>,
    pipelinedStatement: pipelinedStatement as unknown as <Values extends object>(
      build: Build<Own, Values, unknown>,
      expected?: { rows: number },
    ) => (unit: Runner, values: Values) => Promise<void>,
    combinedStatement: combinedStatement as unknown as CombinedStatement<Own>,
  };
}
