/*
 * Typed client of the merchant API. For servers only, because browsers must not have access tokens. Requires only
 * `fetch`.
 */
export type * from './api.ts';
export type { CallOptions, ClientOptions, IdempotentCallOptions, TokenSource } from './call.ts';
export { type Client, createClient } from './client.ts';
export { clientCredentials } from './client-credentials.ts';
export { type ClientErrorCode, PaylatchError } from './error.ts';
export {
  createWebhookReceiver,
  memoryWebhookStore,
  type ReceiverOptions,
  type WebhookHandlers,
  type WebhookPosition,
  type WebhookReceiver,
  type WebhookStore,
} from './webhook-receiver.ts';
export {
  type ReceivedWebhook,
  verifyWebhook,
  type VerifyOptions,
  WebhookError,
  type WebhookErrorCode,
  type WebhookRequest,
} from './webhooks.ts';
