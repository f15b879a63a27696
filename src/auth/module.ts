import type { RenderedPage, PageLanguage } from '../http/rendered-page.ts';
import type { Module } from '../http/module.ts';
import type { LiveUpdates } from '../http/live-updates.ts';
import type { ServeApi } from '../operations/principal.ts';
import type { WebhookSecrets } from '../webhooks/secrets.ts';
import type { IdentifyPerson } from './access.ts';
import { accountRoutes } from './account-routes.ts';
import type { PeopleContext } from './context.ts';
import { liveRoutes } from './live-routes.ts';
import { oauthRoutes } from './oauth-routes.ts';
import { accountPageRoutes } from './page-routes.ts';
import { peopleRoutes } from './routes.ts';
import { createSessionSweep } from './sessions.ts';
import { tokenRoutes } from './token-routes.ts';
import { createTokenSweep } from './tokens.ts';

export function authModule(options: {
  context: PeopleContext;
  pages: { renderAccountPage: (language: PageLanguage) => RenderedPage };
  pageEvents: LiveUpdates;
  identifyPerson: IdentifyPerson;
  webhookSecrets: WebhookSecrets;
  serve: ServeApi;
}): Module {
  const { context, pages, serve } = options;
  return {
    routes: [
      oauthRoutes(context),
      tokenRoutes({ ...context, serve }),
      accountRoutes(context),
      accountPageRoutes(pages),
      peopleRoutes(options),
      liveRoutes(options),
    ],
    jobs: [createTokenSweep(context.database, context.clock), createSessionSweep(context.database, context.clock)],
  };
}
