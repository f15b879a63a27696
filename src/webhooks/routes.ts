import { Hono } from 'hono';
import { webhookKeysParameters, webhookKeysResponse } from '../api/callback.ts';
import * as operations from '../api/operations/callbacks.ts';
import { listEvents } from '../api/operations/events.ts';
import { formatInstant, HOUR } from '../shared/time.ts';
import type { ServeApi } from '../operations/principal.ts';
import { DEFAULT_OVERLAP_HOURS, type WebhookSecrets } from './secrets.ts';
import type { Clock } from '../system/clock.ts';
import type { Database } from '../database/database.ts';
import type { HttpEnv } from '../http/context.ts';
import { sendJson } from '../http/json.ts';
import type { OutboundPost } from '../http/outbound.ts';
import type { EnforceRateLimit } from '../http/rate-limits.ts';
import { noParameters, readQuery } from '../http/query.ts';
import type { Random } from '../system/random.ts';
import { listWebhooks, readWebhook, redeliver } from './queries.ts';
import type { EventLog } from './events.ts';
import { webhookKeyId, type WebhookSigner } from './signing.ts';
import type { EventSubjects } from './subject.ts';
import { sendTestWebhook } from './test-webhook.ts';

/** Path of each merchant's public keys. */
const KEYS_PATH = '/.well-known/webhook-keys';

/** Routes of the event log, webhooks, redelivery, secrets and public keys. */
export function webhookRoutes(options: {
  database: Database;
  clock: Clock;
  random: Random;
  post: OutboundPost;
  signer: WebhookSigner;
  webhookSecrets: WebhookSecrets;
  enforceRateLimit: EnforceRateLimit;
  eventLog: EventLog;
  subjects: EventSubjects;
  publicUrl: string;
  serve: ServeApi;
}): Hono<HttpEnv> {
  const { database, clock, serve } = options;
  const routes = new Hono<HttpEnv>();

  serve(
    routes,
    listEvents,
    async ({ http, caller, query }) => await options.eventLog.pull(caller.merchantId, query, http.req.raw.signal),
  );

  serve(routes, operations.listCallbacks, async ({ caller, query }) => await listWebhooks(options, caller, query));

  serve(routes, operations.getCallback, async ({ caller, query }) => await readWebhook(options, caller, query.id));

  serve(
    routes,
    operations.redeliverCallback,
    async ({ caller, body }) => await redeliver(options, caller, body.id, clock.now()),
  );

  serve(routes, operations.testCallback, async ({ caller }) => await sendTestWebhook(options, caller.merchantId));

  serve(routes, operations.rotateCallbackSecret, async ({ caller: { merchantId }, body }) => {
    const previousValidUntil = clock.now() + (body.keep_hours ?? DEFAULT_OVERLAP_HOURS) * HOUR;
    const secret = await database.inTransaction(
      async (unit) => await options.webhookSecrets.rotate(unit, merchantId, previousValidUntil),
    );
    return { callback_secret: secret, previous_valid_until: formatInstant(previousValidUntil) };
  });

  const keysOf = (merchantId: number) => [
    { type: 'ed25519' as const, public_key: options.signer.publicKey(merchantId) },
  ];

  serve(routes, operations.getCallbackKeys, async ({ caller: { merchantId } }) => ({
    merchant_id: merchantId,
    url: `${options.publicUrl}${KEYS_PATH}/${webhookKeyId(options.random, merchantId)}`,
    keys: keysOf(merchantId),
  }));

  // Keys are derived, not looked up: the response does not reveal which merchants exist.
  routes.get(`${KEYS_PATH}/:key_id`, (http) => {
    readQuery(http, noParameters);
    const parameters = webhookKeysParameters.safeParse(http.req.param());
    if (!parameters.success) return http.notFound();
    http.header('Cache-Control', 'public, max-age=3600');
    http.header('Access-Control-Allow-Origin', '*');
    return sendJson(http, webhookKeysResponse.parse({ keys: keysOf(parameters.data.key_id) }));
  });
  return routes;
}
