import { InvalidArgumentError, Option } from 'commander';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret } from '../webhooks/secrets.ts';
import { failureReason, WEBHOOK_HEADERS } from '../webhooks/deliver.ts';
import { systemRandom } from '../system/random.ts';

const TIMEOUT_MS = 15_000;

/** A delivery attempt made from the command line. */
export interface SentWebhook {
  status: number | null;
  /** Reason for a missing response. */
  error: string | null;
  durationMs: number;
}

/** Signs a webhook with each secret and posts it, as the service does. Redirects are not followed. */
export async function sendWebhook(
  url: string,
  { id, body }: { id: string; body: string },
  secrets: readonly string[],
): Promise<SentWebhook> {
  const at = new Date();
  const signature = secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' ');
  const headers = {
    ...WEBHOOK_HEADERS,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signature,
  };
  const sent = { method: 'POST', headers, body, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
  const durationMs = () => Date.now() - at.getTime();
  try {
    const response = await fetch(url, sent);
    await response.body?.cancel();
    return { status: response.status, error: null, durationMs: durationMs() };
  } catch (error) {
    return { status: null, error: failureReason(error), durationMs: durationMs() };
  }
}

/** Describes a delivery attempt in one line. */
export function formatSent({ status, error, durationMs }: SentWebhook): string {
  return error === null ? `${status} (${durationMs} ms)` : `no response: ${error}`;
}

export const isDelivered = ({ status }: SentWebhook): boolean => status !== null && status >= 200 && status < 300;

/** Generates a secret for webhooks that the command line sends. */
export function generateSecret(): string {
  return newWebhookSecret(systemRandom);
}

/** Option with the webhook secret. The previous name of its environment variable is still accepted. */
export function secretOption(description: string): Option {
  const { WEBHOOK_SECRET, CALLBACK_SECRET } = process.env;
  const usesOldName = WEBHOOK_SECRET === undefined && CALLBACK_SECRET !== undefined;
  return new Option('--secret <whsec>', description).env(usesOldName ? 'CALLBACK_SECRET' : 'WEBHOOK_SECRET');
}

/** Standard Webhooks: `whsec_`, then 24 to 64 bytes in base64. */
export function parseSecret(secret: string): string {
  const base64 = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  const size = base64 === undefined ? 0 : Buffer.from(base64, 'base64').length;
  if (size < 24 || size > 64)
    throw new InvalidArgumentError(
      '--secret must be a webhook secret (whsec_…). Print it with: paylatch webhooks secret',
    );
  return secret;
}

/** Parses the URL of a webhook endpoint. */
export function parseEndpointUrl(input: string): string {
  const url = URL.parse(input);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It must be a URL such as http://localhost:3000/webhooks.');
  return url.href;
}
