import { Hono } from 'hono';
import type { Metrics } from '../system/metrics.ts';
import type { HttpEnv } from './context.ts';

/** What this process is about; it takes new work only while it is ready. */
export interface Readiness {
  phase: 'starting' | 'migrating' | 'ready' | 'draining';
}

/** What is told of a part that the service can do without: with trouble it goes on, and says so. */
export type PartReport = Readonly<Record<string, { status: string; height?: number; since?: string }>>;

/**
 * What an orchestrator and a monitor ask. `ping` rejects when the database does not answer; `chains` tells
 * what is known of them, and takes no work from the process.
 */
export function healthRoutes(options: {
  ping: () => Promise<void>;
  chains: () => Promise<PartReport>;
  metrics: Metrics;
  readiness: Readiness;
}): Hono<HttpEnv> {
  const { ping, chains, metrics, readiness } = options;
  return new Hono<HttpEnv>()
    .get('/healthz', (context) => context.json({ status: 'alive' }))
    .get('/readyz', async (context) => {
      if (readiness.phase !== 'ready') return context.json({ status: readiness.phase }, 503);
      const answers = await ping().then(
        () => true,
        () => false,
      );
      if (!answers) return context.json({ status: 'database_silent' }, 503);
      return context.json({ status: 'ready', chains: await chains() });
    })
    .get('/metrics', async (context) => {
      metrics.ready.set(readiness.phase === 'ready' ? 1 : 0);
      // Measures them. Figures are shown where the database does not answer, too.
      await chains().catch(() => undefined);
      return context.text(await metrics.registry.metrics(), 200, { 'Content-Type': metrics.registry.contentType });
    });
}
