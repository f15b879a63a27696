import { formatInstant, toMillis } from '../shared/time.ts';
import { CALLBACK_URL_ENDPOINT, enableEndpoint, findEndpoint, lockEndpointAt } from './endpoint.ts';
import type { WebhookSecrets } from './secrets.ts';
import type { Clock } from '../system/clock.ts';
import type { Database } from '../database/database.ts';
import type { EnforceRateLimit } from '../http/rate-limits.ts';
import type { OutboundPost } from '../http/outbound.ts';
import { Problem } from '../api/problem-error.ts';
import { type Random, randomId } from '../system/random.ts';
import { WEBHOOK_HEADERS, failureReason } from './deliver.ts';
import type { WebhookBody } from '../api/webhook-events.ts';
import type { WebhookSigner } from './signing.ts';

/** Sends a signed `callback.test` webhook and returns the response. A successful delivery enables the endpoint. */
export async function sendTestWebhook(
  context: {
    database: Database;
    clock: Clock;
    random: Random;
    post: OutboundPost;
    signer: WebhookSigner;
    webhookSecrets: WebhookSecrets;
    enforceRateLimit: EnforceRateLimit;
  },
  merchantId: number,
  number = CALLBACK_URL_ENDPOINT,
) {
  const { database, clock } = context;
  await context.enforceRateLimit('webhook_test', `merchant ${merchantId}`);
  const endpoint = await findEndpoint(database, merchantId, number);
  if (!endpoint || endpoint.url === null)
    throw new Problem('no_callback_url', 'No webhook URL is set. Set the preference `callback-url` first.');
  const { url } = endpoint;
  const at = clock.now();
  const event: WebhookBody<'callback.test'> = {
    type: 'callback.test',
    timestamp: formatInstant(at),
    data: { merchant_id: merchantId, message: 'This is a test; no payment has changed.' },
  };
  const body = JSON.stringify(event);
  const id = `evt_${randomId(context.random)}`;
  const secrets = context.webhookSecrets.validAt(endpoint, at);
  const signed = context.signer.headers({ id, body, at }, { id: merchantId, secrets });
  const headers = { ...WEBHOOK_HEADERS, ...signed };
  const result = await context.post(url, headers, body).catch((error: unknown) => ({ error: failureReason(error) }));
  const response = 'error' in result ? { status: null, body: null, error: result.error } : { ...result, error: null };
  const isDelivered = response.status !== null && response.status >= 200 && response.status < 300;
  if (isDelivered)
    await database.inTransaction(async (unit) => {
      if (await lockEndpointAt(unit, { merchantId, number }, url)) await enableEndpoint(unit, merchantId, number);
    });
  return {
    delivered: isDelivered,
    url,
    duration_ms: toMillis(clock.now()) - toMillis(at),
    status: response.status,
    error: response.error,
    response_body: response.body,
  };
}
