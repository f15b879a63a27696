/*
 * Map of this module: `outbox.ts` inserts an email in the unit of work of its cause, and `deliver.ts` sends it through
 * `smtp.ts`. `team-emails.ts` creates notifications of members, and `opt-outs.ts` turns them off. `list.ts` and
 * `routes.ts` serve the API. Documentation: docs/email.md.
 */

import type { MailPages } from '../api/mail.ts';
import type { Module } from '../http/context.ts';
import type { EnforceRateLimit } from '../http/rate-limits.ts';
import type { Principal, ServeApi } from '../operations/principal.ts';
import type { Identify } from '../operations/serve.ts';
import { createMailCleanup, createMailJob, type MailContext } from './deliver.ts';
import { mailRoutes, type UnsubscribePages } from './routes.ts';

export function mailModule(options: {
  context: MailContext;
  pages: MailPages & UnsubscribePages;
  serve: ServeApi;
  identify: Identify<Principal>;
  enforceRateLimit: EnforceRateLimit;
}): Module {
  const { context } = options;
  return {
    routes: [mailRoutes(options)],
    jobs: [
      createMailCleanup(context),
      ...(context.transport === null ? [] : [createMailJob(context, context.transport)]),
    ],
  };
}
