import { accountChains, chains } from '../shared/crypto-currency.ts';
import { join } from 'node:path';
import { createShop } from '../../examples/shop/server.ts';
import { createService, type Service } from '../app.ts';
import { createDemoLink, prepareDemoMerchant } from './demo-merchant.ts';
import { migrateApart } from './migrate-in-worker.ts';
import { loadPages } from './pages.ts';
import type { Config } from '../config.ts';
import type { MigrationStep } from '../migrations/migrate.ts';
import type { Readiness } from '../http/health-routes.ts';
import { type HttpServer, listen } from '../http/server.ts';
import { createLog, describeError, type Log } from '../system/log.ts';
import { createMetrics } from '../system/metrics.ts';
import { packageRoot } from '../system/root.ts';
import { createStandIn } from './startup-responder.ts';

/** Starts the service, and in the sandbox the demo shop; resolves once both take requests. */
export async function start(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  const pages = loadPages(join(packageRoot(), 'dist', 'pages'));
  const metrics = createMetrics();
  const readiness: Readiness = { phase: 'starting' };
  const standIn = createStandIn({ config, log, metrics, readiness, pages });
  // Open before all that may take long, so that an orchestrator hears that the process lives.
  let service: Service | null = null;
  let goOn = () => {};
  /** Resolves when there is a service, or when it is known that there will be none for a while. */
  const isKnown = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const server = await listen({
    async fetch(request, env) {
      // A start without migrations is a moment, for which nobody is turned away.
      if (!service && readiness.phase === 'starting' && !isAboutHealth(request)) await isKnown;
      return await (service ?? standIn).fetch(request, env);
    },
    // New work too: who has been sent here by a balancer that does not know yet is served to the end.
    fetchWhileClosing: (request, env) => (service ?? standIn).fetch(request, env),
    refuse: standIn.refuse,
    port: config.port,
    host: config.host,
  });
  const servers: HttpServer[] = [server];
  let isEnding = false;
  // Before anybody is told that it runs: who hears it may end it at once.
  endOnSignal(log, async () => {
    isEnding = true;
    // A migration that is cut off leaves nothing behind.
    if (!service) return;
    service.drain();
    await Promise.all(servers.map((each) => each.close()));
    await service.close();
  });
  try {
    const startedMs = performance.now();
    const applied = await migrateApart(config, (step) => {
      readiness.phase = 'migrating';
      goOn();
      logMigrationStep(log, step);
    });
    if (applied.length > 0)
      log.info({ durationMs: Math.round(performance.now() - startedMs) }, `${applied.length} migrations applied`);
    readiness.phase = 'starting';
    service = await createService({ config, log, pages, metrics, readiness });
    goOn();
  } catch (error) {
    goOn();
    await server.close();
    throw error;
  }
  await fillSandboxGasWallet(service);
  if (isEnding) return;
  service.jobs.start();
  readiness.phase = 'ready';
  log.info({ port: server.port, environment: config.environment, publicUrl: config.publicUrl }, 'ready');
  if (config.demoShop) {
    const shop = await startDemoShop(config, service, log);
    if (shop) servers.push(shop);
  } else {
    process.stdout.write(`Paylatch (${config.environment}) takes requests at ${config.publicUrl}\n`);
  }
}

function isAboutHealth({ url }: Request): boolean {
  return ['/healthz', '/readyz', '/metrics'].includes(new URL(url).pathname);
}

function logMigrationStep(log: Log, step: MigrationStep): void {
  if (step.kind === 'waiting') log.info('another process migrates the database, or writes to it for long');
  else if (step.kind === 'begun') log.debug({ migration: step.name }, 'migrating');
  else log.debug({ migration: step.name, durationMs: Math.round(step.durationMs) }, 'migrated');
}

/** Prepares the demo merchant, tells the person at the terminal what there is, and serves the shop if its port is free. */
async function startDemoShop(config: Config, service: Service, log: Log): Promise<HttpServer | null> {
  const port = config.port + 1;
  const shopUrl = `http://localhost:${port}`;
  const merchant = await prepareDemoMerchant(service, { shopUrl, secretsFile: secretsFile(config) });
  const access = {
    apiUrl: `http://localhost:${config.port}`,
    shopUrl,
    accessToken: merchant.accessToken,
    callbackSecret: merchant.callbackSecret,
  };
  const shop = createShop(access, join(packageRoot(), 'dist', 'shop'));
  let server: HttpServer | null = null;
  try {
    server = await listen({ fetch: shop.fetch, port, host: config.host });
  } catch (error) {
    log.error({ port, error: describeError(error) }, 'the demo shop could not be started');
  }
  const link = await createDemoLink(service, merchant.merchantId, shopUrl);
  const lines = [
    '',
    '  Paylatch sandbox',
    '',
    `  Service          ${config.publicUrl}`,
    `  Payment link     ${link}`,
    `  Demo shop        ${server ? shopUrl : `not started: port ${port} is taken`}`,
    ...(server ? [`  Playground       ${shopUrl}/playground`] : []),
    `  API reference    ${config.publicUrl}/reference`,
    `  Account area     ${config.publicUrl}/account`,
    merchant.newOwner
      ? `  Sign in as       ${merchant.newOwner.email}, password ${merchant.newOwner.password}   (shown this once)`
      : `  Sign in as       shown at the first start; another one: npx paylatch user create --merchant ${merchant.merchantId} --email E --role owner --password P`,
    '  Test card        4242 4242 4242 4242, any future expiry, any security code',
    `  Merchant         Demo shop (ID ${merchant.merchantId})`,
    merchant.newAccessToken
      ? `  Access token     ${merchant.newAccessToken}   (shown this once)`
      : `  Access token     shown at the first start; another one: npx paylatch token create --merchant ${merchant.merchantId}`,
    `  Callback secret  ${merchant.callbackSecret}`,
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

/** How long a drain may take before the process ends all the same. */
const DRAIN_LIMIT_MS = 60_000;

function endOnSignal(log: Log, drain: () => Promise<void>): void {
  let ending = false;
  const end = (signal: string) => {
    if (ending) return;
    ending = true;
    log.info({ signal }, 'draining');
    setTimeout(() => process.exit(1), DRAIN_LIMIT_MS).unref();
    drain().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ error: describeError(error) }, 'the drain failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
}

/** Ether that the sandbox's gas wallet gets, which has no operator to fill it: ten. */
const ENOUGH = 10n ** 19n;

/** Sees to it that tokens can be moved on a simulated chain. */
async function fillSandboxGasWallet({ simulatedChains, invoices }: Service): Promise<void> {
  for (const name of accountChains) {
    const simulated = simulatedChains[name];
    const connected = invoices.context.chains.all.find(({ chain }) => chain === simulated);
    if (!simulated || !connected) continue;
    const spender = await connected.spender();
    if (spender.kind !== 'accounts') continue;
    const { address } = spender.gasWallet;
    const has = (await spender.etherOf([address], await simulated.tip())).get(address) ?? 0n;
    if (has === 0n) await simulated.pay({ address, code: chains[name].feeCode, amount: ENOUGH });
  }
}
