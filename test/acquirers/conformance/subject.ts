import { adyen } from '../../../src/acquirers/adyen/index.ts';
import type { Adapter } from '../../../src/acquirers/adapter.ts';
import { hyperswitch } from '../../../src/acquirers/hyperswitch/index.ts';
import { webhookPath } from '../../../src/acquirers/registry.ts';
import { xendit } from '../../../src/acquirers/xendit/index.ts';
import { toMillis } from '../../../src/shared/time.ts';
import { SimulatedClock } from '../../support/clock.ts';
import { openFixture, type Fixture } from '../../support/fixture.ts';
import { createCardEncryption } from '../simulators/adyen/card-decryption.ts';
import { startAdyen } from '../simulators/adyen/index.ts';
import type { SimulatorCharge } from '../simulators/charges.ts';
import type { Plan } from '../simulators/faults.ts';
import { startHyperswitch } from '../simulators/hyperswitch/index.ts';
import type { Navigation } from '../simulators/pages.ts';
import { type Send, sendTo, type WebhookQueue } from '../simulators/webhooks.ts';
import { startXendit } from '../simulators/xendit/index.ts';

/** Outcomes that every simulated acquirer can be planned to have, of charges, refunds, and captures and voids (`failed`). */
export type Outcome = 'approved' | 'frictionless' | 'challenge' | 'declined' | 'pending' | 'failed';

type Maybe<Value> = Value | Promise<Value>;

/** The other side of an adapter: a simulator, or the sandbox with its simulated issuer and bank. */
export interface SimulatedAcquirer {
  /** Plans the next charge, refund, or call by which an outcome is read. */
  next(operation: string, plan: Plan<Outcome>): void;
  /** Removes all plans. */
  reset(): void;
  /** Resolves when the next call of an operation has arrived and is carried out. */
  waitForRequest(operation: string): Promise<void>;
  /** Sends the late responses. */
  releaseResponses(): number;
  charges(): Maybe<readonly SimulatorCharge[]>;
  /** References of the requested refunds, in order. */
  refunds(): Maybe<readonly string[]>;
  completeChallenge(reference: string, result: 'authenticated' | 'failed'): Maybe<Navigation | null>;
  receiveFunds(reference: string): Maybe<void>;
  declinePayment(reference: string): Maybe<void>;
  settleRefund(reference: string, outcome: 'succeeded' | 'failed' | 'failed_late'): Maybe<void>;
  /** A capture fails after it succeeded; absent if the acquirer does not report this. */
  failCapture?(reference: string): Maybe<void>;
  /** A capture in the acquirer's dashboard; absent if calls do not report its amount. */
  captureOutside?(reference: string, amountMinor: bigint): Maybe<void>;
  openDispute(reference: string): Maybe<string>;
  closeDispute(disputeReference: string, result: 'won' | 'lost'): Maybe<void>;
  /** Adyen: the capture succeeds after all. */
  recapture?(reference: string): void;
  /** Adyen: the refund succeeds after all. */
  resendRefund?(reference: string): void;
  /** Adyen: queues any other event about a payment, with changed fields. */
  sendEvent?(reference: string, event: string, isSuccess: boolean, more?: object): void;
  /** The payer has not paid in time. */
  expire?(reference: string): void;
  webhooks: Pick<
    WebhookQueue<object>,
    'pending' | 'history' | 'deliver' | 'deliverTwice' | 'redeliver' | 'reorder' | 'drop' | 'forge'
  > & { send: Send };
  close(): Promise<void>;
}

/** The service with an account at a simulated acquirer, over HTTP in both directions and in simulated time. */
export interface Bench {
  fixture: Fixture;
  acquirer: SimulatedAcquirer;
  /** Key of the account that all payments use. */
  accountKey: string;
  /** The environment of another process of the service. */
  env: Record<string, string>;
}

/** An adapter under test. */
export interface Subject {
  adapter: Adapter;
  /** Distinguishes it from other subjects of the adapter. */
  variant?: string;
  /** The call that voids an authorization. */
  voidCall: string;
  /** The call that reads the outcome of a completed challenge. */
  outcomeCall: string;
  open(): Promise<Bench>;
}

/** The service in production, with an account at a simulator. */
function simulatorSubject<Simulator extends Omit<SimulatedAcquirer, 'refunds'> & Requests>({
  adapter,
  variant,
  outcomeCall,
  voidCall,
  refundField,
  start,
  credentialsOf,
}: {
  adapter: Adapter;
  variant?: string;
  outcomeCall: string;
  voidCall: string;
  /** Field of a refund request that contains its reference. */
  refundField: string;
  start: (now: () => number) => Promise<Simulator>;
  credentialsOf: (vendor: Simulator) => object;
}): Subject {
  const open = async (): Promise<Bench> => {
    const clock = new SimulatedClock();
    const vendor = await start(() => toMillis(clock.now()));
    const env = {
      PAYLATCH_ENV: 'production',
      PUBLIC_URL: 'https://pay.example',
      PAYLATCH_SECRET_KEY: 'ab'.repeat(32),
      SEALING_KEY: 'cd'.repeat(32),
      // All buyers have one address here.
      LIMIT_SUBMIT_PER_HOUR: '0',
      LIMIT_PAGE_PER_MINUTE: '0',
    };
    const fixture = await openFixture({ clock, env });
    const { accountStore, database } = fixture.service();
    const accountKey = await database.inTransaction(async (unit) => {
      const stored = await accountStore.insert(unit, {
        ...{ adapter: adapter.name, name: adapter.displayName, merchantId: null },
        credentials: credentialsOf(vendor),
      });
      const methods = [...new Set(adapter.capabilities.map(({ method }) => method))];
      const routes = methods.map((paymentMethod) => ({ paymentMethod, country: '*', currency: '*', priority: 1 }));
      await accountStore.setRoutes(unit, stored, routes);
      return stored.key;
    });
    await fixture.work();
    vendor.webhooks.send = sendTo(fixture.url + webhookPath(accountKey));
    const refunds = () => {
      const posted = vendor.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/refunds'));
      return [...new Set(posted.map(({ body }) => (body as Record<string, string>)[refundField] ?? ''))];
    };
    return { fixture, accountKey, env, acquirer: Object.assign(vendor, { refunds }) };
  };
  return { adapter, outcomeCall, voidCall, open, ...(variant !== undefined && { variant }) };
}

interface Requests {
  requests: readonly { method: string; path: string; body: unknown }[];
}

export const adyenSubject = simulatorSubject({
  ...{ adapter: adyen, outcomeCall: 'details', voidCall: 'cancel', refundField: 'reference' },
  start: async (now) => await startAdyen({ now }),
  credentialsOf: ({ url, credentials }) => ({ ...credentials, environment: 'test', apiUrl: url }),
});

/** Adyen with a merchant account that accepts only cards that the buyer's browser encrypted. */
export const adyenEncryptedSubject = simulatorSubject({
  ...{
    adapter: adyen,
    outcomeCall: 'details',
    voidCall: 'cancel',
    refundField: 'reference',
    variant: 'encrypted cards',
  },
  start: async (now) => {
    const encryption = createCardEncryption();
    return Object.assign(await startAdyen({ now, encryption }), { encryption });
  },
  credentialsOf: ({ url, credentials, encryption }) => ({
    ...{ ...credentials, environment: 'test', apiUrl: url },
    encryptionCertificate: encryption.certificate,
  }),
});

export const hyperswitchSubject = simulatorSubject({
  ...{ adapter: hyperswitch, outcomeCall: 'fetch', voidCall: 'cancel', refundField: 'refund_id' },
  start: async (now) => await startHyperswitch({ now }),
  credentialsOf: ({ url, credentials: { apiKey, hashKey } }) => ({ apiUrl: url, apiKey, responseHashKey: hashKey }),
});

export const xenditSubject = simulatorSubject({
  ...{ adapter: xendit, outcomeCall: 'fetch', voidCall: 'cancelPayment', refundField: 'reference_id' },
  start: async (now) =>
    await startXendit({
      now,
      credentials: { secretKey: 'xnd_production_testKey', callbackToken: 'testCallbackToken' },
    }),
  credentialsOf: ({ url, credentials }) => ({ ...credentials, accountCountry: 'TH', apiUrl: url }),
});
