import { Hono } from 'hono';
import * as operations from '../api/operations/webhook-endpoints.ts';
import type { Database } from '../database/database.ts';
import type { HttpEnv } from '../http/context.ts';
import type { OutboundPost } from '../http/outbound.ts';
import type { EnforceRateLimit } from '../http/rate-limits.ts';
import { requireScope, type ServeApi } from '../operations/principal.ts';
import { formatInstant, HOUR } from '../shared/time.ts';
import {
  addEndpoint,
  readEndpointEntry,
  readEndpointEntries,
  type EndpointsContext,
  removeEndpoint,
  requireEndpoint,
  updateEndpoint,
} from './endpoints.ts';
import { redeliverFailed } from './redeliver-failed.ts';
import { DEFAULT_OVERLAP_HOURS } from './secrets.ts';
import type { WebhookSigner } from './signing.ts';
import type { EventSubjects } from './subject.ts';
import { sendTestWebhook } from './test-webhook.ts';

/** API routes of a merchant's webhook endpoints. */
export function webhookEndpointRoutes(
  context: EndpointsContext & {
    database: Database;
    post: OutboundPost;
    enforceRateLimit: EnforceRateLimit;
    signer: WebhookSigner;
    subjects: EventSubjects;
    serve: ServeApi;
  },
): Hono<HttpEnv> {
  const { database, clock, serve } = context;
  const routes = new Hono<HttpEnv>();

  serve(routes, operations.listWebhookEndpoints, async ({ caller: { merchantId } }) => ({
    endpoints: await readEndpointEntries(database, merchantId),
  }));

  serve(routes, operations.addWebhookEndpoint, async ({ caller, body }) => {
    requireScope(caller, 'transaction:read');
    return await database.inTransaction(async (unit) => await addEndpoint(context, unit, caller, body));
  });

  serve(
    routes,
    operations.getWebhookEndpoint,
    async ({ caller: { merchantId }, query }) =>
      await readEndpointEntry(database, await requireEndpoint(database, merchantId, query.id)),
  );

  serve(routes, operations.updateWebhookEndpoint, async ({ caller, body }) => {
    // Only these fields expose payment data to a new URL.
    if (body.url !== undefined || body.event_types !== undefined) requireScope(caller, 'transaction:read');
    return await database.inTransaction(async (unit) => await updateEndpoint(context, unit, caller, body));
  });

  serve(
    routes,
    operations.removeWebhookEndpoint,
    async ({ caller, body, storeResponse }) =>
      await database.inTransaction(async (unit) => {
        const removed = await removeEndpoint(context, unit, caller, body.id);
        await storeResponse(unit, removed);
        return removed;
      }),
  );

  serve(routes, operations.rotateWebhookEndpointSecret, async ({ caller: { merchantId }, body }) => {
    const previousValidUntil = clock.now() + (body.keep_hours ?? DEFAULT_OVERLAP_HOURS) * HOUR;
    const secret = await database.inTransaction(async (unit) => {
      const { number } = await requireEndpoint(unit, merchantId, body.id);
      return await context.webhookSecrets.rotate(unit, merchantId, previousValidUntil, number);
    });
    return { secret, previous_valid_until: formatInstant(previousValidUntil) };
  });

  serve(routes, operations.testWebhookEndpoint, async ({ caller: { merchantId }, body }) => {
    const { number } = await requireEndpoint(database, merchantId, body.id);
    return await sendTestWebhook(context, merchantId, number);
  });

  serve(routes, operations.redeliverFailedCallbacks, async ({ caller: { merchantId }, body }) => {
    const { number } = await requireEndpoint(database, merchantId, body.id);
    return { redelivered: await redeliverFailed(context, { merchantId, number }, clock.now()) };
  });
  return routes;
}
