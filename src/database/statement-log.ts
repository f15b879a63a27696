import type { KyselyConfig } from 'kysely';
import type { Tracer } from '../system/tracing.ts';

/** Reports completed statements to a tracer that records them, without their parameters. */
export function statementLog({ recordStatement }: Tracer): Pick<KyselyConfig, 'log'> {
  if (!recordStatement) return {};
  return {
    log: (event) =>
      recordStatement({
        sql: event.query.sql,
        durationMs: event.queryDurationMillis,
        error: event.level === 'error' ? event.error : null,
      }),
  };
}
