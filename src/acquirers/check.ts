import type { Database } from '../database/database.ts';
import type { Clock } from '../system/clock.ts';
import { type Check, combine, type Finding, ok, problem, warning } from '../system/diagnosis.ts';
import type { Random } from '../system/random.ts';
import type { Environment } from '../system/settings.ts';
import type { AccountStore, AccountWithRoutes } from './account-store.ts';
import type { CredentialsCheck } from './adapter.ts';
import { adapters, webhookPath } from './registry.ts';

interface AcquirerCheckOptions {
  database: Database;
  clock: Clock;
  random: Random;
  environment: Environment;
  publicUrl: string;
  fetch: typeof fetch;
  store: AccountStore;
}

/** Tests an account's credentials with a call to the acquirer that has no side effects. */
export async function checkAccount(
  { store, ...context }: AcquirerCheckOptions,
  account: AccountWithRoutes,
): Promise<CredentialsCheck> {
  const adapter = adapters.find(({ name }) => name === account.adapter);
  if (!adapter) return { result: 'failed', detail: `This release has no adapter ${account.adapter}.` };
  const connection = adapter.connect({
    ...context,
    credentials: adapter.credentialsSchema.parse(store.readCredentials(account)),
    webhookUrl: context.publicUrl + webhookPath(account.key),
  });
  return await connection.check();
}

/** Checks that every enabled acquirer account accepts its credentials and has routes. */
export function checkAcquirers(options: AcquirerCheckOptions): Check {
  const { store, database, environment } = options;
  return {
    name: 'acquirers',
    run: async () => {
      const accounts = (await store.list(database)).filter(({ disabledAt }) => disabledAt === null);
      if (accounts.length > 0)
        return combine(await Promise.all(accounts.map(async (account) => await accountFinding(options, account))));
      return environment === 'sandbox'
        ? ok('The sandbox acquirer is built in.')
        : warning('No acquirer account is enabled: only crypto can be accepted.', 'Run: npx paylatch acquirer add');
    },
  };
}

async function accountFinding(options: AcquirerCheckOptions, account: AccountWithRoutes): Promise<Finding> {
  const name = `${account.name} (${account.adapter}, ${account.key})`;
  const { result, detail } = await checkAccount(options, account).catch((error: unknown) => ({
    result: 'failed',
    detail: error instanceof Error ? error.message : String(error),
  }));
  if (result === 'failed')
    return problem(`${name}: ${detail}`, `Run: npx paylatch acquirer credentials --account ${account.key}`);
  if (result === 'unreachable')
    return problem(`${name}: ${detail}`, 'Check outgoing connections, and the acquirer’s status page.');
  return account.routes.length === 0
    ? warning(`${name} has no routes.`, `Run: npx paylatch acquirer route --account ${account.key}`)
    : ok(`${name} accepts its credentials.`);
}
