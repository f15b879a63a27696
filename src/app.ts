import type { Module } from './http/module.ts';
import { fileRoutes } from './assets/file-routes.ts';
import { authModule } from './auth/module.ts';
import { paymentModule } from './payments/module.ts';
import { withdrawalAuditSubjects } from './withdrawals/audit-subjects.ts';
import { walletAuditSubjects } from './wallets/audit-subjects.ts';
import { invoiceAuditSubjects } from './invoices/audit-subjects.ts';
import { paymentAuditSubjects } from './payments/audit-subjects.ts';
import { methodAuditSubjects } from './methods/audit-subjects.ts';
import { authAuditSubjects } from './auth/audit-subjects.ts';
import { merchantAuditSubjects } from './merchants/audit-subjects.ts';
import { hashPlainRequestNames } from './payments/plain-keys.ts';
import type { Principal, ServeApi } from './operations/principal.ts';
import { eventSubjects } from './event-subjects.ts';
import { createDeliveryJob } from './webhooks/deliver.ts';
import { createEventLog } from './webhooks/events.ts';
import { createOutbox, DELIVERY_JOB } from './webhooks/outbox.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { createWebhookSigner } from './webhooks/signing.ts';
import { watchCallbackUrl } from './webhooks/url-changes.ts';
import { type AccountOnChain, connectChains } from './chains/connect.ts';
import type { SimulatedChain } from './chains/simulated/chain.ts';
import { type ChainName, chainNames } from './shared/crypto-currency.ts';
import type { ProblemDocument } from './api/problem.ts';
import { COIN_PAYMENTS_JOB, followCoinPayments } from './invoices/coin-payments/follow.ts';
import { createCoinProvider } from './invoices/coin-payments/provider.ts';
import { openAddressMarks } from './wallets/address-marks.ts';
import { type Crypto, openCrypto } from './crypto.ts';
import { invoicePageRoutes } from './invoices/page-routes.ts';
import type { InvoicePages } from './invoices/pages.ts';
import { createTableCoinRates } from './rates/coins.ts';
import { type ChainSimulatorPages, chainSimulatorRoutes } from './invoices/simulator/routes.ts';
import { scanJobName } from './chains/cursor.ts';
import { invoiceRoutes } from './invoices/routes.ts';
import { watchRotationAmounts } from './invoices/rotate.ts';
import { findTimeline } from './wallets/accounts.ts';
import { guardDestinations } from './withdrawals/destinations.ts';
import { withdrawalRoutes } from './withdrawals/routes.ts';
import { loadSeed } from './withdrawals/seed.ts';
import { createAuthenticate } from './auth/authentication.ts';
import { merchantRoutes } from './merchants/routes.ts';
import { createIdentifyPerson } from './auth/access.ts';
import { createPeopleContext, type PeopleContext } from './auth/context.ts';
import { sealSecondFactors } from './auth/second-factor.ts';
import { type AuditSubjects, createTrail } from './audit/recorder.ts';
import type { PreferenceWatcher } from './merchants/preferences/set.ts';
import { failedWebhooksQuery } from './webhooks/queries.ts';
import { pendingReviews } from './invoices/pending-reviews.ts';
import { createWebhookSecrets, type WebhookSecrets } from './webhooks/secrets.ts';
import type { SupportsMethod } from './methods/availability.ts';
import { tableRates } from './rates/table.ts';
import { methodRoutes } from './methods/routes.ts';
import { createTransactionWriter } from './payments/transaction-writer.ts';
import { createMerchantTerms } from './payments/merchant-terms.ts';
import { createProofOfWork } from './payments/card/proof-of-work.ts';
import { createClientTokens } from './payments/links/client-token.ts';
import type { PaymentsContext } from './payments/context.ts';
import { isFrameRequest } from './payments/links/embedding.ts';
import type { PaymentPages } from './payments/links/pages.ts';
import { applyOutcome } from './payments/card/outcome.ts';
import { applyReceipts } from './payments/push/receipts.ts';
import { type Clock, systemClock } from './system/clock.ts';
import type { Config } from './system/config.ts';
import { type Database, pingDatabase } from './database/database.ts';
import { claimEnvironment, migrateFor } from './migrations/environment.ts';
import { openDatabase } from './database/open.ts';
import { type CountryOfAddress, openCountryDatabase } from './http/geo.ts';
import { createHttpApplication } from './http/application.ts';
import { createClientLocator } from './http/client-address.ts';
import type { HttpContext } from './http/context.ts';
import type { DrawnPage, PageLanguage } from './http/drawn-page.ts';
import { createEventStreams } from './http/event-stream.ts';
import { createIdempotencyStore } from './operations/idempotency.ts';
import { createRequireWithin } from './http/rate-limits.ts';
import { hashPlainKeys } from './operations/plain-keys.ts';
import { healthRoutes, type Readiness } from './http/health-routes.ts';
import { createRefuse } from './http/refusal.ts';
import { createPageEvents } from './http/page-events.ts';
import { securityTextRoutes } from './http/security-text-routes.ts';
import { textRoutes } from './http/text-routes.ts';
import { createServeOperation, type Identify } from './operations/serve.ts';
import type { Refuse } from './http/server.ts';
import { createPostOutside, type PostOutside } from './http/outbound.ts';
import { createJobRunner, type JobRunner } from './jobs/runner.ts';
import { createLimitSweep, createMemoryLimiter, createSharedLimiter } from './http/rate-limiter.ts';
import { describeError, type Log } from './system/log.ts';
import { createMetrics, type Metrics } from './system/metrics.ts';
import { type Random, systemRandom } from './system/random.ts';
import { sealingKeysOf } from './system/sealed.ts';
import { loadSigningKey } from './database/service-key.ts';
import {
  type Acquirer,
  type AcquirerListeners,
  type AcquirerPages,
  connectAcquirers,
  createAcquirers,
  isSupported,
} from './acquirers/registry.ts';
import type { CardAcquirer } from './acquirers/port.ts';
import { type RenderReference, referenceRoutes } from './http/reference-routes.ts';
import type { Release } from './assets/release.ts';
import { widgetRoutes } from './assets/widget-routes.ts';

/** What is drawn for browsers, and where the built scripts are. */
export interface Pages extends PaymentPages, InvoicePages, ChainSimulatorPages, AcquirerPages {
  /** A problem, for a person who followed a link. */
  renderProblemPage: (problem: ProblemDocument, acceptLanguage: string | undefined) => DrawnPage;
  /** A problem, in place of a page that was to stand in a frame. */
  renderFrameRefusal: (problem: ProblemDocument, language: PageLanguage) => DrawnPage;
  /** The account area: one page for all of its addresses. */
  renderAccountPage: (language: PageLanguage) => DrawnPage;
  /** The API's document, to read. */
  renderReference: RenderReference;
  /** The folder that holds `assets/`, and for the sandbox `sandbox/assets/`. */
  folder: string;
  /** What is built for the pages of merchants. */
  release: Release;
}

export interface ServiceOptions {
  config: Config;
  log: Log;
  pages: Pages;
  /** Those of the process; its own unless given. */
  metrics?: Metrics;
  readiness?: Readiness;
  /** What comes from outside; the machine's own unless given. */
  clock?: Clock;
  random?: Random;
  post?: PostOutside;
  countryOfAddress?: CountryOfAddress;
  /** How much one try of a challenge takes; as much as buyers are to be asked for unless given. */
  challengeIterations?: number;
  /** What a password's hash costs; as much as it should unless given. */
  passwordCost?: { log2N: number; r: number; p: number };
  /** Whether simulated chains have their keys here; they do unless told otherwise. */
  simulatedKeys?: boolean;
  /** Account keys of simulated chains in another notation; of the same accounts. */
  simulatedAccountKeys?: Partial<Record<ChainName, string>>;
  /** Wraps the card acquirer, for tests of acquirers that fail. */
  wrapCardAcquirer?: (acquirer: CardAcquirer) => CardAcquirer;
}

export interface Service {
  fetch: ReturnType<typeof createHttpApplication>['fetch'];
  /** What is answered to a request that comes to no route. */
  refuse: Refuse;
  /** Every route that it serves, as patterns. */
  routes: readonly { method: string; path: string }[];
  database: Database;
  jobs: JobRunner;
  readiness: Readiness;
  payments: PaymentsContext;
  invoices: Crypto;
  people: PeopleContext;
  webhookSecrets: WebhookSecrets;
  /** Run with every change of a preference. */
  preferenceWatchers: readonly PreferenceWatcher[];
  /** Those of the sandbox that no real node stands in for. */
  simulatedChains: Readonly<Partial<Record<ChainName, SimulatedChain>>>;
  /** Begins the end: no new work, and what would go on for long is ended; requests that are being answered go on. */
  drain(): void;
  close(): Promise<void>;
}

/** The objects of every audited operation. */
export function auditSubjects(database: Database): AuditSubjects {
  return {
    ...merchantAuditSubjects(database),
    ...authAuditSubjects(database),
    ...methodAuditSubjects(database),
    ...paymentAuditSubjects(database),
    ...invoiceAuditSubjects(database),
    ...walletAuditSubjects(database),
    ...withdrawalAuditSubjects(database),
  };
}

/** Puts the whole service together; it serves once `fetch` is connected to a server and `jobs` is started. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { config, log, pages } = options;
  const clock = options.clock ?? systemClock();
  const random = options.random ?? systemRandom;
  const metrics = options.metrics ?? createMetrics();
  const { environment, publicUrl } = config;
  const sandbox = environment === 'sandbox';
  const https = publicUrl.startsWith('https:');

  const database = openDatabase(
    config.databaseUrl,
    (error) => log.warn({ error: describeError(error) }, 'a database connection that was idle or listening broke'),
    { maxConnections: config.databaseConnections, prepares: config.preparedStatements },
  );
  const migrated = await migrateFor(environment, database);
  if (migrated.length > 0) log.info({ migrations: migrated }, 'database migrated');
  await claimEnvironment(environment, database);
  const serviceKey = await loadSigningKey(database, random, config.secretKey);
  const sealingKeys = sealingKeysOf(config);
  const webhookSecrets = createWebhookSecrets(random, sealingKeys);
  await webhookSecrets.sealAll(database);
  const clientTokens = createClientTokens(serviceKey);
  const idempotency = createIdempotencyStore({ database, clock, key: serviceKey });
  await hashPlainKeys(database, idempotency.hashKey);
  await hashPlainRequestNames(database, idempotency.hashKey);
  const requireWithin = createRequireWithin({
    limiters: {
      token: createMemoryLimiter(config.limits.token, clock),
      oauth_client: createMemoryLimiter(config.limits.oauth_client, clock),
      oauth_address: createMemoryLimiter(config.limits.oauth_address, clock),
      page: createMemoryLimiter(config.limits.page, clock),
      page_state: createMemoryLimiter(config.limits.page_state, clock),
      submit_address: createSharedLimiter(config.limits.submit_address, clock, database),
      submit_card: createSharedLimiter(config.limits.submit_card, clock, database),
      sign_in_address: createSharedLimiter(config.limits.sign_in_address, clock, database),
      sign_in_person: createSharedLimiter(config.limits.sign_in_person, clock, database),
    },
    metrics,
    key: serviceKey,
  });

  const challenges = createProofOfWork({
    database,
    clock,
    random,
    metrics,
    key: serviceKey,
    quota: config.limits.submit_address,
    ...(options.challengeIterations !== undefined && { iterations: options.challengeIterations }),
  });
  const signer = createWebhookSigner(serviceKey);
  const post = options.post ?? createPostOutside({ allowLoopback: sandbox });
  const outbox = createOutbox({ clock, random });
  const seed = chainNames.some((name) => config[name]) ? await loadSeed(database, config) : null;
  const accounts = await connectChains(config, clock, seed);
  const simulated = sandbox
    ? await simulateMissing(accounts, {
        ...{ database, clock, random, serviceKey, canSign: options.simulatedKeys !== false },
        accountKeys: options.simulatedAccountKeys,
      })
    : [];
  const simulatedChains = Object.fromEntries(simulated.map(({ name, chain }) => [name, chain]));
  const coinPayments = followCoinPayments(() => invoices.context, {
    onPayment: async (instructionsKey) => (await applyReceipts(payments, instructionsKey, null)) !== null,
    wake: () => jobs.wake([COIN_PAYMENTS_JOB]),
  });
  const invoices = await openCrypto(
    {
      news: coinPayments.news,
      ...{ database, clock, random, log, metrics, outbox, publicUrl, sandbox, simulatedChains },
      addresses: {
        marks: config.addressMarks === null ? null : await openAddressMarks(config.addressMarks),
        gapLimit: config.addressGapLimit,
        timeline: await findTimeline(database),
      },
      destinationDelay: config.withdrawalDestinationDelay,
      withdrawalLimits: config.withdrawalLimits,
      rates: createTableCoinRates(tableRates),
    },
    [...accounts, ...simulated],
  );
  const adapters: readonly Acquirer[] = [
    ...createAcquirers({ database, clock, random, publicUrl, environment, pages }),
    { push: createCoinProvider(invoices.context) },
  ];
  const acquirers = connectAcquirers(adapters, {
    metrics,
    ...(options.wrapCardAcquirer && { wrapCard: options.wrapCardAcquirer }),
  });
  const supportsMethod: SupportsMethod = (method) => isSupported(acquirers, method);
  const payments: PaymentsContext = {
    ...{
      database,
      clock,
      random,
      log,
      metrics,
      outbox,
      clientTokens,
      requireWithin,
      proofOfWork: challenges,
      publicUrl,
      isSandbox: sandbox,
    },
    ...{ acquirers, supportsMethod },
    rates: tableRates,
    merchantTerms: createMerchantTerms(database, supportsMethod),
    transactionWriter: createTransactionWriter(database),
  };
  const listeners: AcquirerListeners = {
    async onOutcome(attemptKey, outcome) {
      await applyOutcome(payments, attemptKey, outcome);
    },
    async onPushPayment(instructionsKey, payment) {
      await applyReceipts(payments, instructionsKey, payment);
    },
  };

  const catchUp = async (chain: ChainName) => {
    await jobs.catchUp([scanJobName(chain)]);
    await jobs.catchUp([COIN_PAYMENTS_JOB]);
  };

  const streams = createEventStreams({ clock, random, metrics, most: config.mostStreams });
  const pageEvents = createPageEvents({ announcements: database.announcements, clock, log }, streams);

  await database.listen();
  const readiness = options.readiness ?? { phase: 'starting' };
  const eventLog = createEventLog({ database, clock, key: serviceKey });
  const drain = () => {
    readiness.phase = 'draining';
    streams.close();
    eventLog.close();
  };
  const preferenceWatchers = [watchCallbackUrl({ clock, random, outbox }), watchRotationAmounts(invoices.context)];
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
    https,
    renderProblem: (context, problem) => renderProblemPage(pages, context, problem),
  });
  const people = createPeopleContext({
    ...{ database, clock, random, environment, publicUrl, requireWithin, serviceKey, sealingKeys },
    ...(options.passwordCost && { passwordCost: options.passwordCost }),
  });
  await sealSecondFactors(database, people.secondFactors);
  const identifyPerson = createIdentifyPerson(people);
  const identify: Identify<Principal> = async (http, described) => {
    const credential = http.req.header('authorization');
    const person = credential === undefined ? await identifyPerson(http, described) : null;
    const caller = person ?? (await authenticate(credential, described));
    const headers = await requireWithin('token', caller.limitedAs ?? caller.identity);
    for (const [name, value] of Object.entries(headers)) http.header(name, value);
    return caller;
  };
  const serve: ServeApi = createServeOperation({
    ...{ database, clock, identify, idempotency },
    trail: createTrail({ database, clock, subjects: auditSubjects(database) }),
  });
  const modules: readonly Module[] = [
    {
      routes: [
        healthRoutes({ ping: () => pingDatabase(database), chains: () => invoices.report(), metrics, readiness }),
        securityTextRoutes({ clock, publicUrl, contacts: config.securityContacts }),
        textRoutes(pages),
        referenceRoutes({ version: pages.release.version, publicUrl, render: pages.renderReference }),
        widgetRoutes({ release: pages.release, publicUrl, sandbox }),
        fileRoutes({ folder: pages.folder, sandbox }),
      ],
      jobs: [createLimitSweep(database, clock), idempotency.sweep, pageEvents.job],
    },
    {
      routes: [
        merchantRoutes({
          ...{ database, clock, environment, serve },
          guard: guardDestinations(invoices.context),
          watchers: preferenceWatchers,
        }),
        methodRoutes({ database, clock, serve, supportsMethod }),
      ],
    },
    authModule({ context: people, pages, pageEvents, identifyPerson, webhookSecrets, serve }),
    {
      routes: [
        webhookRoutes({
          ...{ database, clock, random, post, signer, webhookSecrets, eventLog, publicUrl, serve },
          subjects: eventSubjects,
        }),
      ],
      jobs: [
        createDeliveryJob({
          ...{ database, clock, random, log, metrics, post, signer, webhookSecrets, subjects: eventSubjects },
          wake: () => jobs.wake([DELIVERY_JOB]),
        }),
      ],
    },
    paymentModule({
      ...{ context: payments, pages, pageEvents, eventLog, identify, serve },
      pendingWork: { pendingReviews, failedWebhooks: failedWebhooksQuery },
    }),
    {
      routes: [
        invoiceRoutes({ context: invoices.context, serve }),
        withdrawalRoutes({ context: invoices.context, serve }),
        invoicePageRoutes({ context: invoices.context, pages, pageEvents, requireWithin }),
        ...(simulated.length > 0 ? [chainSimulatorRoutes({ context: invoices.context, pages, catchUp })] : []),
      ],
      jobs: [...invoices.jobs, coinPayments.job],
    },
    ...adapters.map(({ routes, jobs: create }) => ({
      routes: routes?.(listeners) ?? [],
      jobs: create?.(listeners) ?? [],
    })),
  ];
  const jobs = createJobRunner(
    modules.flatMap((module) => module.jobs ?? []),
    { database, clock, log, metrics },
  );
  for (const routes of modules.flatMap((module) => module.routes ?? [])) application.route('/', routes);
  if (config.demoShop) application.get('/', (context) => context.redirect(`http://localhost:${config.port + 1}/`));

  return {
    fetch: application.fetch,
    refuse: createRefuse({ log, random, https }),
    routes: application.routes.filter(({ method }) => method !== 'ALL'),
    database,
    jobs,
    readiness,
    payments,
    invoices,
    people,
    webhookSecrets,
    preferenceWatchers,
    simulatedChains,
    drain,
    async close() {
      drain();
      await jobs.stop();
      await invoices.close();
      await database.close();
    },
  };
}

/** Chains for the sandbox in place of those that no node is set up for. */
async function simulateMissing(
  accounts: readonly AccountOnChain[],
  {
    accountKeys = {},
    ...options
  }: {
    database: Database;
    clock: Clock;
    random: Random;
    serviceKey: Uint8Array;
    canSign: boolean;
    accountKeys: ServiceOptions['simulatedAccountKeys'];
  },
) {
  const { connectSimulated } = await import('./chains/simulated/connect.ts');
  const missing = chainNames.filter((name) => accounts.every((each) => each.name !== name));
  return await Promise.all(
    missing.map(async (name) => await connectSimulated({ ...options, name, accountKey: accountKeys[name] })),
  );
}

/** People who follow a link get a page, a frame gets what it can tell the page around it; programs get the problem document. */
export function renderProblemPage(pages: Pages, context: HttpContext, problem: ProblemDocument): Response | null {
  if (context.req.method !== 'GET' && !isFormPost(context)) return null;
  const acceptLanguage = context.req.header('accept-language');
  if (isFrameRequest(context)) {
    const language = { locale: context.req.query('locale'), acceptLanguage };
    const response = answerPage(context, pages.renderFrameRefusal(problem, language), problem.status);
    response.headers.set('Cross-Origin-Resource-Policy', 'cross-origin');
    return response;
  }
  if (!(context.req.header('accept') ?? '').includes('text/html')) return null;
  return answerPage(context, pages.renderProblemPage(problem, acceptLanguage), problem.status);
}

/** What a page posts that has no script; a program says that it takes problem documents by asking for no page. */
function isFormPost({ req }: HttpContext): boolean {
  return req.method === 'POST' && (req.header('content-type') ?? '').startsWith('application/x-www-form-urlencoded');
}

function answerPage(context: HttpContext, { html, contentSecurityPolicy }: DrawnPage, status: number): Response {
  const response = context.html(html, status as 400);
  if (response instanceof Promise) throw new Error('A page was not drawn at once');
  response.headers.set('Content-Security-Policy', contentSecurityPolicy);
  return response;
}
