/*
 * Map of this module: `create.ts` creates a transaction, and `transition.ts` is the only code that changes its status.
 * `payable.ts` rejects a second payment. `quote.ts` has the amount to pay by each method, `switch-method.ts` reprices
 * for another method, and `net-amount.ts` has the net amount, all at the fee of `shared/fees.ts`. `card/`, `push/`,
 * `authorizations/`, `refunds/` and `disputes.ts` each have one entry point for the acquirer's outcomes, which
 * `notifications.ts` calls for webhooks. `review/` accepts and rejects received funds. `links/` serves payment pages
 * and card forms, `reusable-links/` pages for many buyers, `listing/` lists and exports, `statistics/` figures.
 * `routes.ts` serves the API. Reasons: docs/decisions/one-entry-point.md.
 */

import type { EventLog } from '../webhooks/events.ts';
import type { Module } from '../http/context.ts';
import type { LiveUpdates } from '../http/live-updates.ts';
import type { Principal, ServeApi } from '../operations/principal.ts';
import type { Identify } from '../operations/serve.ts';
import { createAuthorizationJob } from './authorizations/outcome.ts';
import { createResolutionJob } from './card/resolve.ts';
import type { PaymentsContext } from './context.ts';
import { createExpiryJob } from './expire.ts';
import { createPayerCleanup } from './payer-cleanup.ts';
import type { Instant } from '../shared/time.ts';
import { frameRoutes } from './links/frame-routes.ts';
import type { PaymentPages } from './links/pages.ts';
import { linkRoutes } from './links/routes.ts';
import { createInstructionsJob } from './push/poll.ts';
import { createRefundJob } from './refunds/outcome.ts';
import { samplePageRoutes } from './links/sample-routes.ts';
import type { FormTokens } from './reusable-links/form-token.ts';
import { reusableLinkPageRoutes } from './reusable-links/page-routes.ts';
import { reusableLinkRoutes } from './reusable-links/routes.ts';
import { paymentRoutes } from './routes.ts';
import type { PendingWorkQueries } from './statistics/read.ts';
import { createStatisticsJob } from './statistics/roll-up.ts';

export function paymentModule(options: {
  context: PaymentsContext;
  pages: PaymentPages;
  liveUpdates: LiveUpdates;
  eventLog: EventLog;
  identify: Identify<Principal>;
  serve: ServeApi;
  pendingWork: PendingWorkQueries;
  payerDataRetention: Instant | null;
  formTokens: FormTokens;
}): Module {
  const { context, payerDataRetention: retention } = options;
  return {
    routes: [
      paymentRoutes(options),
      linkRoutes(options),
      frameRoutes(options),
      samplePageRoutes(options),
      reusableLinkRoutes(options),
      reusableLinkPageRoutes(options),
    ],
    jobs: [
      createResolutionJob(context),
      createInstructionsJob(context),
      createRefundJob(context),
      createAuthorizationJob(context),
      createExpiryJob(context),
      createPayerCleanup(context, retention),
      createStatisticsJob(context),
    ],
  };
}
