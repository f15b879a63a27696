import { sql } from 'kysely';
import { needsOwnRoute } from '../methods/catalog.ts';
import type { Database } from '../database/database.ts';
import type { Job } from '../jobs/runner.ts';
import type { Instant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import { describeError, type Log } from '../system/log.ts';
import type { Metrics } from '../system/metrics.ts';
import { noTracer, type Tracer } from '../system/tracing.ts';
import type { Random } from '../system/random.ts';
import type { Environment } from '../system/settings.ts';
import { ACCOUNTS_JOB, type AccountStore, type AccountWithRoutes } from './account-store.ts';
import type { Connection } from './adapter.ts';
import { type AccountCalls, createAccountCalls } from './calls.ts';
import type { CheckableAccount } from './account-checks.ts';
import { type AcquirerAccount, type Acquirers, adapters, findCapability, webhookPath } from './registry.ts';
import type { RouteQuery } from '../methods/availability.ts';
import type { Route } from './schema.ts';
import { createHealthJob } from './stored-health.ts';

/** The connected accounts of this process. It reloads those that change in the database. */
export interface AcquirerDirectory extends Acquirers {
  /** Loads the accounts; called once, before the process serves requests. */
  load(): Promise<void>;
  /** Lists enabled accounts, without the built-in ones, which need no credentials. */
  listEnabled(): readonly CheckableAccount[];
  jobs: readonly Job[];
}

interface Connected {
  stored: AccountWithRoutes;
  account: AcquirerAccount;
  calls: AccountCalls;
}

export function createAcquirerDirectory(options: {
  database: Database;
  clock: Clock;
  random: Random;
  log: Log;
  metrics: Metrics;
  tracer?: Tracer;
  environment: Environment;
  publicUrl: string;
  store: AccountStore;
  /** Built-in accounts: the sandbox's, and the chains. They are tried after stored accounts. */
  builtIn: readonly AcquirerAccount[];
  /** Sends requests to acquirers; the global `fetch` by default. */
  fetch?: typeof fetch;
}): AcquirerDirectory {
  const { database, clock, log, metrics, tracer = noTracer, store } = options;
  const guard = (account: AcquirerAccount, calls: AccountCalls): AcquirerAccount => ({
    ...account,
    ...(account.card && { card: calls.wrapCard(account.card) }),
    ...(account.push && { push: calls.wrapPush(account.push) }),
    health: () => calls.guard.health(),
  });
  const builtIn = options.builtIn.map((account) =>
    guard(account, createAccountCalls({ adapter: account.adapter, clock, metrics, tracer })),
  );
  let connected: readonly Connected[] = [];
  let enabled: readonly CheckableAccount[] = [];
  let loadedVersion: Instant = 0;

  const connect = (stored: AccountWithRoutes): Connected | null => {
    const adapter = adapters.find(({ name }) => name === stored.adapter);
    if (!adapter) {
      log.error(
        { account: stored.key, adapter: stored.adapter },
        'this release has no adapter for an acquirer account',
      );
      return null;
    }
    const previous = connected.find((each) => each.stored.key === stored.key);
    // Health figures and an open circuit survive a change of routes, but not of credentials.
    const calls =
      previous?.stored.credentials === stored.credentials
        ? previous.calls
        : createAccountCalls({
            ...{ adapter: adapter.name, clock, metrics, tracer },
            callsPerMinute: adapter.callsPerMinute ?? null,
          });
    const send = options.fetch ?? fetch;
    let connection: Connection;
    try {
      connection = adapter.connect({
        ...{ database, clock, random: options.random, environment: options.environment },
        credentials: adapter.credentialsSchema.parse(store.readCredentials(stored)),
        fetch: adapter.inProcess ? send : calls.trackFetch(send),
        publicUrl: options.publicUrl,
        webhookUrl: options.publicUrl + webhookPath(stored.key),
      });
    } catch (error) {
      log.error({ account: stored.key, error: describeError(error) }, 'acquirer account could not be connected');
      return null;
    }
    const { capabilities } = adapter;
    const account = { key: stored.key, adapter: adapter.name, capabilities, isStored: true as const, ...connection };
    return { stored, account: guard(account, calls), calls };
  };

  const load = async () => {
    const stored = await store.list(database);
    connected = stored.flatMap((each) => connect(each) ?? []);
    enabled = stored
      .filter(({ disabledAt }) => disabledAt === null)
      .map(({ key, adapter, credentials }) => {
        const account = connected.find((each) => each.stored.key === key)?.account;
        return { key, adapter, credentials, check: account ? async () => await account.check() : null };
      });
    loadedVersion = Math.max(0, ...stored.map(({ updatedAt }) => updatedAt));
  };

  return {
    load,

    route(payment) {
      const candidates = connected.flatMap(({ stored, account, calls }) => {
        const route = stored.disabledAt === null && canUse(stored, payment) && findRoute(stored.routes, payment);
        if (!route || findCapability(account, payment) === null) return [];
        return [{ account, isFailing: calls.guard.isRejecting(), stored, priority: route.priority }];
      });
      const sorted = candidates.toSorted(
        (one, other) =>
          Number(one.isFailing) - Number(other.isFailing) ||
          Number(one.stored.merchantId === null) - Number(other.stored.merchantId === null) ||
          one.priority - other.priority ||
          one.stored.id - other.stored.id,
      );
      return [
        ...sorted.map(({ account }) => account),
        ...builtIn.filter((account) => payment.isStoredOnly !== true && findCapability(account, payment) !== null),
      ];
    },

    find: (key) => [...connected.map(({ account }) => account), ...builtIn].find((each) => each.key === key) ?? null,

    listEnabled: () => enabled,

    jobs: [
      {
        name: ACCOUNTS_JOB,
        // Due when another process has changed an account.
        earliestDue: () =>
          sql<Instant | null>`select min(updated_at) from acquirer_accounts where updated_at > ${loadedVersion}`,
        async runOnce() {
          await load();
          return 0;
        },
      },
      createHealthJob(
        database,
        clock,
        () =>
          new Map(
            connected
              .filter(({ calls }) => calls.guard.consumeChange())
              .map(({ stored, calls }) => [stored.key, calls.guard.health()]),
          ),
      ),
    ],
  };
}

/** True if a merchant may use an account: their own, or a shared one. */
function canUse({ merchantId }: AccountWithRoutes, payment: RouteQuery): boolean {
  return merchantId === null || merchantId === payment.merchantId;
}

/** Returns the most preferred route for a payment. */
function findRoute(routes: readonly Route[], { method, country, currency }: RouteQuery): Route | null {
  const matching = routes.filter(
    (route) =>
      route.paymentMethod === method.code &&
      (country === undefined || route.country === '*' || route.country === country) &&
      ((route.currency === '*' && !needsOwnRoute(method, currency)) || route.currency === currency),
  );
  return matching.toSorted((one, other) => one.priority - other.priority)[0] ?? null;
}
