import type { Connection } from '../../../src/acquirers/adapter.ts';
import { adyen } from '../../../src/acquirers/adyen/index.ts';
import type { CardAcquirer, CardCharge, ChargeKey } from '../../../src/acquirers/port.ts';
import type { PushAcquirer, PushPaymentRequest } from '../../../src/acquirers/push-port.ts';
import { findPaymentMethod } from '../../../src/methods/catalog.ts';
import { HOUR, type Instant } from '../../../src/shared/time.ts';
import { systemRandom } from '../../../src/system/random.ts';
import { SimulatedClock } from '../../support/clock.ts';
import { startAdyen } from '../simulators/adyen/index.ts';
import type { SimulatorOptions } from '../simulators/simulator-server.ts';
import type { Webhook } from '../simulators/webhooks.ts';

/** Credentials as an operator enters them. */
export const credentials = {
  merchantAccount: 'PaylatchTest',
  apiKey: 'AQEtestAdyenApiKey',
  environment: 'test',
  hmacKey: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
};

/** A connection with cards and local methods, which Adyen's always has. */
export type AdyenConnection = Connection & {
  card: Required<Pick<CardAcquirer, 'complete'>> & CardAcquirer;
  push: PushAcquirer;
  parseWebhook: NonNullable<Connection['parseWebhook']>;
};

/** Connects an account. `fetch` replaces the network. */
export function connect(change: object = {}, fetch = globalThis.fetch, clock = new SimulatedClock()): AdyenConnection {
  const parsed = adyen.credentialsSchema.parse({ ...credentials, ...change });
  // The adapter keeps no records, so it gets no database.
  const context = { environment: 'sandbox', clock, random: systemRandom } as const;
  return adyen.connect({
    ...context,
    ...{ credentials: parsed, fetch, publicUrl: 'https://pay.example', webhookUrl: '', database: undefined as never },
  }) as AdyenConnection;
}

/** A connection to a simulated Adyen. `parse` reads its webhooks. */
export async function openAccount(options: Partial<SimulatorOptions> = {}) {
  const vendor = await startAdyen({ now: () => Date.parse('2026-11-21T09:00:00Z'), ...options });
  const { webhookUser, webhookPassword } = vendor.credentials;
  let timeout = new AbortController();
  /** The network, whose calls the test lets time out. */
  const network: typeof globalThis.fetch = async (url, init = {}) =>
    await globalThis.fetch(url, {
      ...init,
      signal: AbortSignal.any([timeout.signal, ...(init.signal ? [init.signal] : [])]),
    });
  const connection = connect({ apiUrl: vendor.url, webhookUser, webhookPassword }, network);
  /** Lets the running calls time out. */
  const expireCalls = () => {
    timeout.abort(new DOMException('The operation timed out', 'TimeoutError'));
    timeout = new AbortController();
  };
  const parse = ({ body, headers }: Pick<Webhook, 'body' | 'headers'>) =>
    connection.parseWebhook({ rawBody: Buffer.from(body), headers: new Headers(headers), now: 0 });
  /** Removes the pending webhooks and returns their notifications. */
  const notifications = () =>
    vendor.webhooks.drop().flatMap((webhook) => {
      const parsed = parse(webhook);
      if (parsed.kind === 'rejected') throw new Error(`A webhook was refused: ${parsed.reason}`);
      return parsed.notifications;
    });
  /** The vendor's last payment, by its reference. */
  const lastReference = () => vendor.charges().at(-1)?.reference ?? '';
  return { vendor, connection, parse, notifications, lastReference, expireCalls };
}
export type AdyenAccount = Awaited<ReturnType<typeof openAccount>>;

let counter = 0;

/** A key like those of attempts, instructions and refunds. */
export function newKey(): string {
  counter += 1;
  return `key-of_27-characters_${String(counter).padStart(6, '0')}`;
}

export function cardCharge(change: Partial<CardCharge> = {}): CardCharge {
  return {
    attemptKey: newKey(),
    capture: 'automatic',
    amountMinor: 1250n,
    currency: 'EUR',
    card: { number: '4111111111111111', expiryMonth: 3, expiryYear: 2030, cvv: '737' },
    payer: {
      ...{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+442079460000' },
      ...{ address: '12 St James’s Square', city: 'London', state: 'Greater London', postcode: 'W1J 7NT' },
      ...{ country: 'GB', ipAddress: '203.0.113.7' },
    },
    browser: {
      ...{ userAgent: 'Mozilla/5.0', acceptHeader: '*/*', language: 'en-GB', colorDepth: 24 },
      ...{ screenWidth: 1280, screenHeight: 800, timeZoneOffsetMinutes: 0, javaEnabled: false },
    },
    merchantName: 'Kettle & Co',
    description: 'Two cups and a saucer',
    transactionReference: 'order-1',
    returnUrl: 'https://pay.example/p/link/return',
    ...change,
  };
}

/** The key of a charge in later calls. */
export function chargeKey({ attemptKey, amountMinor, currency }: CardCharge, reference: string | null): ChargeKey {
  return { attemptKey, reference, amountMinor, currency };
}

/** A card that Adyen's test platform challenges. */
export const challengedCard = { number: '4212345678901237', expiryMonth: 3, expiryYear: 2030, cvv: '737' };

/** The time of the simulated Adyen. */
export const startedAt: Instant = Date.parse('2026-11-21T09:00:00Z') * 1000;

export function pushRequest(
  code: string,
  country: string,
  currency: PushPaymentRequest['currency'],
  change: Partial<PushPaymentRequest> = {},
): PushPaymentRequest {
  const method = findPaymentMethod(code);
  if (!method) throw new Error(`No method ${code}`);
  return {
    ...{ method, merchantId: 1, country, amountMinor: 1_000_000n, currency, viewer: null },
    ...{ instructionsKey: newKey(), choice: null, paymentReference: 'order-1', merchantName: 'Kettle & Co' },
    ...{ description: 'Two cups', returnUrl: 'https://pay.example/p/link/return', expiresAt: startedAt + HOUR },
    payer: { name: 'Siti Rahma', email: 'siti@example.com', handle: 'siti@example.com' },
    ...change,
  };
}
