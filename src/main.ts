import { join } from 'node:path';
import { createShop } from '../pages/shop/server.ts';
import { createService, type Service } from './app.ts';
import { createDemoLink, prepareDemoMerchant } from './demo-merchant.ts';
import { loadPages } from './pages.ts';
import type { Config } from './platform/config.ts';
import { type HttpServer, listen } from './platform/http/server.ts';
import { createLog, describeError, type Log } from './platform/log.ts';
import { packageRoot } from './platform/root.ts';

/** Starts the service, and in the sandbox the demo shop; resolves once both take requests. */
export async function start(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  const service = await createService({ config, log, pages: loadPages(join(packageRoot(), 'dist', 'pages')) });
  const server = await listen({ fetch: service.fetch, port: config.port, host: config.host });
  const servers: HttpServer[] = [server];
  // Before anybody is told that it runs: who hears it may end it at once.
  endOnSignal(log, async () => {
    service.readiness.ready = false;
    await Promise.all(servers.map((each) => each.close()));
    await service.close();
  });
  service.jobs.start();
  service.readiness.ready = true;
  log.info({ port: server.port, environment: config.environment, publicUrl: config.publicUrl }, 'ready');
  if (config.demoShop) {
    const shop = await startDemoShop(config, service, log);
    if (shop) servers.push(shop);
  } else {
    process.stdout.write(`Paylatch (${config.environment}) takes requests at ${config.publicUrl}\n`);
  }
}

/** Prepares the demo merchant, tells the person at the terminal what there is, and serves the shop if its port is free. */
async function startDemoShop(config: Config, service: Service, log: Log): Promise<HttpServer | null> {
  const port = config.port + 1;
  const shopUrl = `http://localhost:${port}`;
  const merchant = await prepareDemoMerchant(service, { shopUrl, secretsFile: secretsFile(config) });
  const shop = createShop({
    apiUrl: `http://localhost:${config.port}`,
    shopUrl,
    accessToken: merchant.accessToken,
    callbackSecret: merchant.callbackSecret,
  });
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
