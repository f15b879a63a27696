/*
 * Map of this module: `main.ts` starts and drains the service. `startup-responder.ts` answers health checks while
 * `migrate-in-worker.ts` migrates, `pages.ts` loads the built pages, and `demo-merchant.ts` prepares the sandbox.
 * Reasons: docs/decisions/bundled-program.md.
 */

import { accountChains, chains } from '../shared/crypto-currency.ts';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { createShop } from '../../examples/shop/server.ts';
import { createService, type Service } from '../app.ts';
import { createDemoLink, prepareDemoMerchant } from './demo-merchant.ts';
import { migrateInWorker } from './migrate-in-worker.ts';
import { loadPages } from './pages.ts';
import type { PageAssets } from '../../pages/assets.ts';
import { Problem } from '../api/problem-error.ts';
import type { Config } from '../config.ts';
import { describeApplied, type MigrationStep } from '../migrations/migrate.ts';
import type { Readiness } from '../http/health-routes.ts';
import { type HttpServer, listen } from '../http/server.ts';
import { createLog, describeError, type Log } from '../system/log.ts';
import { createMetrics } from '../system/metrics.ts';
import { packageRoot } from '../system/root.ts';
import { createStartupResponder } from './startup-responder.ts';

/*
 * Garbage collection starts when the heap has grown by this much. By default V8 waits until it has grown several times,
 * which costs memory without saving measurable CPU time (docs/performance.md).
 */
const MAX_HEAP_GROWTH_PERCENT = 40;

export interface StartOptions {
  /** Folder of the build outputs. */
  dist?: string;
  /** Scripts and styles of the pages; the built ones by default. */
  assets?: PageAssets;
  /** Port to listen on, if another process forwards requests from `config.port`. */
  port?: number;
}

/** Starts the service, and in the sandbox the demo shop; resolves with the service's port once both accept requests. */
export async function startService(
  config: Config,
  { dist = join(packageRoot(), 'dist'), assets, port = config.port }: StartOptions = {},
): Promise<Pick<HttpServer, 'port'>> {
  setFlagsFromString(`--heap-growing-percent=${MAX_HEAP_GROWTH_PERCENT}`);
  const log = createLog(config.logLevel);
  const pages = loadPages(join(dist, 'pages'), assets);
  const metrics = createMetrics();
  const readiness: Readiness = { phase: 'starting' };
  const startupResponder = createStartupResponder({ config, log, metrics, readiness, pages });
  // Listens before slow steps, so that health checks can see that the process is alive.
  let service: Service | null = null;
  let resolveAvailability = () => {};
  /** Resolves when the service is ready, or migrations will delay it. */
  const availability = new Promise<void>((resolve) => {
    resolveAvailability = resolve;
  });
  const server = await listen({
    async fetch(request, env) {
      // Startup without migrations is quick, so requests wait instead of failing.
      if (!service && readiness.phase === 'starting' && !isHealthCheck(request)) await availability;
      return await (service ?? startupResponder).fetch(request, env);
    },
    // New requests too: a load balancer may not know yet that the process is draining.
    fetchWhileClosing: (request, env) => (service ?? startupResponder).fetch(request, env),
    respondToFault: startupResponder.respondToFault,
    port,
    host: config.host,
  });
  const servers: HttpServer[] = [server];
  let isStopping = false;
  const close = async () => {
    service?.drain();
    await Promise.all(servers.map((each) => each.close()));
    await service?.close();
  };
  // Registered before the process reports that it is ready, since it may be stopped immediately afterward.
  drainOnSignal(log, async () => {
    isStopping = true;
    // An interrupted migration is rolled back.
    if (service) await close();
  });
  try {
    const startedMs = performance.now();
    const applied = await migrateInWorker(config, (step) => {
      readiness.phase = 'migrating';
      resolveAvailability();
      logMigrationStep(log, step);
    });
    if (applied.length > 0)
      log.info({ durationMs: Math.round(performance.now() - startedMs) }, describeApplied(applied));
    readiness.phase = 'starting';
    service = await createService({ config, log, pages, metrics, readiness, isStart: true });
    resolveAvailability();
    await fillSandboxGasWallet(service);
    if (isStopping) return server;
    service.jobs.start();
    readiness.phase = 'ready';
    log.info({ port: server.port, environment: config.environment, publicUrl: config.publicUrl }, 'ready');
    if (config.demoShop) {
      const shop = await startDemoShop(config, { service, log, browserFolder: join(dist, 'shop') });
      if (shop) servers.push(shop);
    } else {
      process.stdout.write(`Paylatch (${config.environment}) accepts requests at ${config.publicUrl}\n`);
    }
    return server;
  } catch (error) {
    resolveAvailability();
    await close();
    throw error;
  }
}

function isHealthCheck({ url }: Request): boolean {
  return ['/healthz', '/readyz', '/metrics'].includes(new URL(url).pathname);
}

function logMigrationStep(log: Log, step: MigrationStep): void {
  if (step.kind === 'waiting')
    log.info('waiting for another process that is migrating the database or running a long write');
  else if (step.kind === 'begun') log.debug({ migration: step.name }, 'migrating');
  else log.debug({ migration: step.name, durationMs: Math.round(step.durationMs) }, 'migrated');
}

/** Prepares the demo merchant, serves the shop if its port is free, and prints URLs and credentials. */
async function startDemoShop(
  config: Config,
  { service, log, browserFolder }: { service: Service; log: Log; browserFolder: string },
): Promise<HttpServer | null> {
  const port = config.port + 1;
  const shopUrl = `http://localhost:${port}`;
  const merchant = await prepareDemoMerchant(service, { shopUrl, secretsFile: secretsFile(config), log });
  const link = await createDemoLink(service, merchant.merchantId, shopUrl).catch((error: unknown) => {
    // The merchant's settings may have changed since the first start.
    if (!(error instanceof Problem)) throw error;
    return `not created with credit_card in USD: ${error.message}`;
  });
  const access = {
    apiUrl: `http://localhost:${config.port}`,
    shopUrl,
    accessToken: merchant.accessToken,
    callbackSecret: merchant.callbackSecret,
  };
  const shop = createShop(access, browserFolder);
  let server: HttpServer | null = null;
  try {
    server = await listen({ fetch: shop.fetch, port, host: config.host });
  } catch (error) {
    log.error({ port, error: describeError(error) }, 'the demo shop could not be started');
  }
  const lines = [
    '',
    '  Paylatch sandbox',
    '',
    `  Service          ${config.publicUrl}`,
    `  Payment link     ${link}`,
    `  Demo shop        ${server ? shopUrl : `not started: port ${port} is in use`}`,
    ...(server ? [`  Playground       ${shopUrl}/playground`] : []),
    `  API reference    ${config.publicUrl}/reference`,
    `  Account area     ${config.publicUrl}/account`,
    merchant.newOwner
      ? `  Sign in as       ${merchant.newOwner.email}, password ${merchant.newOwner.password}   (shown only once)`
      : `  Sign in as       printed at the first start; create another: npx paylatch user create --merchant ${merchant.merchantId} --email E --role owner --password P`,
    '  Test card        4242 4242 4242 4242, any future expiry, any security code',
    `  Merchant         Demo shop (ID ${merchant.merchantId})`,
    merchant.newAccessToken
      ? `  Access token     ${merchant.newAccessToken}   (shown only once)`
      : `  Access token     printed at the first start; create another: npx paylatch token create --merchant ${merchant.merchantId}`,
    `  Webhook secret   ${merchant.callbackSecret}`,
    '',
    '',
  ];
  process.stdout.write(lines.join('\n'));
  return server;
}

function secretsFile(config: Config): string {
  const path = config.databaseUrl.startsWith('sqlite:')
    ? config.databaseUrl.slice('sqlite:'.length)
    : 'data/paylatch.db';
  return join(path, '..', 'demo-shop.json');
}

/** Maximum time for draining before the process exits. */
const DRAIN_LIMIT_MS = 60_000;

function drainOnSignal(log: Log, drain: () => Promise<void>): void {
  let isDraining = false;
  const end = (signal: string) => {
    if (isDraining) return;
    isDraining = true;
    log.info({ signal }, 'draining');
    setTimeout(() => process.exit(1), DRAIN_LIMIT_MS).unref();
    drain().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ error: describeError(error) }, 'draining failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
}

/** Initial balance of the sandbox's gas wallet: 10 ether. */
const INITIAL_GAS_BALANCE = 10n ** 19n;

/** Funds the gas wallets of simulated chains, so that token transfers can pay gas. */
async function fillSandboxGasWallet({ simulatedChains, invoices }: Service): Promise<void> {
  for (const name of accountChains) {
    const simulated = simulatedChains[name];
    const connected = invoices.context.chains.all.find(({ chain }) => chain === simulated);
    if (!simulated || !connected) continue;
    const spender = await connected.spender();
    if (spender.kind !== 'account') continue;
    const { address } = spender.gasWallet;
    const has = (await spender.etherBalances([address], await simulated.tip())).get(address) ?? 0n;
    if (has === 0n) await simulated.pay({ address, code: chains[name].feeCode, amount: INITIAL_GAS_BALANCE });
  }
}
