import type { Database } from '../database/database.ts';
import { type Check, combine, type Finding, ok, problem, warning } from '../system/diagnosis.ts';
import type { Environment } from '../system/settings.ts';
import type { AccountStore, AccountWithRoutes } from './account-store.ts';
import type { AccountActions } from './accounts.ts';

interface AcquirerCheckOptions {
  database: Database;
  environment: Environment;
  store: Pick<AccountStore, 'list'>;
  actions: Pick<AccountActions, 'checkAccount'>;
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

async function accountFinding({ actions }: AcquirerCheckOptions, account: AccountWithRoutes): Promise<Finding> {
  const name = `${account.name} (${account.adapter}, ${account.key})`;
  const { result, detail } = await actions.checkAccount(account).catch((error: unknown) => ({
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
