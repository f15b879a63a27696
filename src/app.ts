import { serveStatic } from '@hono/node-server/serve-static';
import { createDeliveryJob } from './callbacks/deliver.ts';
import { createOutbox } from './callbacks/outbox.ts';
import type { NextAction } from './contract/method-catalogue.ts';
import type { ProblemDocument } from './contract/problem.ts';
import { createAuthenticate } from './merchants/authentication.ts';
import { merchantRoutes } from './merchants/routes.ts';
import type { CanCarry } from './methods/availability.ts';
import { tableRates } from './methods/rates.ts';
import { methodRoutes } from './methods/routes.ts';
import { createClientTokens } from './payments/client-token.ts';
import type { PaymentsContext } from './payments/context.ts';
import { asksForFrame } from './payments/embedding.ts';
import { createExpiryJob } from './payments/expire.ts';
import { frameRoutes } from './payments/frame-routes.ts';
import { linkRoutes } from './payments/link-routes.ts';
import type { DrawnPage, PageLanguage, PaymentPages } from './payments/pages.ts';
import { createResolutionJob } from './payments/resolve.ts';
import { paymentRoutes } from './payments/routes.ts';
import { settle } from './payments/settle.ts';
import { receive } from './payments/receive.ts';
import { createInstructionsJob } from './payments/follow-instructions.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import type { Database } from './platform/database/database.ts';
import { migrate } from './platform/database/migrate.ts';
import { openDatabase } from './platform/database/open.ts';
import { type CountryOfAddress, openCountryDatabase } from './platform/geo.ts';
import { createHttpApplication } from './platform/http/application.ts';
import { createClientLocator } from './platform/http/client-address.ts';
import type { HttpContext } from './platform/http/context.ts';
import { healthRoutes, type Readiness } from './platform/http/health-routes.ts';
import { createPostOutside, type PostOutside } from './platform/http/outbound.ts';
import { createJobRunner, type JobRunner } from './platform/jobs.ts';
import { describeError, type Log } from './platform/log.ts';
import { createMetrics } from './platform/metrics.ts';
import { type Random, systemRandom } from './platform/random.ts';
import { loadSigningKey } from './platform/service-key.ts';
import { withDeadlines } from './providers/deadline.ts';
import type { CardProvider } from './providers/port.ts';
import { createSandboxProvider } from './providers/sandbox/provider.ts';
import { createSandboxPushProvider } from './providers/sandbox/push-provider.ts';
import { issuerRoutes, type RenderIssuerPage, simulatorRoutes } from './providers/sandbox/routes.ts';
import type { Release } from './widget/release.ts';
import { widgetRoutes } from './widget/routes.ts';

/** What is drawn for browsers, and where the built scripts are. */
export interface Pages extends PaymentPages {
  renderIssuerPage: RenderIssuerPage;
  /** A problem, for a person who followed a link. */
  renderProblemPage: (problem: ProblemDocument, acceptLanguage: string | undefined) => DrawnPage;
  /** A problem, in place of a page that was to stand in a frame. */
  renderFrameRefusal: (problem: ProblemDocument, language: PageLanguage) => DrawnPage;
  /** What the link page can have the buyer do: a method that ends in something else is not offered. */
  drawnActions: readonly NextAction[];
  /** The folder that holds `assets/`, and for the sandbox `sandbox/assets/`. */
  folder: string;
  /** What is built for the pages of merchants. */
  release: Release;
}

export interface ServiceOptions {
  config: Config;
  log: Log;
  pages: Pages;
  /** What comes from outside; the machine's own unless given. */
  clock?: Clock;
  random?: Random;
  post?: PostOutside;
  countryOfAddress?: CountryOfAddress;
  /** Stands between the service and its provider; for tests that make one misbehave. */
  wrapProvider?: (provider: CardProvider) => CardProvider;
}

export interface Service {
  fetch: ReturnType<typeof createHttpApplication>['fetch'];
  database: Database;
  jobs: JobRunner;
  readiness: Readiness;
  payments: PaymentsContext;
  close(): Promise<void>;
}

/** Puts the whole service together; it serves once `fetch` is connected to a server and `jobs` is started. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { config, log, pages } = options;
  const clock = options.clock ?? systemClock();
  const random = options.random ?? systemRandom;
  const metrics = createMetrics();
  const { environment, publicUrl } = config;
  const sandbox = environment === 'sandbox';

  const database = openDatabase(config.databaseUrl, (error) =>
    log.warn({ error: describeError(error) }, 'an idle database connection broke'),
  );
  const migrated = await migrate(database);
  if (migrated.length > 0) log.info({ migrations: migrated }, 'database migrated');
  const clientTokens = createClientTokens(await loadSigningKey(database, random, config.secretKey));

  const outbox = createOutbox({ clock, random, wake: () => jobs.wake() });
  const canCarry: CanCarry = (method) => pages.drawnActions.includes(method.action) && isCarried(method);
  const isCarried: CanCarry = (method) =>
    method.action === 'card' ? payments.cardProvider !== null : (payments.pushProvider?.carries(method) ?? false);
  const payments: PaymentsContext = {
    database,
    clock,
    random,
    log,
    metrics,
    outbox,
    rates: tableRates,
    canCarry,
    clientTokens,
    cardProvider: null,
    pushProvider: null,
    publicUrl,
    sandbox,
  };
  const sandboxProvider = sandbox
    ? createSandboxProvider({
        database,
        clock,
        random,
        publicUrl,
        onOutcome: async (attemptKey, outcome) => {
          await settle(payments, attemptKey, outcome);
        },
      })
    : null;
  const sandboxPushProvider = sandbox
    ? createSandboxPushProvider({
        database,
        clock,
        random,
        publicUrl,
        inUsd: (currency) => tableRates.rate(currency, 'USD'),
        onPayment: async (instructionsKey, payment) => {
          await receive(payments, instructionsKey, payment);
        },
      })
    : null;
  payments.pushProvider = sandboxPushProvider;
  if (sandboxProvider) {
    payments.cardProvider = withDeadlines(options.wrapProvider?.(sandboxProvider) ?? sandboxProvider);
  }

  const jobs = createJobRunner(
    [
      createDeliveryJob({
        database,
        clock,
        random,
        log,
        metrics,
        wake: () => jobs.wake(),
        post: options.post ?? createPostOutside({ allowLoopback: sandbox }),
      }),
      createResolutionJob(payments),
      createInstructionsJob(payments),
      createExpiryJob(payments),
      ...(sandboxPushProvider ? [sandboxPushProvider.lateJob] : []),
      ...(sandboxProvider ? [sandboxProvider.notificationJob] : []),
    ],
    { log, metrics },
  );

  const readiness: Readiness = { ready: false };
  const authenticate = createAuthenticate({ database, clock, environment });
  const application = createHttpApplication({
    log,
    random,
    metrics,
    clients: createClientLocator({
      trustedProxies: config.trustedProxies,
      countryHeader: config.countryHeader,
      countryOfAddress: options.countryOfAddress ?? openCountryDatabase(config.countryDatabase),
    }),
    https: publicUrl.startsWith('https:'),
    renderProblem: (context, problem) => renderProblemPage(pages, context, problem),
  });
  application.route('/', healthRoutes({ database, metrics, readiness }));
  application.route('/', merchantRoutes({ database, clock, environment, authenticate }));
  application.route('/', methodRoutes({ database, clock, authenticate, canCarry }));
  application.route('/', paymentRoutes({ context: payments, authenticate }));
  application.route('/', linkRoutes({ context: payments, pages }));
  application.route('/', frameRoutes({ context: payments, pages }));
  application.route('/', widgetRoutes({ release: pages.release, publicUrl, sandbox }));
  const assets = serveStatic({ root: pages.folder, precompressed: true, onFound: cacheForever });
  application.get('/assets/*', assets);
  if (sandboxPushProvider) application.route('/', simulatorRoutes({ provider: sandboxPushProvider }));
  if (sandboxProvider) {
    application.route('/', issuerRoutes({ provider: sandboxProvider, render: pages.renderIssuerPage }));
    application.get('/sandbox/assets/*', assets);
  }
  if (config.demoShop) application.get('/', (context) => context.redirect(`http://localhost:${config.port + 1}/`));
  application.get('/icon.svg', serveStatic({ root: pages.folder, onFound: cacheForADay }));
  application.get('/brands/*', serveStatic({ root: pages.folder, onFound: cacheForADay }));

  return {
    fetch: application.fetch,
    database,
    jobs,
    readiness,
    payments,
    async close() {
      readiness.ready = false;
      await jobs.stop();
      await database.close();
    },
  };
}

/** Names of built files hold a hash of their content. */
function cacheForever(_path: string, context: { header(name: string, value: string): void }): void {
  context.header('Cache-Control', 'public, max-age=31536000, immutable');
}

function cacheForADay(_path: string, context: { header(name: string, value: string): void }): void {
  context.header('Cache-Control', 'public, max-age=86400');
}

/** People who follow a link get a page, a frame gets what it can tell the page around it; programs get the problem document. */
function renderProblemPage(pages: Pages, context: HttpContext, problem: ProblemDocument): Response | null {
  if (context.req.method !== 'GET') return null;
  const acceptLanguage = context.req.header('accept-language');
  if (asksForFrame(context)) {
    const language = { locale: context.req.query('locale'), acceptLanguage };
    const response = answerPage(context, pages.renderFrameRefusal(problem, language), problem.status);
    response.headers.set('Cross-Origin-Resource-Policy', 'cross-origin');
    return response;
  }
  if (!(context.req.header('accept') ?? '').includes('text/html')) return null;
  return answerPage(context, pages.renderProblemPage(problem, acceptLanguage), problem.status);
}

function answerPage(context: HttpContext, { html, contentSecurityPolicy }: DrawnPage, status: number): Response {
  const response = context.html(html, status as 400);
  if (response instanceof Promise) throw new Error('A page was not drawn at once');
  response.headers.set('Content-Security-Policy', contentSecurityPolicy);
  return response;
}
