import { Writable } from 'node:stream';
import { join } from 'node:path';
import { HDKey } from '@scure/bip32';
import { createService, type Pages, type Service, type ServiceOptions } from '../../src/app.ts';
import { tokenScopes } from '../../src/shared/scopes.ts';
import { createMerchant } from '../../src/merchants/merchants.ts';
import { enableMethod } from '../../src/methods/enable.ts';
import { createToken } from '../../src/auth/tokens.ts';
import { loadPages } from '../../src/startup/pages.ts';
import { readConfig } from '../../src/config.ts';
import { type CountryOfAddress, openCountryDatabase } from '../../src/http/geo.ts';
import { listen, type Timeouts } from '../../src/http/server.ts';
import type { AccountKeys } from '../../src/chains/family.ts';
import { deriveAccount } from '../../src/chains/seed-accounts.ts';
import { createLog } from '../../src/system/log.ts';
import { systemRandom } from '../../src/system/random.ts';
import { packageRoot } from '../../src/system/root.ts';
import type { CardAcquirer } from '../../src/acquirers/port.ts';
import { SimulatedClock } from './clock.ts';
import { createMigratedDatabase, type TestDatabase } from './databases.ts';
import { assertLedger } from './ledger-checks.ts';
import { RecordedRates } from './recorded-rates.ts';
import { countRowsForProof } from './proof.ts';
import { addCardAccount } from './acquirer-accounts.ts';

export interface TestMerchant {
  id: number;
  token: string;
  managerToken: string;
  callbackSecret: string;
}

/** Bodies are untyped: tests check the raw responses and assert schemas explicitly. */
export interface FixtureResponse<Body = any> {
  status: number;
  headers: Headers;
  body: Body;
  text: string;
}

export interface RequestOptions {
  method?: string;
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown;
  token?: string | null;
  headers?: Record<string, string>;
}

/** The whole service over real HTTP, on a real database, in simulated time. */
export interface Fixture {
  url: string;
  clock: SimulatedClock;
  /** The log output. */
  log: () => string;
  databaseFolder: string | null;
  databaseUrl: string;
  service: () => Service;
  /** Another process on the same database, without a server; the caller closes it. */
  another(): Promise<Service>;
  merchant: TestMerchant;
  request(path: string, options?: RequestOptions): Promise<FixtureResponse>;
  makeMerchant(name: string): Promise<TestMerchant>;
  /** Runs background work until none is due. */
  work(): Promise<void>;
  advance(duration: number): Promise<void>;
  /** Simulates a crash and starts a new process on the same database. */
  restart(changed?: Pick<ServiceOptions, 'simulatedAccountKeys' | 'deriveSandboxAccount'>): Promise<void>;
  /** Checks all invariants first; `usedOutside` as in `assertLedger`. */
  close(options?: { usedOutside?: readonly string[]; isCounted?: boolean }): Promise<void>;
}

export interface FixtureOptions
  extends Pick<
    ServiceOptions,
    | 'fetchRates'
    | 'wrapCardAcquirer'
    | 'countryOfAddress'
    | 'certificateExpiryMs'
    | 'post'
    | 'challengeIterations'
    | 'simulatedKeys'
    | 'simulatedAccountKeys'
  > {
  env?: Record<string, string>;
  /** The database; by default an empty one of this run's engine. */
  database?: TestDatabase;
  clock?: SimulatedClock;
  /** Wraps the service's fetch. */
  wrapFetch?: (fetch: Service['fetch']) => Service['fetch'];
  /** The host name for browsers; passkeys require one. */
  host?: 'localhost';
  /** Reconcile the ledger with the chains at the end; after a restore this needs a withdrawal first. */
  reconciles?: boolean;
  /** Client timeouts, for tests of them. */
  timeouts?: Partial<Timeouts>;
}

/** A production setup with a test acquirer, because none is included: links start with https://pay.example. */
export async function openProductionFixture(
  provider: CardAcquirer,
  env: Record<string, string> = {},
): Promise<Fixture> {
  const fixture = await openFixture({
    env: {
      PAYLATCH_ENV: 'production',
      PUBLIC_URL: 'https://pay.example',
      PAYLATCH_SECRET_KEY: 'ab'.repeat(32),
      ...env,
    },
  });
  addCardAccount(fixture.service(), provider);
  return fixture;
}

const pagesFolder = join(packageRoot(), 'dist', 'pages');
let pages: Pages | undefined;
let countryOfAddress: CountryOfAddress | undefined;

/** One key for all databases, so that their simulated chains have the same accounts. */
const SERVICE_KEY = new Uint8Array(32).fill(7);
const accounts = new Map<string, Promise<AccountKeys>>();

/** Derives each account once per process: it takes a third of the time of a start. */
const deriveOnce: typeof deriveAccount = async (seed, chain, options) => {
  const name = `${Buffer.from(seed).toString('hex')} ${chain} ${options.isTest}`;
  const keys = accounts.get(name) ?? deriveAccount(seed, chain, options);
  accounts.set(name, keys);
  return await keys;
};

/** Derives each key once per process: fixtures share accounts, and key derivation takes a third of a first scan. */
function cacheKeys(): void {
  const children = new Map<string, HDKey>();
  const { deriveChild } = HDKey.prototype;
  HDKey.prototype.deriveChild = function (index) {
    const { chainCode, versions, privateKey } = this;
    const name = `${Buffer.from(chainCode ?? []).toString('hex')} ${versions.public} ${privateKey !== null} ${index}`;
    const child = children.get(name) ?? deriveChild.call(this, index);
    children.set(name, child);
    return child;
  };
}
cacheKeys();

export async function openFixture(options: FixtureOptions = {}): Promise<Fixture> {
  const { database = await createMigratedDatabase(), clock = new SimulatedClock() } = options;
  // Loaded once per process: both are megabytes and immutable.
  const shared = {
    pages: (pages ??= loadPages(pagesFolder)),
    countryOfAddress: (countryOfAddress ??= openCountryDatabase(null)),
  };
  const recorded = new RecordedRates();
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  let service: Service | null = null;
  const current = () => {
    if (!service) throw new Error('The service is not started');
    return service;
  };
  const {
    env,
    timeouts = {},
    wrapFetch = (fetch) => fetch,
    database: _database,
    clock: _clock,
    host: _host,
    reconciles = true,
    ...given
  } = options;
  let outside: Partial<ServiceOptions> = given;
  const fetchNow = wrapFetch((request, env) => current().fetch(request, env));
  const server = await listen({
    fetch: fetchNow,
    respondToFault: (...fault) => current().respondToFault(...fault),
    port: 0,
    host: '127.0.0.1',
    // Longer than clients keep a connection, so that the server never closes first.
    timeouts: { idleMs: 60_000, ...timeouts },
  });
  const url = `http://${options.host ?? '127.0.0.1'}:${server.port}`;
  // The lowest gap limit: deriving the default of 1000 addresses per account dominates tests on real nodes.
  const defaults = { LOG_LEVEL: 'trace', ADDRESS_GAP_LIMIT: '20' };
  const config = readConfig({ PUBLIC_URL: url, DATABASE_URL: database.url, ...defaults, ...env });
  const { environment } = config;
  const another = async () => {
    const made = await createService({
      ...{ config, log: createLog('trace', destination), clock, fetchRates: recorded.fetchText, ...shared },
      ...{ passwordCost: { log2N: 4, r: 8, p: 1 }, newServiceKey: SERVICE_KEY, deriveSandboxAccount: deriveOnce },
      certificateExpiryMs: () => Promise.resolve(null),
      ...outside,
    });
    made.readiness.phase = 'ready';
    return made;
  };
  const startService = async () => {
    service = await another();
  };
  await startService();
  // A production process has rates before its first request, as after the first seconds of its life.
  for (const job of current().rates.jobs) await job.runOnce();

  const makeMerchant = async (name: string): Promise<TestMerchant> =>
    await current().database.inTransaction(async (unit) => {
      const { id, callbackSecret } = await createMerchant(unit, {
        ...{ name, clock, webhookSecrets: current().webhookSecrets },
      });
      for (const currency of ['USD', 'EUR'] as const) {
        const fee = { fixedMinor: 30n, percentMillionths: 29_000 };
        await enableMethod(unit, { merchantId: id, paymentMethod: 'credit_card', currency, fee, now: clock.now() });
      }
      const token = async (role: 'merchant' | 'manager') =>
        await createToken(unit, {
          ...{ environment, random: systemRandom, clock, merchantId: id, role },
          // New destinations are not held, unless a test enables it.
          ...(role === 'manager' && { scopes: tokenScopes }),
        });
      return { id, callbackSecret, token: await token('merchant'), managerToken: await token('manager') };
    });

  const fixture: Fixture = {
    url,
    clock,
    log: () => lines.join(''),
    databaseFolder: database.folder,
    databaseUrl: database.url,
    service: current,
    another,
    merchant: await makeMerchant('Kettle & Co'),
    makeMerchant,
    async request(path, { method, body, token = fixture.merchant.token, headers = {} } = {}) {
      const response = await fetch(url + path, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        redirect: 'manual',
        headers: {
          // Compression would take several percent of the time of all tests; `compression.test.ts` tests it.
          'accept-encoding': 'identity',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = (response.headers.get('content-type') ?? '').includes('json');
      return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
    },
    async work() {
      await current().jobs.drain();
    },
    async advance(duration) {
      clock.advance(duration);
      await current().jobs.drain();
    },
    async restart(changed) {
      await current().close();
      outside = { ...outside, ...changed };
      await startService();
    },
    async close({ usedOutside = [], isCounted = true } = {}) {
      current().drain();
      await server.close();
      const { database: kept, invoices } = current();
      await assertLedger(kept, reconciles ? invoices.context.chains.all : [], usedOutside);
      if (isCounted) await countRowsForProof(kept);
      await current().close();
      await database.drop();
    },
  };
  return fixture;
}
