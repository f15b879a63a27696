import { Hono } from 'hono';
import type { Metrics } from '../metrics.ts';
import type { HttpEnv } from './context.ts';

/** What this process is about; it takes new work only while it is ready. */
export interface Readiness {
  phase: 'starting' | 'migrating' | 'ready' | 'draining';
}

/** What an orchestrator and a monitor ask. `ping` rejects when the database does not answer. */
export function healthRoutes(options: {
  ping: () => Promise<void>;
  metrics: Metrics;
  readiness: Readiness;
}): Hono<HttpEnv> {
  const { ping, metrics, readiness } = options;
  return new Hono<HttpEnv>()
    .get('/healthz', (context) => context.json({ status: 'alive' }))
    .get('/readyz', async (context) => {
      if (readiness.phase !== 'ready') return context.json({ status: readiness.phase }, 503);
      const answers = await ping().then(
        () => true,
        () => false,
      );
      return answers ? context.json({ status: 'ready' }) : context.json({ status: 'database_silent' }, 503);
    })
    .get('/metrics', async (context) => {
      metrics.ready.set(readiness.phase === 'ready' ? 1 : 0);
      return context.text(await metrics.registry.metrics(), 200, { 'Content-Type': metrics.registry.contentType });
    });
}
