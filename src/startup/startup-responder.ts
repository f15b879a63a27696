import { createHttpApplication } from '../http/application.ts';
import { createClientLocator } from '../http/client-address.ts';
import { createErrorResponder } from '../http/error-responses.ts';
import { healthRoutes, type Readiness } from '../http/health-routes.ts';
import type { Log } from '../system/log.ts';
import type { Metrics } from '../system/metrics.ts';
import { Problem } from '../api/problem-error.ts';
import { systemRandom } from '../system/random.ts';
import type { Config } from '../config.ts';
import type { Pages } from '../app.ts';
import { renderProblemPage } from '../problem-page.ts';

/** Problem details while the service is not ready. */
const explanations = {
  starting: 'The service is starting. Try again in a moment.',
  migrating: 'The service is being upgraded. Try again in a few minutes.',
  // For a request that arrives while the phase changes.
  ready: 'The service is starting. Try again in a moment.',
  draining: 'The service is being restarted. Try again in a moment.',
} as const satisfies Record<Readiness['phase'], string>;

const RETRY_AFTER_SECONDS = 5;

/**
 * Responds in place of the service while it starts or drains: to health checks with the phase, and to all other
 * requests with 503.
 */
export function createStartupResponder(options: {
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
      log,
    }),
    https,
    renderProblem: (context, problem) => renderProblemPage(pages, context, problem, config.environment === 'sandbox'),
  });
  application.route(
    '/',
    healthRoutes({
      ...{ ping: () => Promise.resolve(), chains: () => Promise.resolve({}), metrics, readiness },
      acquirers: () => ({ status: 'none', accounts: [] }),
    }),
  );
  application.all('*', () => {
    throw new Problem('unavailable', explanations[readiness.phase], {
      headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    });
  });
  return { fetch: application.fetch, respondToFault: createErrorResponder({ log, random: systemRandom, https }) };
}
