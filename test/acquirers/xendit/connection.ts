import assert from 'node:assert/strict';
import { xendit } from '../../../src/acquirers/xendit/index.ts';
import type { CardAcquirer, CardCharge, ChargeKey } from '../../../src/acquirers/port.ts';
import type { PushPaymentKey, PushPaymentRequest } from '../../../src/acquirers/push-port.ts';
import type { RefundRequest } from '../../../src/acquirers/refund.ts';
import { findPaymentMethod } from '../../../src/methods/catalog.ts';
import { HOUR, toMillis } from '../../../src/shared/time.ts';
import { randomId, systemRandom } from '../../../src/system/random.ts';
import type { Environment } from '../../../src/system/settings.ts';
import { SimulatedClock } from '../../support/clock.ts';
import { startXendit } from '../simulators/xendit/index.ts';

export const credentials = {
  secretKey: 'xnd_development_secret',
  callbackToken: 'token',
  accountCountry: 'TH',
};

type Change = Partial<Record<'promptPayChannel' | 'accountBank' | 'vietnameseAccountBank' | 'apiUrl', string>> &
  Partial<typeof credentials>;

/** Connects an account whose requests go to `fetch`. */
export function connect(
  fetch: typeof globalThis.fetch,
  change: Change = {},
  {
    clock = new SimulatedClock(),
    environment = 'sandbox',
    publicUrl = 'https://pay.example',
  }: { clock?: SimulatedClock; environment?: Environment; publicUrl?: string } = {},
) {
  const { card, push, parseWebhook, check } = xendit.connect({
    ...{ environment, clock, fetch, publicUrl },
    credentials: xendit.credentialsSchema.parse({ ...credentials, ...change }),
    random: systemRandom,
    webhookUrl: `${publicUrl}/acquirers/a1/webhooks`,
    // The adapter stores no records.
    database: null as never,
  });
  assert.ok(card?.fetchOutcome && push && parseWebhook);
  return {
    card: card as CardAcquirer & { fetchOutcome: NonNullable<CardAcquirer['fetchOutcome']> },
    ...{ push, parseWebhook, check },
  };
}

/** A request of the adapter. */
interface Sent {
  url: string;
  init: RequestInit & { headers: Record<string, string>; body?: string };
}

/** Connects an account that records requests, and gets the next of `responses` for each. */
export function recorder(results: (Response | Error)[], change: Change = {}, environment: Environment = 'sandbox') {
  const sent: Sent[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    assert.ok(typeof url === 'string');
    sent.push({ url, init: init as Sent['init'] });
    const result = results.shift();
    if (result instanceof Error) throw result;
    return await Promise.resolve(result ?? Response.json({}));
  };
  return { sent, ...connect(fetch, change, { environment }) };
}

/** An error of Xendit, with a card number in its text. */
export function apiError(status: number, code: string): Response {
  return Response.json({ error_code: code, message: 'card 4000000000001091 refused' }, { status });
}

/** A failure of `fetch`. */
export function networkError(code: string): Error {
  return Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(code), { code }) });
}

/** A payment request as Xendit returns it. */
export function paymentResponse(charge: Pick<CardCharge, 'attemptKey'>, change: object = {}): Response {
  return Response.json({
    ...{ payment_request_id: 'pr-1', reference_id: charge.attemptKey, currency: 'USD', request_amount: 12.5 },
    ...{ status: 'SUCCEEDED', latest_payment_id: 'py-1', actions: [], ...change },
  });
}

/** Starts a Xendit server and connects an account to it. */
export async function openAccount(
  change: Change = {},
  options: Partial<Omit<Parameters<typeof startXendit>[0], 'now'>> = {},
) {
  const clock = new SimulatedClock();
  const vendor = await startXendit({ now: () => toMillis(clock.now()), ...options });
  return { vendor, clock, ...connect(fetch, { ...vendor.credentials, apiUrl: vendor.url, ...change }, { clock }) };
}

export const testCards = {
  approved: '4000000000000101',
  challenge: '4000000000002503',
  frictionless: '4000000000001000',
} as const;

/** A card charge with a new key. */
export function cardCharge(number: string = testCards.approved, change: Partial<CardCharge> = {}): CardCharge {
  return {
    attemptKey: randomId(systemRandom),
    capture: 'automatic',
    amountMinor: 1250n,
    currency: 'USD',
    card: { number, expiryMonth: 3, expiryYear: 2030, cvv: '123' },
    payer: {
      ...{ firstName: 'Ana', lastName: 'Lee', email: 'ana@shop.example', phone: '+6621234567' },
      ...{ address: '1 Silom Road', city: 'Bangkok', state: 'Bangkok', postcode: '10500', country: 'TH' },
      ipAddress: '203.0.113.7',
    },
    browser: null,
    merchantName: 'Shop',
    description: 'Order 7',
    transactionReference: 'order-7',
    returnUrl: 'https://pay.example/p/link/return',
    ...change,
  };
}

export function chargeKey({ attemptKey, amountMinor, currency }: CardCharge, reference: string | null): ChargeKey {
  return { attemptKey, reference, amountMinor, currency };
}

/** A push payment with a new key. */
export function pushRequest(
  code: string,
  country: string,
  currency: PushPaymentRequest['currency'],
  clock: SimulatedClock,
  change: Partial<PushPaymentRequest> = {},
): PushPaymentRequest {
  const method = findPaymentMethod(code);
  assert.ok(method);
  return {
    ...{ method, country, currency, merchantId: 1, amountMinor: 250_000n, choice: null },
    instructionsKey: randomId(systemRandom),
    paymentReference: 'order-7',
    merchantName: 'Café Đông & Co.',
    description: 'Order 7',
    returnUrl: 'https://pay.example/p/link/return',
    expiresAt: clock.now() + 24 * HOUR,
    viewer: null,
    payer: {},
    ...change,
  };
}

export function pushKey(
  { instructionsKey, amountMinor, currency }: PushPaymentRequest,
  acquirerReference: string | null,
): PushPaymentKey {
  return { instructionsKey, acquirerReference, amountMinor, currency };
}

/** A refund of a charge with a new key. */
export function refundOf(
  { attemptKey, currency }: CardCharge,
  chargeReference: string | null,
  change: Partial<RefundRequest> = {},
): RefundRequest {
  return {
    ...{ refundKey: randomId(systemRandom), reference: null, chargeKey: attemptKey, chargeReference },
    ...{ amountMinor: 500n, currency, ...change },
  };
}
