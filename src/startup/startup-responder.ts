import { createHttpApplication } from '../http/application.ts';
import { createClientLocator } from '../http/client-address.ts';
import { createRefuse } from '../http/refusal.ts';
import { healthRoutes, type Readiness } from '../http/health-routes.ts';
import type { Log } from '../system/log.ts';
import type { Metrics } from '../system/metrics.ts';
import { Problem } from '../api/problem-error.ts';
import { systemRandom } from '../system/random.ts';
import type { Config } from '../config.ts';
import { type Pages, renderProblemPage } from '../app.ts';

/** What those hear who are turned away. */
const explanations = {
  starting: 'The service is starting. Try again in a moment.',
  migrating: 'The service is being upgraded. Try again in a few minutes.',
  // Whoever comes while the phase changes finds the service at the next try.
  ready: 'The service is starting. Try again in a moment.',
  draining: 'The service is being restarted. Try again in a moment.',
} as const satisfies Record<Readiness['phase'], string>;

const RETRY_AFTER_SECONDS = 5;

/**
 * What answers in place of the service, before there is one and while it ends: that the process lives,
 * that it is not ready and why, and to everybody else to come again.
 */
export function createStandIn(options: {
  config: Config;
  log: Log;
  metrics: Metrics;
  readiness: Readiness;
  pages: Pages;
}) {
  const { config, log, metrics, readiness, pages } = options;
  const https = config.publicUrl.startsWith('https:');
  const application = createHttpApplication({
    log,
    random: systemRandom,
    metrics,
    clients: createClientLocator({
      trustedProxies: config.trustedProxies,
      countryHeader: null,
      countryOfAddress: () => null,
    }),
    https,
    renderProblem: (context, problem) => renderProblemPage(pages, context, problem),
  });
  application.route(
    '/',
    healthRoutes({ ping: () => Promise.resolve(), chains: () => Promise.resolve({}), metrics, readiness }),
  );
  application.all('*', () => {
    throw new Problem('unavailable', explanations[readiness.phase], {
      headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    });
  });
  return { fetch: application.fetch, refuse: createRefuse({ log, random: systemRandom, https }) };
}
