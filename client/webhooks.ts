import type { WebhookEvent } from './api.ts';

/** An event with its `webhook-id`, which is the same for every delivery. */
export type ReceivedWebhook<Type extends WebhookEvent['type'] = WebhookEvent['type']> = Extract<
  WebhookEvent,
  { type: Type }
> & { id: string };

/** A webhook as received: headers in any form that servers use, and the body before parsing, byte for byte. */
export interface WebhookRequest {
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  body: string | Uint8Array;
}

export interface VerifyOptions {
  /**
   * The endpoint's secret (`whsec_…`), or your public key (`whpk_…`), which verifies without a shared secret. Pass
   * several during a rotation: one match is enough.
   */
  key: string | readonly string[];
  /** Your merchant ID. Events of other merchants are rejected. */
  merchantId: number;
  /** Maximum difference between the webhook's timestamp and now, in seconds. Default: 300. */
  toleranceSeconds?: number;
  /** Current time in milliseconds. Default: `Date.now`. */
  now?: () => number;
}

/**
 * `invalid_key`: a configured key is malformed. `invalid_headers`: a header is missing or malformed.
 * `timestamp_out_of_range`: sent too long ago, or the clocks differ. `invalid_signature`: no key matches.
 * `invalid_body`: signed, but not an event. `other_merchant`: an event of another merchant.
 */
export type WebhookErrorCode =
  | 'invalid_key'
  | 'invalid_headers'
  | 'timestamp_out_of_range'
  | 'invalid_signature'
  | 'invalid_body'
  | 'other_merchant';

/** Error thrown by `verifyWebhook`. `invalid_key` is a configuration error; respond to all others with status 401. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

const TOLERANCE_SECONDS = 300;

/**
 * Verifies a webhook and returns its event. Throws a `WebhookError` otherwise. Later releases may send types that
 * `WebhookEvent` does not list yet: ignore them.
 *
 * @example
 * const event = await verifyWebhook({ headers: request.headers, body: await request.text() }, { key, merchantId });
 * if (event.type === 'fiat.transaction.updated') await updateOrder(event.data.transaction_id, event.data.status);
 */
export async function verifyWebhook(
  { headers, body }: WebhookRequest,
  options: VerifyOptions,
): Promise<ReceivedWebhook> {
  const { key, merchantId, toleranceSeconds = TOLERANCE_SECONDS, now = Date.now } = options;
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookError('invalid_headers', 'webhook-timestamp must be Unix seconds.');
  if (Math.abs(now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError(
      'timestamp_out_of_range',
      `webhook-timestamp differs from the current time by more than ${toleranceSeconds} s.`,
    );
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = concatenate(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const keys = await Promise.all((typeof key === 'string' ? [key] : key).map(importKey));
  const checks = keys.flatMap(({ version, verify }) =>
    signatures
      .split(' ')
      .filter((signature) => signature.startsWith(`${version},`))
      .map(async (signature) => await verify(signature.slice(version.length + 1), signed)),
  );
  if (!(await Promise.all(checks)).includes(true))
    throw new WebhookError('invalid_signature', 'The signature matches no key. Verify the body before parsing it.');
  const event = parse(bytes);
  if (event?.data?.merchant_id === undefined || typeof event.type !== 'string')
    throw new WebhookError('invalid_body', 'The body is not an event.');
  if (event.data.merchant_id !== merchantId)
    throw new WebhookError('other_merchant', `The event is for merchant ${event.data.merchant_id}, not ${merchantId}.`);
  return { ...event, id };
}

function headerOf(headers: WebhookRequest['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string' || value === '')
    throw new WebhookError('invalid_headers', `The header ${name} is missing or repeated.`);
  return value;
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** A verification key, for signatures of its version. */
async function importKey(key: string) {
  const [prefix, base64 = ''] = key.split('_', 2);
  const bytes = decodeBase64(base64);
  const isSecret = prefix === 'whsec' && bytes !== null && bytes.length >= 24;
  const isPublic = prefix === 'whpk' && bytes?.length === 32;
  if (bytes === null || !(isSecret || isPublic))
    throw new WebhookError('invalid_key', 'A key must be a webhook secret (whsec_…) or a public key (whpk_…).');
  const algorithm = isSecret ? { name: 'HMAC', hash: 'SHA-256' } : { name: 'Ed25519' };
  const imported = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
  return {
    version: isSecret ? 'v1' : 'v1a',
    verify: async (signature: string, signed: Uint8Array<ArrayBuffer>) => {
      const given = decodeBase64(signature);
      return given !== null && (await crypto.subtle.verify(algorithm.name, imported, given, signed));
    },
  };
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function parse(bytes: Uint8Array): (WebhookEvent & { data?: { merchant_id?: number } }) | null {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
  } catch {
    return null;
  }
}
