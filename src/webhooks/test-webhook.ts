import { formatInstant, toMillis } from '../shared/time.ts';
import { findMerchant } from '../merchants/merchants.ts';
import { switchReceiverOn } from './endpoint-health.ts';
import { readPreferences } from '../merchants/preferences/store.ts';
import type { WebhookSecrets } from './secrets.ts';
import type { Clock } from '../system/clock.ts';
import type { Database } from '../database/database.ts';
import type { PostOutside } from '../http/outbound.ts';
import { Problem } from '../api/problem-error.ts';
import { type Random, randomId } from '../system/random.ts';
import { CALLBACK_HEADERS, reasonOf } from './deliver.ts';
import type { WebhookBody } from '../api/webhook-events.ts';
import type { CallbackSigner } from './signing.ts';

/** Sends a `callback.test`, signed as any other, and tells what came back; a receiver that takes it is on again. */
export async function sendTestCallback(
  context: {
    database: Database;
    clock: Clock;
    random: Random;
    post: PostOutside;
    signer: CallbackSigner;
    webhookSecrets: WebhookSecrets;
  },
  merchantId: number,
) {
  const { database, clock } = context;
  const { 'callback-url': url } = await readPreferences(database, merchantId, ['callback-url']);
  const merchant = await findMerchant(database, merchantId);
  if (typeof url !== 'string' || !merchant)
    throw new Problem('no_callback_url', 'Set the preference callback-url first: there is nowhere to send it.');
  const at = clock.now();
  const event: WebhookBody<'callback.test'> = {
    type: 'callback.test',
    timestamp: formatInstant(at),
    data: { merchant_id: merchantId, message: 'This is a test; no payment has changed.' },
  };
  const body = JSON.stringify(event);
  const id = `evt_${randomId(context.random)}`;
  const secrets = context.webhookSecrets.validAt(merchant, at);
  const signed = context.signer.headers({ id, body, at }, { id: merchantId, secrets });
  const headers = { ...CALLBACK_HEADERS, ...signed };
  const result = await context.post(url, headers, body).catch((error: unknown) => ({ error: reasonOf(error) }));
  const answer = 'error' in result ? { status: null, body: null, error: result.error } : { ...result, error: null };
  const delivered = answer.status !== null && answer.status >= 200 && answer.status < 300;
  if (delivered) await database.inUnit(async (unit) => await switchReceiverOn(unit, merchantId));
  return {
    delivered,
    url,
    duration_ms: toMillis(clock.now()) - toMillis(at),
    status: answer.status,
    error: answer.error,
    answer: answer.body,
  };
}
