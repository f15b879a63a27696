import { Hono } from 'hono';
import type { Metrics } from '../system/metrics.ts';
import type { HttpEnv } from './context.ts';

/** The process's phase. It accepts requests only while it is ready. */
export interface Readiness {
  phase: 'starting' | 'migrating' | 'ready' | 'draining';
}

/** Status of an optional component: its failure is reported, but does not make the service unready. */
export type ComponentStatuses = Readonly<Record<string, { status: string; height?: number; since?: string }>>;

/**
 * Endpoints for orchestrators and monitoring. `ping` rejects if the database does not respond. `chains` reports the
 * chains' statuses, which do not affect readiness.
 */
export function healthRoutes(options: {
  ping: () => Promise<void>;
  chains: () => Promise<ComponentStatuses>;
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
      if (!answers) return context.json({ status: 'database_unavailable' }, 503);
      return context.json({ status: 'ready', chains: await chains() });
    })
    .get('/metrics', async (context) => {
      metrics.ready.set(readiness.phase === 'ready' ? 1 : 0);
      // Updates the chains' metrics. Metrics are served even if the database does not respond.
      await chains().catch(() => undefined);
      return context.text(await metrics.registry.metrics(), 200, { 'Content-Type': metrics.registry.contentType });
    });
}
