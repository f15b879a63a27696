import { setTimeout as pause } from 'node:timers/promises';
import { Hono } from 'hono';
import type { Metrics } from '../system/metrics.ts';
import type { HttpEnv } from './context.ts';
import { sendJson } from './json.ts';

/** The process's phase. It accepts requests only while it is ready. */
export interface Readiness {
  phase: 'starting' | 'migrating' | 'ready' | 'draining';
}

/** Status of an optional component: its failure is reported, but does not make the service unready. */
export type ComponentStatuses = Readonly<Record<string, { status: string; height?: number; since?: string }>>;

/** Checks of the acquirers' accounts. */
export interface AcquirerStatuses {
  status: string;
}

/** Less than Prometheus waits for a scrape. */
const DATABASE_TIMEOUT_MS = 2000;

/**
 * Endpoints for orchestrators and monitoring. `ping` rejects if the database does not respond. `chains` and `acquirers`
 * report statuses that do not affect readiness: every process shares them, so a load balancer would remove all
 * processes. The account area, in which the operator corrects the credentials, would be unavailable too.
 */
export function healthRoutes(options: {
  ping: () => Promise<void>;
  chains: () => Promise<ComponentStatuses>;
  acquirers: () => AcquirerStatuses;
  metrics: Metrics;
  readiness: Readiness;
}): Hono<HttpEnv> {
  const { ping, chains, acquirers, metrics, readiness } = options;
  return new Hono<HttpEnv>()
    .get('/healthz', (context) => {
      // For `paylatch doctor`, which sends no such header itself.
      const { isForwarder } = context.get('client');
      return sendJson(context, { status: 'alive', ...(isForwarder && { proxy: 'untrusted' }) });
    })
    .get('/readyz', async (context) => {
      if (readiness.phase !== 'ready') return sendJson(context, { status: readiness.phase }, 503);
      const isDatabaseUp = await ping().then(
        () => true,
        () => false,
      );
      if (!isDatabaseUp) return sendJson(context, { status: 'database_unavailable' }, 503);
      return sendJson(context, { status: 'ready', chains: await chains(), acquirers: acquirers() });
    })
    .get('/metrics', async (context) => {
      // Updates the metrics of chains and acquirers. Metrics are served even if the database does not respond.
      const reads = Promise.all([ping(), chains()]).then(
        () => true,
        () => false,
      );
      const isDatabaseUp = await Promise.race([reads, pause(DATABASE_TIMEOUT_MS, false, { ref: false })]);
      metrics.ready.set(readiness.phase === 'ready' && isDatabaseUp ? 1 : 0);
      acquirers();
      return context.text(await metrics.registry.metrics(), 200, { 'Content-Type': metrics.registry.contentType });
    });
}
