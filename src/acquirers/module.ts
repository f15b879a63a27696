import type { Module } from '../http/context.ts';
import type { Job } from '../jobs/runner.ts';
import type { AccountChecks } from './account-checks.ts';
import { acquirerAccountRoutes } from './account-routes.ts';
import { createAccountActions } from './accounts.ts';
import type { NotificationInbox } from './inbox.ts';
import { acquirerWebhookRoutes } from './routes.ts';

type Options = Omit<Parameters<typeof acquirerAccountRoutes>[0], 'actions'> &
  Parameters<typeof createAccountActions>[0] &
  Parameters<typeof acquirerWebhookRoutes>[0] & {
    acquirers: { jobs: readonly Job[] };
    inbox: NotificationInbox;
    accountChecks: AccountChecks;
  };

export function acquirerModule(options: Options): Module {
  const { acquirers, inbox, accountChecks } = options;
  return {
    routes: [
      acquirerWebhookRoutes(options),
      acquirerAccountRoutes({ ...options, actions: createAccountActions(options) }),
    ],
    jobs: [...inbox.jobs, ...acquirers.jobs, accountChecks.job],
  };
}
