import assert from 'node:assert/strict';
import { hyperswitch } from '../../../src/acquirers/hyperswitch/index.ts';
import type { BrowserInfo, CardAcquirer, CardCharge, ChargeKey } from '../../../src/acquirers/port.ts';
import type { PushPaymentKey, PushPaymentRequest } from '../../../src/acquirers/push-port.ts';
import { findPaymentMethod } from '../../../src/methods/catalog.ts';
import { MINUTE, toMillis } from '../../../src/shared/time.ts';
import { randomId, systemRandom } from '../../../src/system/random.ts';
import { SimulatedClock } from '../../support/clock.ts';
import { startHyperswitch } from '../simulators/hyperswitch/index.ts';
import type { SimulatorOptions } from '../simulators/simulator-server.ts';

const credentials = { apiUrl: 'https://hyperswitch.example', apiKey: 'key', responseHashKey: 'secret' };

/** Connects an account whose requests go to `fetch`. */
export function connect(
  fetch: typeof globalThis.fetch,
  change: Partial<typeof credentials> & { profileId?: string } = {},
  clock = new SimulatedClock(),
) {
  const { card, push, parseWebhook, check } = hyperswitch.connect({
    credentials: hyperswitch.credentialsSchema.parse({ ...credentials, ...change }),
    environment: 'production',
    clock,
    random: systemRandom,
    fetch,
    publicUrl: 'https://pay.example',
    webhookUrl: 'https://pay.example/acquirers/a1/webhooks',
    // The adapter stores no records.
    database: null as never,
  });
  assert.ok(card?.fetchOutcome && push && parseWebhook);
  return {
    card: card as CardAcquirer & { fetchOutcome: NonNullable<CardAcquirer['fetchOutcome']> },
    push,
    parseWebhook,
    check,
  };
}

/** A request of the adapter. */
interface Sent {
  url: string;
  init: RequestInit & { headers: Record<string, string>; body?: string };
}

/** The adapter passes addresses and bodies as text. */
function sentRequest(url: string | URL | Request, init: RequestInit | undefined): Sent {
  assert.ok(typeof url === 'string');
  return { url, init: init as Sent['init'] };
}

/** Connects an account that records requests, and gets the next of `responses` for each. */
export function recorder(results: (Response | Error)[], change: { profileId?: string } = {}) {
  const sent: Sent[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    sent.push(sentRequest(url, init));
    const result = results.shift();
    if (result instanceof Error) throw result;
    return await Promise.resolve(result ?? Response.json({}));
  };
  return { sent, ...connect(fetch, change) };
}

/** An error of Hyperswitch, with a card number in its text. */
export function apiError(status: number, code: string, form: 'wrapped' | 'documented' = 'wrapped'): Response {
  const error = { type: 'invalid_request', message: 'card 4242424242424242 refused', code };
  return Response.json(form === 'wrapped' ? { error } : { error_type: error.type, ...error }, { status });
}

/** A failure of `fetch`. */
export function networkError(code: string): Error {
  return Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(code), { code }) });
}

/** Starts a Hyperswitch server and connects an account to it. */
export async function openAccount(options: Partial<SimulatorOptions> = {}) {
  const clock = new SimulatedClock();
  const vendor = await startHyperswitch({ now: () => toMillis(clock.now()), ...options });
  const { apiKey, hashKey } = vendor.credentials;
  const change = { apiUrl: vendor.url, apiKey, responseHashKey: hashKey };
  return { vendor, clock, ...connect(fetch, change, clock) };
}

const browser: BrowserInfo = {
  userAgent: 'Mozilla/5.0',
  acceptHeader: 'text/html',
  language: 'en-GB',
  colorDepth: 24,
  screenWidth: 390,
  screenHeight: 844,
  timeZoneOffsetMinutes: -120,
  javaEnabled: false,
};

export const testCards = { approved: '4242424242424242', challenge: '4000003800000446' } as const;

/** A card charge with a new key. */
export function cardCharge(number: string = testCards.approved, change: Partial<CardCharge> = {}): CardCharge {
  return {
    attemptKey: randomId(systemRandom),
    capture: 'automatic',
    amountMinor: 1000n,
    currency: 'EUR',
    card: { number, expiryMonth: 3, expiryYear: 2030, cvv: '123' },
    payer: {
      firstName: 'Ana',
      lastName: 'Lee',
      email: 'ana@shop.example',
      phone: '+6621234567',
      address: '1 Silom Road',
      city: 'Bangkok',
      state: 'Bangkok',
      postcode: '10500',
      country: 'TH',
      ipAddress: '203.0.113.7',
    },
    browser,
    merchantName: 'Shop',
    description: 'Order 7',
    transactionReference: 'order-7',
    returnUrl: 'https://pay.example/p/link/return',
    ...change,
  };
}

export function chargeKey({ attemptKey, amountMinor, currency }: CardCharge): ChargeKey {
  return { attemptKey, reference: null, amountMinor, currency };
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
    ...{ method, country, currency, merchantId: 1, amountMinor: 250_000n, choice: null, viewer: null },
    instructionsKey: randomId(systemRandom),
    paymentReference: 'order-7',
    merchantName: 'Shop',
    description: 'Order 7',
    returnUrl: 'https://pay.example/p/link/return',
    expiresAt: clock.now() + 30 * MINUTE,
    payer: {},
    ...change,
  };
}

export function pushKey({ instructionsKey, amountMinor, currency }: PushPaymentRequest): PushPaymentKey {
  return { instructionsKey, acquirerReference: null, amountMinor, currency };
}
