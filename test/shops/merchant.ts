import { createHmac, randomUUID } from 'node:crypto';
import type { TransactionDetail } from '../../client/index.ts';
import { submission } from '../support/requests.ts';
import type { RemoteServer } from '../support/server-process.ts';
import { until } from '../support/program.ts';

/** A merchant whose payments a shop receives. */
export interface ShopMerchant {
  id: number;
  token: string;
  callbackSecret: string;
  setWebhookUrl(url: string | null): Promise<void>;
  /** Sets the lifetime of new links. */
  setLinkMinutes(minutes: number): Promise<void>;
  /** Pays with a card as the buyer, without the payment page. */
  pay(reference: string, card: string): Promise<void>;
  detail(reference: string): Promise<TransactionDetail>;
  call(path: string, body?: unknown, method?: string): Promise<Record<string, unknown>>;
  /** Sets the service's clock to the shop's time, because shops reject webhooks with old timestamps. */
  syncClock(): Promise<void>;
}

export async function openMerchant(server: RemoteServer): Promise<ShopMerchant> {
  const { id, token, callbackSecret } = await server.makeMerchant('Kettle & Co');
  const syncClock = async () => {
    const { serverTime } = await server.now();
    const behindMs = Date.now() - serverTime;
    if (behindMs > 0) await server.advance(behindMs * 1000);
  };
  const call = async (path: string, body?: unknown, method?: string) => {
    const options = { token, ...(body !== undefined && { body }), ...(method !== undefined && { method }) };
    const response = await server.callApi(path, options);
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body as Record<string, unknown>;
  };
  const prefer = async (key: string, value: unknown) => {
    await call('/v1/merchant/preferences', { key, value }, 'PATCH');
  };
  await syncClock();
  return {
    ...{ id, token, callbackSecret, syncClock, call },
    setWebhookUrl: async (url) => await prefer('callback-url', url),
    setLinkMinutes: async (minutes) => await prefer('link-lifetime-minutes', minutes),
    pay: async (reference, card) => {
      await syncClock();
      await call('/fiat/v1/transaction/submit', submission(reference, card));
    },
    detail: async (reference) =>
      (await call(`/fiat/v1/transaction?transaction_id=${reference}`)) as unknown as TransactionDetail,
  };
}

/** Redelivers all webhooks of a transaction after their first delivery. */
export async function redeliver(merchant: ShopMerchant, reference: string) {
  const list = async () =>
    (await merchant.call(`/v1/callbacks?transaction_id=${reference}`))['callbacks'] as { id: string; state: string }[];
  await until('the webhooks are delivered', async () => {
    const all = await list();
    return all.length > 0 && all.every(({ state }) => state === 'delivered');
  });
  await merchant.syncClock();
  for (const { id } of await list()) await merchant.call('/v1/callback/redeliver', { id });
}

/** Sends a webhook with the current state of a transaction, as the service would. Returns the response status. */
export async function sendWebhook(url: string, merchant: ShopMerchant, reference: string): Promise<number> {
  return await send(url, merchant, await merchant.detail(reference), merchant.callbackSecret);
}

/** Sends a forged webhook that reports a transaction as paid, signed with another key. */
export async function forgeWebhook(url: string, merchant: ShopMerchant, reference: string): Promise<number> {
  const detail = { ...(await merchant.detail(reference)), status: 'transaction_status_confirmed' as const };
  return await send(url, merchant, detail, `whsec_${Buffer.alloc(32, 7).toString('base64')}`);
}

async function send(url: string, { id }: ShopMerchant, detail: TransactionDetail, secret: string): Promise<number> {
  const body = JSON.stringify({ type: 'fiat.transaction.updated', data: { ...detail, merchant_id: id } });
  const [webhookId, timestamp] = [randomUUID(), String(Math.floor(Date.now() / 1000))];
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${webhookId}.${timestamp}.${body}`).digest('base64');
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'webhook-id': webhookId },
      ...{ 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
    },
    body,
  });
  await response.body?.cancel();
  return response.status;
}
