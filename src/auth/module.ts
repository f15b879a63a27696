/*
 * Map of this module: `account-routes.ts` serves sign-in and credentials (`sign-in.ts`, `passkeys.ts`, `passwords.ts`,
 * `second-factor.ts`), and `sessions.ts` stores sessions. `routes.ts` serves members and invitations (`users.ts`,
 * `invitations.ts`). `tokens.ts` and `oauth-clients.ts` manage API credentials. `authentication.ts` and
 * `access.ts` authenticate callers of operations. Reasons: docs/decisions/sign-in.md.
 */

import type { RenderedPage, PageLanguage } from '../http/rendered-page.ts';
import type { Module } from '../http/context.ts';
import type { LiveUpdates } from '../http/live-updates.ts';
import type { ServeApi } from '../operations/principal.ts';
import type { WebhookSecrets } from '../webhooks/secrets.ts';
import type { IdentifyUser } from './access.ts';
import { accountRoutes } from './account-routes.ts';
import type { AuthContext } from './context.ts';
import { liveRoutes } from './live-routes.ts';
import { oauthRoutes } from './oauth-routes.ts';
import { accountPageRoutes } from './page-routes.ts';
import { memberRoutes } from './routes.ts';
import { createSessionCleanup } from './sessions.ts';
import { tokenRoutes } from './token-routes.ts';
import { createTokenCleanup } from './tokens.ts';

export function authModule(options: {
  context: AuthContext;
  pages: { renderAccountPage: (pathname: string, language: PageLanguage) => RenderedPage };
  liveUpdates: LiveUpdates;
  identifyUser: IdentifyUser;
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
      memberRoutes(options),
      liveRoutes(options),
    ],
    jobs: [createTokenCleanup(context.database, context.clock), createSessionCleanup(context.database, context.clock)],
  };
}
