import { Hono } from 'hono';
import type { AcquirerAccountEntry } from '../api/acquirer.ts';
import * as operations from '../api/operations/acquirers.ts';
import { Problem } from '../api/problem-error.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import type { HttpEnv } from '../http/context.ts';
import type { Principal, ServeApi } from '../operations/principal.ts';
import { formatInstant, parseMoment } from '../shared/time.ts';
import type { AccountStore, AccountWithRoutes } from './account-store.ts';
import {
  type AccountActions,
  configurableAdapters,
  toAcquirerEntry,
  toHealthEntry,
  toCredentialEntries,
  type NewRoute,
  readableCredentials,
} from './accounts.ts';
import { readNotificationStats } from './inbox.ts';
import type { Acquirers } from './registry.ts';

/** Counts a merchant's open disputes of payments through an account. */
export type CountOpenDisputes = (
  reader: Runner | UnitOfWork,
  merchantId: number,
  accountKey: string,
) => Promise<number>;

/** Routes for managers: the acquirer accounts that a merchant uses. */
export function acquirerAccountRoutes({
  database,
  store,
  actions,
  acquirers,
  countOpenDisputes,
  serve,
}: {
  database: Database;
  store: AccountStore;
  actions: AccountActions;
  acquirers: Pick<Acquirers, 'find'>;
  countOpenDisputes: CountOpenDisputes;
  serve: ServeApi;
}): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  const toAccountEntry = async (
    { merchantId }: Principal,
    account: AccountWithRoutes,
    reader: Runner | UnitOfWork = database,
  ): Promise<AcquirerAccountEntry> => {
    const health = acquirers.find(account.key)?.health?.() ?? null;
    const { lastReceivedAt, pending } = await readNotificationStats(reader, account.key);
    return {
      ...{ id: account.key, acquirer: account.adapter, name: account.name },
      ...{ shared: account.merchantId === null, enabled: account.disabledAt === null },
      routes: account.routes.map(({ paymentMethod, country, currency, priority }) => ({
        ...{ payment_method: paymentMethod, country, currency, priority },
      })),
      credentials: toCredentialEntries(account.adapter, readableCredentials(store, account)),
      credentials_updated_at: formatInstant(account.credentialsUpdatedAt),
      webhook_url: actions.webhookUrl(account),
      health: health && toHealthEntry(health),
      notifications: { last_received_at: lastReceivedAt === null ? null : formatInstant(lastReceivedAt), pending },
      open_disputes: await countOpenDisputes(reader, merchantId, account.key),
      created_at: formatInstant(account.createdAt),
      updated_at: formatInstant(account.updatedAt),
    };
  };

  /** Finds an account that the caller's merchant uses. */
  const requireUsableAccount = async ({ merchantId }: Principal, id: string): Promise<AccountWithRoutes> => {
    const account = await actions.require(id);
    if (account.merchantId === null || account.merchantId === merchantId) return account;
    throw new Problem('not_found', 'No acquirer account has this key.');
  };
  /** Finds an account in the version that the caller has read; the current one by default. */
  const requireVersion = async (caller: Principal, body: { id: string; updated_at?: string | undefined }) => {
    const account = await requireUsableAccount(caller, body.id);
    if (body.updated_at === undefined) return account;
    return { ...account, updatedAt: parseMoment(body.updated_at)?.at ?? 0 };
  };
  const rereadAccount = async (caller: Principal, id: string) =>
    await toAccountEntry(caller, await requireUsableAccount(caller, id));

  serve(routes, operations.listAcquirers, ({ query }) => {
    const listed = configurableAdapters.filter(({ name }) => query.name === undefined || name === query.name);
    return Promise.resolve({ acquirers: listed.map(toAcquirerEntry) });
  });

  serve(routes, operations.listAcquirerAccounts, async ({ caller }) => {
    const used = (await store.list(database)).filter(
      ({ merchantId }) => merchantId === null || merchantId === caller.merchantId,
    );
    return { accounts: await Promise.all(used.map(async (account) => await toAccountEntry(caller, account))) };
  });

  serve(routes, operations.addAcquirerAccount, async ({ caller, body, storeResponse }) => {
    return await database.inTransaction(async (unit) => {
      const { acquirer, name, credentials } = body;
      const added = await actions.add(unit, {
        ...{ acquirer, name, credentials, routes: body.routes.map(toRoute) },
        merchantId: body.shared ? null : caller.merchantId,
      });
      const account = await toAccountEntry(caller, added, unit);
      await storeResponse(unit, account);
      return account;
    });
  });

  serve(routes, operations.getAcquirerAccount, async ({ caller, query }) => {
    return await rereadAccount(caller, query.id);
  });

  serve(routes, operations.updateAcquirerAccount, async ({ caller, body }) => {
    const account = await requireVersion(caller, body);
    await database.inTransaction(
      async (unit) =>
        await actions.update(unit, account, {
          ...(body.name !== undefined && { name: body.name }),
          ...(body.enabled !== undefined && { isEnabled: body.enabled }),
          ...(body.routes && { routes: body.routes.map(toRoute) }),
        }),
    );
    return await rereadAccount(caller, body.id);
  });

  serve(routes, operations.setAcquirerCredentials, async ({ caller, body }) => {
    const account = await requireVersion(caller, body);
    await database.inTransaction(async (unit) => await actions.setCredentials(unit, account, body.credentials));
    return await rereadAccount(caller, body.id);
  });

  serve(routes, operations.checkAcquirerCredentials, async ({ body }) => {
    return await actions.checkCredentials(body.acquirer, body.credentials);
  });

  serve(routes, operations.checkAcquirerAccount, async ({ caller, body }) => {
    return await actions.checkAccount(await requireUsableAccount(caller, body.id));
  });
  return routes;
}

function toRoute(route: { payment_method: string; country: string; currency: string; priority: number }): NewRoute {
  const { payment_method: paymentMethod, country, currency, priority } = route;
  return { paymentMethod, country, currency, priority };
}
