import type { Runner } from '../database/engine.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import { wakeJob } from '../jobs/runner.ts';
import { OperatorError } from '../system/operator-error.ts';
import type { Clock } from '../system/clock.ts';
import { type Random, publicId } from '../system/random.ts';
import { seal, sealingKeyId, type SealingKey, unseal } from '../system/sealed.ts';
import type { Environment } from '../system/settings.ts';
import { accountRecord, db, type Route, routeRecord, type StoredAccount } from './schema.ts';

/** The job that reloads the accounts of a process after a change. */
export const ACCOUNTS_JOB = 'acquirer accounts';

/** A stored account with its routes. */
export interface AccountWithRoutes extends StoredAccount {
  routes: readonly Route[];
}

/** Stores the accounts of acquirers. Credentials are sealed at rest; production requires a sealing key. */
export interface AccountStore {
  list(reader: Runner): Promise<AccountWithRoutes[]>;
  insert(
    unit: UnitOfWork,
    account: { merchantId: number | null; adapter: string; name: string; credentials: unknown },
  ): Promise<StoredAccount>;
  /** Returns false if the account has changed since `account` was read. */
  setCredentials(unit: UnitOfWork, account: StoredAccount, credentials: unknown): Promise<boolean>;
  /** Changes an account and locks its row. Returns false if it has changed since `account` was read. */
  update(
    unit: UnitOfWork,
    account: StoredAccount,
    change: Partial<Pick<StoredAccount, 'name' | 'disabledAt'>>,
  ): Promise<boolean>;
  insertRoutes(unit: UnitOfWork, account: StoredAccount, routes: readonly Omit<Route, 'accountId'>[]): Promise<Route[]>;
  /** Replaces the routes of an account that this unit of work has updated. */
  setRoutes(unit: UnitOfWork, account: StoredAccount, routes: readonly Omit<Route, 'accountId'>[]): Promise<void>;
  readCredentials(account: StoredAccount): unknown;
  /** Seals all credentials with the first key. Throws an `OperatorError` if one cannot be opened. */
  sealAll(database: Database): Promise<void>;
}

/** Name under which an account's credentials are sealed. */
export const credentialsName = (accountKey: string) => `credentials of acquirer account ${accountKey}`;

export function createAccountStore({
  clock,
  random,
  environment,
  sealingKeys,
}: {
  clock: Clock;
  random: Random;
  environment: Environment;
  sealingKeys: readonly SealingKey[];
}): AccountStore {
  const [sealingKey] = sealingKeys;
  const toStored = (accountKey: string, json: string): string => {
    if (sealingKey) return seal(sealingKey, credentialsName(accountKey), Buffer.from(json), random);
    if (environment === 'production')
      throw new OperatorError('Acquirer credentials are stored sealed: set SEALING_KEY first');
    return json;
  };
  const open = ({ key, credentials }: Pick<StoredAccount, 'key' | 'credentials'>): string =>
    sealingKeyId(credentials) === null
      ? credentials
      : Buffer.from(unseal(sealingKeys, credentialsName(key), credentials)).toString();
  /** The time of the last change identifies the version of an account, so it always increases. */
  const nextVersion = ({ updatedAt }: StoredAccount) => Math.max(clock.now(), updatedAt + 1);
  const change = async (
    unit: UnitOfWork,
    account: StoredAccount,
    values: Partial<Pick<StoredAccount, 'name' | 'disabledAt' | 'credentials' | 'credentialsUpdatedAt'>>,
  ) => {
    const { numUpdatedRows } = await db(unit)
      .updateTable('acquirer_accounts')
      .set(accountRecord.write({ ...values, updatedAt: nextVersion(account) }))
      .where('id', '=', account.id)
      .where('updated_at', '=', account.updatedAt)
      .executeTakeFirst();
    wakeJob(unit, ACCOUNTS_JOB);
    return numUpdatedRows > 0n;
  };
  const insertRoutes: AccountStore['insertRoutes'] = async (unit, { id: accountId }, routes) => {
    const rows = routes.map((route) => ({ ...route, accountId }));
    if (rows.length > 0) await db(unit).insertInto('acquirer_routes').values(rows.map(routeRecord.write)).execute();
    return rows;
  };

  return {
    async list(reader) {
      const accounts = await db(reader).selectFrom('acquirer_accounts').selectAll().orderBy('id').execute();
      const routes = await db(reader).selectFrom('acquirer_routes').selectAll().orderBy('account_id').execute();
      return accounts.map(accountRecord.read).map((account) => ({
        ...account,
        routes: routes.map(routeRecord.read).filter(({ accountId }) => accountId === account.id),
      }));
    },

    async insert(unit, { credentials, ...account }) {
      const key = publicId(random);
      const now = clock.now();
      const row = await db(unit)
        .insertInto('acquirer_accounts')
        .values(
          accountRecord.write({
            ...account,
            key,
            credentials: toStored(key, JSON.stringify(credentials)),
            credentialsUpdatedAt: now,
            createdAt: now,
            updatedAt: now,
            disabledAt: null,
          }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      wakeJob(unit, ACCOUNTS_JOB);
      return accountRecord.read(row);
    },

    async setCredentials(unit, account, credentials) {
      return await change(unit, account, {
        credentials: toStored(account.key, JSON.stringify(credentials)),
        credentialsUpdatedAt: clock.now(),
      });
    },

    update: change,

    insertRoutes,

    async setRoutes(unit, account, routes) {
      await db(unit).deleteFrom('acquirer_routes').where('account_id', '=', account.id).execute();
      await insertRoutes(unit, account, routes);
    },

    readCredentials: (account) => JSON.parse(open(account)) as unknown,

    async sealAll(database) {
      if (!sealingKey) return;
      const accounts = await db(database).selectFrom('acquirer_accounts').selectAll().execute();
      for (const account of accounts.map(accountRecord.read)) {
        if (sealingKeyId(account.credentials) === sealingKey.id) continue;
        await db(database)
          .updateTable('acquirer_accounts')
          .set({ credentials: toStored(account.key, open(account)) })
          // Skips credentials that another process has changed in the meantime.
          .where('id', '=', account.id)
          .where('credentials', '=', account.credentials)
          .execute();
      }
    },
  };
}
