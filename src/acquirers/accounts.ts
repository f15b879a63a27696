import type { AcquirerAccountEntry, AcquirerEntry } from '../api/acquirer.ts';
import type { CurrencyCode } from '../api/currency.ts';
import { Problem, validationProblem } from '../api/problem-error.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import { jsonPointer, parseWith } from '../http/validation.ts';
import { findPaymentMethod, UNKNOWN_METHOD_DETAIL } from '../methods/catalog.ts';
import { formatInstant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import { OperatorError } from '../system/operator-error.ts';
import type { Random } from '../system/random.ts';
import type { Environment } from '../system/settings.ts';
import type { AccountStore, AccountWithRoutes } from './account-store.ts';
import type { Adapter, CredentialsCheck } from './adapter.ts';
import type { AccountHealth } from './health.ts';
import { adapters, webhookPath } from './registry.ts';
import type { Route, StoredAccount } from './schema.ts';

/** Acquirers whose accounts have credentials. */
export const configurableAdapters = adapters.filter(({ builtIn }) => builtIn === undefined);

export type NewRoute = Omit<Route, 'accountId'>;

interface AccountChange {
  name?: string;
  isEnabled?: boolean;
  /** Replaces all routes. */
  routes?: readonly NewRoute[];
}

/** Actions on accounts, for the API and the command line. Input is validated here. */
export interface AccountActions {
  /** Finds an account; throws `not_found` otherwise. */
  require(key: string): Promise<AccountWithRoutes>;
  add(
    unit: UnitOfWork,
    account: {
      merchantId: number | null;
      acquirer: string;
      name: string;
      credentials: unknown;
      routes: readonly NewRoute[];
    },
  ): Promise<AccountWithRoutes>;
  /** Throws `edit_conflict` if the account has changed since it was read. */
  update(unit: UnitOfWork, account: AccountWithRoutes, change: AccountChange): Promise<void>;
  /** Throws `edit_conflict` if the account has changed since it was read. */
  setCredentials(unit: UnitOfWork, account: AccountWithRoutes, credentials: unknown): Promise<void>;
  /** Tests credentials that are not stored. */
  checkCredentials(acquirer: string, credentials: unknown): Promise<CredentialsCheck>;
  checkAccount(account: AccountWithRoutes): Promise<CredentialsCheck>;
  webhookUrl(account: Pick<AccountWithRoutes, 'key'>): string;
}

export function createAccountActions(options: {
  database: Database;
  clock: Clock;
  random: Random;
  environment: Environment;
  publicUrl: string;
  store: AccountStore;
  /** Sends requests to acquirers; the global `fetch` by default. */
  fetch?: typeof fetch | undefined;
}): AccountActions {
  const { database, clock, random, environment, publicUrl, store } = options;
  const webhookUrl = ({ key }: Pick<AccountWithRoutes, 'key'>) => publicUrl + webhookPath(key);
  const check = async (adapter: Adapter, key: string, credentials: unknown) => {
    const context = { database, clock, random, environment, publicUrl, fetch: options.fetch ?? fetch };
    try {
      return await adapter.connect({ ...context, credentials, webhookUrl: webhookUrl({ key }) }).check();
    } catch {
      return { result: 'unreachable', detail: 'The acquirer returned no valid response.' } as const;
    }
  };

  /** Returns null if a sealing key is missing, or if an earlier release stored credentials that this one rejects. */
  const readStored = (adapter: Adapter, account: AccountWithRoutes): unknown => {
    try {
      return adapter.credentialsSchema.safeParse(store.readCredentials(account)).data ?? null;
    } catch (error) {
      if (error instanceof OperatorError) return null;
      throw error;
    }
  };

  return {
    async require(key) {
      const account = (await store.list(database)).find((each) => each.key === key);
      if (account) return account;
      throw new Problem('not_found', 'No acquirer account has this key.');
    },

    async add(unit, { acquirer, name, merchantId, credentials, routes }) {
      const adapter = requireAdapter(acquirer);
      const parsed = parseCredentials(adapter, credentials);
      requireOfferedRoutes(adapter, routes);
      const account = await store.insert(unit, { merchantId, adapter: adapter.name, name, credentials: parsed });
      return { ...account, routes: await store.insertRoutes(unit, account, routes) };
    },

    async update(unit, account, { name, isEnabled, routes }) {
      if (routes) requireOfferedRoutes(requireAdapter(account.adapter), routes);
      const isDisabled = account.disabledAt !== null;
      const isUpdated = await store.update(unit, account, {
        ...(name !== undefined && { name }),
        ...(isEnabled === isDisabled && { disabledAt: isEnabled ? null : clock.now() }),
      });
      if (!isUpdated) throw editConflict();
      if (routes) await store.setRoutes(unit, account, routes);
    },

    async setCredentials(unit, account, credentials) {
      const parsed = parseCredentials(requireAdapter(account.adapter), credentials);
      if (!(await store.setCredentials(unit, account, parsed))) throw editConflict();
    },

    async checkCredentials(acquirer, credentials) {
      const adapter = requireAdapter(acquirer);
      return await check(adapter, 'new', parseCredentials(adapter, credentials));
    },

    async checkAccount(account) {
      const adapter = requireAdapter(account.adapter);
      const credentials = readStored(adapter, account);
      if (!credentials) return { result: 'failed', detail: 'The stored credentials cannot be read.' };
      return await check(adapter, account.key, credentials);
    },

    webhookUrl,
  };
}

function editConflict(): Problem {
  return new Problem(
    'edit_conflict',
    'The account has changed since you read it. Read it again, then repeat your change.',
  );
}

export function toHealthEntry(health: AccountHealth): NonNullable<AcquirerAccountEntry['health']> {
  const { circuit, circuitSince, lastFailure, calls, successRate, medianMs } = health;
  return {
    ...{ circuit, calls, success_rate: successRate, median_ms: medianMs },
    circuit_since: circuitSince === null ? null : formatInstant(circuitSince),
    last_failure: lastFailure && { ...lastFailure, at: formatInstant(lastFailure.at) },
    calls_last_minute: health.callsLastMinute,
    calls_per_minute: health.callsPerMinute,
  };
}

/** Describes an acquirer for the API and the command line. */
export function toAcquirerEntry({ name, displayName, credentials, capabilities }: Adapter): AcquirerEntry {
  const listed = <Item extends string>(items: readonly Item[] | 'all') => (items === 'all' ? null : [...items]);
  return {
    name,
    display_name: displayName,
    credentials: credentials.map(({ options, optional = false, ...field }) => ({
      ...{ name: field.name, label: field.label, hint: field.hint, secret: field.secret, optional },
      options: options ? [...options] : null,
    })),
    capabilities: capabilities.map(({ method, countries, currencies, refunds, payerFields }) => ({
      ...{ payment_method: method, countries: listed(countries), currencies: listed(currencies), refunds },
      payer_fields: [...payerFields],
    })),
  };
}

/** Values of credentials by field. */
type CredentialValues = Readonly<Record<string, string | undefined>>;

/** Describes credentials without their secrets. */
export function toCredentialEntries(
  adapterName: string,
  values: CredentialValues,
): AcquirerAccountEntry['credentials'] {
  const fields = configurableAdapters.find(({ name }) => name === adapterName)?.credentials ?? [];
  return fields.map(({ name, secret }) => {
    const value = values[name];
    return { name, value: secret ? null : (value ?? null), is_set: value !== undefined };
  });
}

/**
 * Credentials for the audit log. Secrets, and all credentials of shared accounts, which merchants must not see, are
 * recorded only as set or not set. `replacedBy`: the credentials that an operation replaces them with.
 */
export function auditedCredentials(
  { adapter, merchantId }: Pick<StoredAccount, 'adapter' | 'merchantId'>,
  values: CredentialValues,
  replacedBy?: Readonly<Record<string, unknown>>,
): Record<string, string | null> {
  const fields = configurableAdapters.find(({ name }) => name === adapter)?.credentials ?? [];
  return Object.fromEntries(
    fields.map(({ name, secret, summarize }) => {
      const value = values[name];
      if (value === undefined) return [name, null];
      if (!secret && merchantId !== null) return [name, summarize?.(value) ?? value];
      return [name, replacedBy && replacedBy[name] !== value ? 'another value' : 'set'];
    }),
  );
}

/** Credentials that cannot be opened (a sealing key is missing) count as not set: the account has no health then. */
export function readableCredentials(
  store: Pick<AccountStore, 'readCredentials'>,
  account: StoredAccount,
): CredentialValues {
  try {
    return store.readCredentials(account) as CredentialValues;
  } catch (error) {
    if (error instanceof OperatorError) return {};
    throw error;
  }
}

function requireAdapter(name: string): Adapter {
  const adapter = configurableAdapters.find((each) => each.name === name);
  if (adapter) return adapter;
  const detail = `must be one of: ${configurableAdapters.map((each) => each.name).join(', ')}`;
  throw validationProblem([{ pointer: '/acquirer', code: 'unknown_acquirer', detail }]);
}

function parseCredentials({ credentialsSchema }: Adapter, credentials: unknown): unknown {
  return parseWith(credentialsSchema, credentials, (path) => jsonPointer(['credentials', ...path]));
}

/** Throws if the acquirer does not offer a route's method in its country and currency, or if two routes are the same. */
function requireOfferedRoutes(adapter: Adapter, routes: readonly NewRoute[]): void {
  const seen = new Set<string>();
  const errors = routes.flatMap((route, index) => {
    const { paymentMethod, country, currency } = route;
    const key = [paymentMethod, country, currency].join(' ');
    const isRepeated = seen.has(key);
    seen.add(key);
    const problem = (code: string, detail: string) => [{ pointer: `/routes/${index}/payment_method`, code, detail }];
    if (!findPaymentMethod(paymentMethod)) return problem('unknown_method', UNKNOWN_METHOD_DETAIL);
    if (isRepeated) return problem('duplicate', 'has the same method, country and currency as an earlier route');
    if (isOffered(adapter, route)) return [];
    const place = `country ${country} and currency ${currency}`;
    return problem('not_offered', `${adapter.name} does not offer ${paymentMethod} for ${place}`);
  });
  if (errors.length > 0) throw validationProblem(errors);
}

function isOffered({ capabilities }: Adapter, { paymentMethod, country, currency }: NewRoute): boolean {
  return capabilities.some(
    ({ method, countries, currencies }) =>
      method === paymentMethod &&
      (country === '*' || countries === 'all' || countries.includes(country)) &&
      (currency === '*' || currencies === 'all' || currencies.includes(currency as CurrencyCode)),
  );
}
