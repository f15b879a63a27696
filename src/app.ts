import { join } from 'node:path';
import type { Module } from './http/context.ts';
import { fileRoutes } from './assets/file-routes.ts';
import { authModule } from './auth/module.ts';
import { paymentModule } from './payments/module.ts';
import { hashPlainRequestKeys } from './payments/plain-keys.ts';
import type { ServeApi } from './operations/principal.ts';
import { auditSubjects, eventSubjects } from './subjects.ts';
import { type ProblemPages, renderProblemPage } from './problem-page.ts';
import { createEventLog } from './webhooks/events.ts';
import { createOutbox } from './webhooks/outbox.ts';
import { webhookModule } from './webhooks/module.ts';
import { createWebhookSigner } from './webhooks/signing.ts';
import { watchCallbackUrl } from './webhooks/url-changes.ts';
import { connectChains, simulateUnconfigured } from './chains/connect.ts';
import type { SimulatedChain } from './chains/simulated/chain.ts';
import { type ChainName, chainNames } from './shared/crypto-currency.ts';
import { eraseFromLinkPayments } from './invoices/link-payments/erase.ts';
import { linkPaymentAccount } from './invoices/link-payments/push-acquirer.ts';
import { openAddressMarks } from './wallets/address-marks.ts';
import { type CryptoPayments, cryptoModule, openCrypto } from './crypto.ts';
import type { InvoicePages } from './invoices/pages.ts';
import { createFetchText } from './rates/fetch-text.ts';
import { openLiveRates, openSandboxRates, type Rates, ratesModule } from './rates/module.ts';
import type { FetchText } from './rates/port.ts';
import { type ChainSimulatorPages, chainSimulatorRoutes } from './invoices/simulator/routes.ts';
import { rotateOnLoweredAmount } from './invoices/rotate.ts';
import { findTimelineQuery } from './wallets/accounts.ts';
import { guardDestinations } from './withdrawals/destinations.ts';
import { loadSeed } from './withdrawals/seed.ts';
import { createIdentify } from './auth/authentication.ts';
import { createLogoEncoder } from './merchants/logo/encode.ts';
import { merchantModule } from './merchants/module.ts';
import { createIdentifyUser } from './auth/access.ts';
import { createAuthContext, type AuthContext } from './auth/context.ts';
import { sealSecondFactors } from './auth/second-factor.ts';
import { createAuditLog } from './audit/recorder.ts';
import type { PreferenceWatcher } from './merchants/preferences/set.ts';
import { failedWebhooksQuery } from './webhooks/queries.ts';
import { pendingReviews } from './invoices/pending-reviews.ts';
import { createWebhookSecrets, type WebhookSecrets } from './webhooks/secrets.ts';
import { createGaugesJob } from './gauges.ts';
import type { SupportsMethod } from './methods/availability.ts';
import { methodModule } from './methods/module.ts';
import { createTransactionWriter } from './payments/transaction-writer.ts';
import { createMerchantTerms } from './payments/merchant-terms.ts';
import { createProofOfWork } from './payments/card/proof-of-work.ts';
import { createClientTokens } from './payments/links/client-token.ts';
import { createFormTokens } from './payments/reusable-links/form-token.ts';
import type { PaymentsContext } from './payments/context.ts';
import type { PaymentPages } from './payments/links/pages.ts';
import { type Clock, systemClock } from './system/clock.ts';
import type { Config } from './config.ts';
import { type Database, pingDatabase } from './database/database.ts';
import { movedMerchants } from './cells/moved-merchants.ts';
import { claimCell } from './migrations/cell.ts';
import { claimEnvironment, openMigrated } from './migrations/environment.ts';
import { type CountryOfAddress, openCountryDatabase } from './http/geo.ts';
import { createHttpApplication } from './http/application.ts';
import { createClientLocator } from './http/client-address.ts';
import type { RenderedPage, PageLanguage } from './http/rendered-page.ts';
import { createEventStreams } from './http/event-stream.ts';
import { createIdempotencyStore } from './operations/idempotency.ts';
import { createRateLimitEnforcer } from './http/rate-limits.ts';
import { hashPlainKeys } from './operations/plain-keys.ts';
import type { Readiness } from './http/health-routes.ts';
import { createErrorResponder } from './http/error-responses.ts';
import { createLiveUpdates } from './http/live-updates.ts';
import { httpModule } from './http/module.ts';
import { createServeOperation } from './operations/serve.ts';
import type { ErrorResponder } from './http/server.ts';
import { listEmailRecipients } from './auth/users.ts';
import type { MailPages } from './api/mail.ts';
import { mailModule } from './mail/module.ts';
import { createUnsubscribeTokens } from './mail/opt-outs.ts';
import { createContentSeal, createMailer } from './mail/outbox.ts';
import type { UnsubscribePages } from './mail/routes.ts';
import { createSmtpTransport } from './mail/smtp.ts';
import { createOutboundPost, type OutboundPost } from './http/outbound.ts';
import { createJobRunner, type JobRunner } from './jobs/runner.ts';
import { certificateExpiryMs } from './http/check.ts';
import { createAuditCleanup } from './audit/cleanup.ts';
import { describeError, type Log } from './system/log.ts';
import { createMetrics, type Metrics } from './system/metrics.ts';
import { withCellPrefix, type Random, systemRandom } from './system/random.ts';
import { parseSealingKeys } from './system/sealed.ts';
import type { deriveAccount } from './chains/seed-accounts.ts';
import { noTracer, type Tracer } from './system/tracing.ts';
import { loadServiceKey } from './database/service-key.ts';
import { type AccountStore, createAccountStore } from './acquirers/account-store.ts';
import { type AccountChecks, createAccountChecks } from './acquirers/account-checks.ts';
import { createAcquirerDirectory } from './acquirers/directory.ts';
import type { AcquirerPages } from './acquirers/adapter.ts';
import { createNotificationInbox } from './acquirers/inbox.ts';
import { acquirerModule } from './acquirers/module.ts';
import { builtInAccounts, inProcessAcquirers } from './acquirers/registry.ts';
import { applyNotification } from './payments/notifications.ts';
import { countOpenDisputes } from './payments/disputes.ts';
import type { CardAcquirer } from './acquirers/port.ts';
import type { RenderReference } from './http/reference-routes.ts';
import type { Release } from './assets/release.ts';
import { widgetRoutes } from './assets/widget-routes.ts';

/** Renderers of all pages, and the built files. */
export interface Pages
  extends PaymentPages,
    InvoicePages,
    ChainSimulatorPages,
    AcquirerPages,
    MailPages,
    ProblemPages,
    UnsubscribePages {
  /** The account area: one page for all of its URLs. */
  renderAccountPage: (pathname: string, language: PageLanguage) => RenderedPage;
  /** The API reference. */
  renderReference: RenderReference;
  /** The folder with `assets/`, and for the sandbox `sandbox/assets/`. */
  folder: string;
  /** Built files for merchants' pages. */
  release: Release;
}

export interface ServiceOptions {
  config: Config;
  log: Log;
  pages: Pages;
  /** The process's metrics; new ones by default. */
  metrics?: Metrics;
  readiness?: Readiness;
  /** Sources of time and randomness, and access to the network; the system's by default. */
  clock?: Clock;
  random?: Random;
  post?: OutboundPost;
  /** Sends requests to acquirers. */
  fetch?: typeof fetch;
  /** Fetches from the sources of exchange rates. */
  fetchRates?: FetchText;
  countryOfAddress?: CountryOfAddress;
  /** Returns the expiry of the TLS certificate of `PUBLIC_URL`, in milliseconds since the epoch; null if unknown. */
  certificateExpiryMs?: (publicUrl: string) => Promise<number | null>;
  /** True for the service itself, false for a command that uses it; false by default. */
  isStart?: boolean;
  /** Cost of one attempt at a proof-of-work challenge; the production cost by default. */
  challengeIterations?: number;
  /** Cost of a password hash; the production cost by default. */
  passwordCost?: { log2N: number; r: number; p: number };
  /** The service's key in a new database without a configured one; random by default. */
  newServiceKey?: Uint8Array;
  /** Derives the accounts of simulated chains, which is slow. */
  deriveSandboxAccount?: typeof deriveAccount;
  /** True if this process holds the keys of simulated chains; true by default. */
  simulatedKeys?: boolean;
  /** Account keys of simulated chains in another notation, for the same accounts. */
  simulatedAccountKeys?: Partial<Record<ChainName, string>>;
  /** Wraps the card acquirer, for tests of acquirers that fail. */
  wrapCardAcquirer?: (acquirer: CardAcquirer) => CardAcquirer;
}

export interface Service {
  fetch: ReturnType<typeof createHttpApplication>['fetch'];
  /** Responds to requests that reach no route. */
  respondToFault: ErrorResponder;
  /** All route patterns. */
  routes: readonly { method: string; path: string }[];
  database: Database;
  jobs: JobRunner;
  readiness: Readiness;
  payments: PaymentsContext;
  accountStore: AccountStore;
  /** Checks of acquirer accounts, for the acquirer account API. */
  accountChecks: AccountChecks;
  invoices: CryptoPayments;
  rates: Rates;
  auth: AuthContext;
  webhookSecrets: WebhookSecrets;
  /** Called for every preference change. */
  preferenceWatchers: readonly PreferenceWatcher[];
  /** Simulated chains of the sandbox: those without a configured node. */
  simulatedChains: Readonly<Partial<Record<ChainName, SimulatedChain>>>;
  /** Starts draining: accepts no new work and ends streams; running requests continue. */
  drain(): void;
  close(): Promise<void>;
}

/** Longer than any of the service's statements takes, and than any client waits. Migrations have no limit. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** Wires up the service. It serves once `fetch` is connected to a server and `jobs` is started. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { config, log, pages } = options;
  const clock = options.clock ?? systemClock();
  const random = withCellPrefix(options.random ?? systemRandom, config.cell);
  const metrics = options.metrics ?? createMetrics();
  const { environment, publicUrl } = config;
  const sandbox = environment === 'sandbox';
  const https = publicUrl.startsWith('https:');

  const tracer = await createTracer(options);
  const { database, applied } = await openMigrated(
    environment,
    config.databaseUrl,
    (error) => log.warn({ error: describeError(error) }, 'an idle or listening database connection was lost'),
    {
      ...{ maxConnections: config.databaseConnections, usePreparedStatements: config.preparedStatements, tracer },
      ...{ statementTimeoutMs: STATEMENT_TIMEOUT_MS, replicaUrl: config.databaseReplicaUrl },
    },
  );
  if (applied.length > 0) log.info({ migrations: applied }, 'database migrated');
  await claimEnvironment(environment, database);
  await claimCell(config.cell, database, options);
  const keySource: Random = { bytes: (length) => options.newServiceKey ?? random.bytes(length) };
  const serviceKey = await loadServiceKey(database, keySource, config.secretKey);
  const sealingKeys = parseSealingKeys(config);
  const webhookSecrets = createWebhookSecrets(random, sealingKeys);
  await webhookSecrets.sealAll(database);
  const clientTokens = createClientTokens(serviceKey);
  const idempotency = createIdempotencyStore({ database, clock, key: serviceKey });
  await hashPlainKeys(database, idempotency.hashKey);
  await hashPlainRequestKeys(database, idempotency.hashKey);
  const enforceRateLimit = createRateLimitEnforcer({
    ...{ quotas: config.limits, database, clock, metrics, key: serviceKey },
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
  const post = options.post ?? createOutboundPost({ allowLoopback: sandbox });
  const outbox = createOutbox({ clock, random, tracer });
  const contentSeal = createContentSeal(random, serviceKey, sealingKeys);
  await contentSeal.resealAll(database);
  const mailer = createMailer({
    ...{ clock, random, contentSeal, listMembers: listEmailRecipients },
    domain: config.mail?.from.address.split('@')[1] ?? null,
  });
  const mailTransport = config.mail && createSmtpTransport(config.mail);
  const rates = sandbox
    ? openSandboxRates()
    : await openLiveRates({
        ...{ database, clock, log, metrics, ...config.rates },
        fetchText: options.fetchRates ?? createFetchText(),
      });
  const seed = chainNames.some((name) => config[name]) ? await loadSeed(database, config) : null;
  const accounts = await connectChains(config, clock, seed);
  const simulated = sandbox
    ? await simulateUnconfigured(accounts, {
        ...{ database, clock, random, serviceKey, canSign: options.simulatedKeys !== false },
        derive: options.deriveSandboxAccount,
        accountKeys: options.simulatedAccountKeys,
      })
    : [];
  const simulatedChains = Object.fromEntries(simulated.map(({ name, chain }) => [name, chain]));
  const invoices = await openCrypto(
    {
      ...{ database, clock, random, log, metrics, outbox, mailer, publicUrl, sandbox, simulatedChains },
      addresses: {
        marks: config.addressMarks === null ? null : await openAddressMarks(config.addressMarks),
        gapLimit: config.addressGapLimit,
        timeline: await findTimelineQuery(database),
      },
      destinationDelay: config.withdrawalDestinationDelay,
      withdrawalLimits: config.withdrawalLimits,
      rates: rates.coins,
    },
    [...accounts, ...simulated],
  );
  const local = { database, clock, random, publicUrl };
  const accountStore = createAccountStore({ clock, random, environment, sealingKeys });
  await accountStore.sealAll(database);
  const acquirers = createAcquirerDirectory({
    ...{ ...local, log, metrics, tracer, environment, store: accountStore },
    ...(options.fetch && { fetch: options.fetch }),
    builtIn: [
      ...builtInAccounts(environment, local).map((account) =>
        account.card && options.wrapCardAcquirer
          ? { ...account, card: options.wrapCardAcquirer(account.card) }
          : account,
      ),
      linkPaymentAccount(invoices.context),
    ],
  });
  await acquirers.load();
  const accountChecks = createAccountChecks({ list: () => acquirers.listEnabled(), clock, log, metrics });
  const supportsMethod: SupportsMethod = (payment) => acquirers.route(payment).length > 0;
  const payments: PaymentsContext = {
    ...{ database, clock, random, log, metrics, outbox, mailer, clientTokens, enforceRateLimit, publicUrl },
    ...{ proofOfWork: challenges, isSandbox: sandbox, acquirers, supportsMethod },
    eraseCryptoPayments: eraseFromLinkPayments,
    rates: rates.currencies,
    merchantTerms: createMerchantTerms(database, supportsMethod),
    transactionWriter: createTransactionWriter(database),
  };
  const inbox = createNotificationInbox({
    ...{ database, clock, log },
    apply: async (accountKey, notification) => await applyNotification(payments, accountKey, notification),
  });

  const streams = createEventStreams({ clock, random, metrics, limits: config.streamLimits });
  const liveUpdates = createLiveUpdates({ announcements: database.announcements, clock, log }, streams);

  const readiness = options.readiness ?? { phase: 'starting' };
  const eventLog = createEventLog({ database, clock, key: serviceKey });
  const drain = () => {
    readiness.phase = 'draining';
    streams.close();
    eventLog.close();
  };
  const preferenceWatchers = [watchCallbackUrl({ clock, random, outbox }), rotateOnLoweredAmount(invoices.context)];
  const application = createHttpApplication({
    log,
    random,
    metrics,
    tracer,
    incomingTraces: config.tracing?.incomingTraces ?? 'ignore',
    clients: createClientLocator({
      trustedProxies: config.trustedProxies,
      countryHeader: config.countryHeader,
      countryOfAddress: options.countryOfAddress ?? openCountryDatabase(config.countryDatabase),
      log,
    }),
    https,
    renderProblem: (context, problem) => renderProblemPage(pages, context, problem, sandbox),
  });
  application.use(movedMerchants(database));
  const auth = createAuthContext({
    ...{ database, clock, random, environment, publicUrl, enforceRateLimit, mailer, serviceKey, sealingKeys },
    ...(options.passwordCost && { passwordCost: options.passwordCost }),
  });
  await sealSecondFactors(database, auth.secondFactors);
  const identifyUser = createIdentifyUser(auth);
  const identify = createIdentify(auth, identifyUser);
  const serve: ServeApi = createServeOperation({
    ...{ database, clock, identify, idempotency },
    auditLog: createAuditLog({ database, clock, subjects: auditSubjects(database, accountStore) }),
  });
  const modules: readonly Module[] = [
    httpModule({
      ...{ database, clock, metrics, readiness, pages, liveUpdates, publicUrl, isSandbox: sandbox },
      ping: () => pingDatabase(database),
      chains: () => invoices.report(),
      acquirers: () => ({ status: accountChecks.report().status }),
      contacts: config.securityContacts,
      version: pages.release.version,
      render: pages.renderReference,
    }),
    {
      routes: [
        widgetRoutes({ release: pages.release, publicUrl, sandbox }),
        fileRoutes({ folder: pages.folder, sandbox }),
      ],
      jobs: [
        ...idempotency.jobs,
        createAuditCleanup({ database, clock, retention: config.retention.auditEntries }),
        createGaugesJob({
          ...{ database, databaseUrl: config.databaseUrl, clock, metrics },
          certificateExpiryMs: async () => await (options.certificateExpiryMs ?? certificateExpiryMs)(publicUrl),
        }),
      ],
    },
    merchantModule({
      ...{ database, clock, environment, publicUrl, serve },
      guard: guardDestinations(invoices.context),
      watchers: preferenceWatchers,
      encode: createLogoEncoder({ worker: join(pages.folder, '..', 'server', 'image-worker.js') }),
    }),
    methodModule({ database, clock, serve, supportsMethod }),
    ratesModule(rates, serve),
    authModule({ context: auth, pages, liveUpdates, identifyUser, webhookSecrets, serve }),
    webhookModule({
      ...{ database, clock, random, log, metrics, tracer, environment, publicUrl, serve },
      ...{ outbox, post, enforceRateLimit, signer, webhookSecrets, eventLog, mailer, subjects: eventSubjects },
      retention: config.retention,
    }),
    mailModule({
      context: {
        ...{ database, clock, log, metrics, publicUrl, pages, contentSeal, isSandbox: sandbox },
        ...{ unsubscribeTokens: createUnsubscribeTokens(serviceKey), transport: mailTransport },
        senderName: config.mail?.from.name ?? '',
      },
      ...{ pages, serve, identify, enforceRateLimit },
    }),
    paymentModule({
      ...{ context: payments, pages, liveUpdates, eventLog, identify, serve },
      payerDataRetention: config.retention.payerData,
      pendingWork: { pendingReviews, failedWebhooks: failedWebhooksQuery },
      formTokens: createFormTokens(serviceKey, random),
    }),
    cryptoModule(invoices, payments, { pages, liveUpdates, enforceRateLimit, serve }),
    acquirerModule({
      ...{ ...local, environment, log, metrics, serve, acquirers, inbox, accountChecks, countOpenDisputes },
      ...{ store: accountStore, fetch: options.fetch },
    }),
    ...inProcessAcquirers(environment, {
      ...{ ...local, pages },
      notify: (accountKey) => async (notifications) => await inbox.storeAndApply(accountKey, notifications),
    }),
  ];
  const jobs = createJobRunner(
    modules.flatMap((module) => module.jobs ?? []),
    { database, clock, log, metrics, tracer },
  );
  for (const routes of modules.flatMap((module) => module.routes ?? [])) application.route('/', routes);
  if (simulated.length > 0) application.route('/', chainSimulatorRoutes({ context: invoices.context, pages, jobs }));
  if (config.demoShop) application.get('/', (context) => context.redirect(`http://localhost:${config.port + 1}/`));

  // Last: after a failed step, an open connection would keep the process running.
  await database.listen();
  return {
    fetch: application.fetch,
    respondToFault: createErrorResponder({ log, random, https }),
    routes: application.routes.filter(({ method }) => method !== 'ALL'),
    database,
    jobs,
    readiness,
    payments,
    accountStore,
    accountChecks,
    invoices,
    rates,
    auth,
    webhookSecrets,
    preferenceWatchers,
    simulatedChains,
    drain,
    async close() {
      drain();
      await jobs.stop();
      mailTransport?.close();
      await invoices.close();
      await database.close();
      await tracer.close();
    },
  };
}

async function createTracer({ config: { tracing, databaseUrl }, pages, log }: ServiceOptions): Promise<Tracer> {
  if (!tracing) return noTracer;
  const { createOtlpTracer } = await import('./system/otlp-tracer.ts');
  const databaseSystem = databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgresql';
  return createOtlpTracer({ ...tracing, databaseSystem, version: pages.release.version, log });
}
