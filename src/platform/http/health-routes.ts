import { Hono } from 'hono';
import { type Database, pingDatabase } from '../database/database.ts';
import type { Metrics } from '../metrics.ts';
import { Problem } from '../problem.ts';
import type { HttpEnv } from './context.ts';

/** Whether this process takes new work; false while it starts and drains. */
export interface Readiness {
  ready: boolean;
}

/** What an orchestrator and a monitor ask. */
export function healthRoutes(options: { database: Database; metrics: Metrics; readiness: Readiness }): Hono<HttpEnv> {
  return new Hono<HttpEnv>()
    .get('/healthz', (context) => context.json({ status: 'alive' }))
    .get('/readyz', async (context) => {
      if (!options.readiness.ready) throw new Problem('unavailable', 'The process is starting or ending.');
      await pingDatabase(options.database).catch((cause: unknown) => {
        throw new Problem('unavailable', 'The database does not answer.', { cause });
      });
      return context.json({ status: 'ready' });
    })
    .get('/metrics', async (context) => {
      options.metrics.ready.set(options.readiness.ready ? 1 : 0);
      return context.text(await options.metrics.registry.metrics(), 200, {
        'Content-Type': options.metrics.registry.contentType,
      });
    });
}
