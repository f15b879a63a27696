import type { Hono } from 'hono';
import type { z } from 'zod';
import type { CurrencyCode } from '../api/currency.ts';
import type { HttpEnv } from '../http/context.ts';
import type { Job } from '../jobs/runner.ts';
import type { DisputeState } from '../shared/dispute.ts';
import type { Instant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Database } from '../database/database.ts';
import type { Random } from '../system/random.ts';
import type { Environment } from '../system/settings.ts';
import type { CaptureOutcome } from './capture.ts';
import type { CardAcquirer, ChargeOutcome } from './port.ts';
import type { PushAcquirer, PushPayment } from './push-port.ts';
import type { RefundOutcome } from './refund.ts';
import type { RenderIssuerPage, RenderSimulatorPage } from './sandbox/routes.ts';

/** An acquirer's adapter, exported by its folder. `Credentials` are those of one account. */
export interface Adapter<Credentials = unknown> {
  /** Stable name, for example `adyen`. */
  name: string;
  displayName: string;
  /** Fields of an account's credentials, in the order of the form. */
  credentials: readonly CredentialField[];
  /** Parses credentials from the account area or the command line. */
  credentialsSchema: z.ZodType<Credentials>;
  /** Methods that the acquirer offers. The operator enables those of an account with routes. */
  capabilities: readonly MethodCapability[];
  connect(account: AccountContext<Credentials>): Connection;
  /** The acquirer's rate limit for an account, in calls per minute. */
  callsPerMinute?: number;
  /** The environment with a built-in account, which needs no credentials. */
  builtIn?: Environment;
  /** Pages and jobs of an acquirer that runs in our process. */
  inProcess?(context: InProcessContext): InProcessAcquirer;
}

/** A field of an account's credentials. */
export interface CredentialField {
  name: string;
  label: string;
  /** One sentence on where the operator finds the value. */
  hint: string;
  /** A secret is sealed at rest and never shown again. */
  secret: boolean;
  optional?: boolean;
  /** The accepted values, if there are few. */
  options?: readonly string[];
  /** Shortens a long value for the audit log. */
  summarize?(value: string): string;
}

/** A payment method that an acquirer offers, and its capabilities. */
export interface MethodCapability {
  /** Code in the method catalog. */
  method: string;
  /** ISO 3166-1 alpha-3, or every country of the method. */
  countries: readonly string[] | 'all';
  currencies: readonly CurrencyCode[] | 'all';
  /** Limits in minor units, by currency. */
  minimum?: Partial<Record<CurrencyCode, bigint>>;
  maximum?: Partial<Record<CurrencyCode, bigint>>;
  /** Amount increments in minor units, by currency, where the acquirer has fewer decimals than ISO 4217. */
  increments?: Partial<Record<CurrencyCode, bigint>>;
  refunds: 'none' | 'full' | 'partial';
  /** Set if charges can be authorized first and captured later, until `validity` after the authorization. */
  manualCapture?: { validity: Instant };
  /** True if funds may arrive after the instructions expired or were withdrawn. */
  latePayments: boolean;
  /** The longest time that instructions are valid; absent: the transaction's own expiry. */
  maximumValidity?: Instant;
  /** Data that the payer must enter before the method can start. */
  payerFields: readonly PayerField[];
}

/** `address`: the billing address; `handle`: the payer's handle for the method, such as a PayID. */
const payerFields = ['name', 'email', 'phone', 'handle', 'address'] as const;
export type PayerField = (typeof payerFields)[number];

/** Dependencies of one account's connection. */
export interface AccountContext<Credentials> {
  credentials: Credentials;
  environment: Environment;
  clock: Clock;
  random: Random;
  /** Sends a request to the acquirer: with a timeout, without redirects. */
  fetch: typeof fetch;
  publicUrl: string;
  /** Our URL for this account's webhooks. */
  webhookUrl: string;
  /** Only for acquirers that keep records in our database, such as the sandbox. */
  database: Database;
}

/** A connected account. */
export interface Connection {
  card?: CardAcquirer;
  push?: PushAcquirer;
  /**
   * Parses a webhook. Pure: reads only its arguments. Returns its notifications in order, or the reason to reject it.
   * The acquirer retries a rejected webhook, or reports a failure.
   */
  parseWebhook?(request: WebhookRequest): ParsedWebhook;
  /** Checks the credentials with a call to the acquirer that has no side effects. */
  check(): Promise<CredentialsCheck>;
}

export interface WebhookRequest {
  rawBody: Uint8Array;
  headers: Headers;
  now: Instant;
}

export type ParsedWebhook =
  | { kind: 'accepted'; notifications: readonly Notification[]; response?: { body: string; contentType: string } }
  | { kind: 'rejected'; reason: 'bad_signature' | 'malformed' };

/** A notification in a webhook. `id` distinguishes notifications of an account: a repeated one is applied once. */
export type Notification = {
  id: string;
} /**
 * `currency`: of the approved amount, if the adapter cannot compare it with that of the charge. `wasUnknown`: the
 * acquirer did not have the charge when it was asked. It may have received it since.
 */ & (
  | { kind: 'charge'; attemptKey: string; outcome: ChargeOutcome; currency?: string; wasUnknown?: true }
  /** `currency`: of the receipts, if the adapter cannot compare it with that of the payment. */
  | { kind: 'push_payment'; instructionsKey: string; payment: PushPayment; currency?: string }
  | { kind: 'refund'; refundKey: string; outcome: RefundOutcome }
  /**
   * Outcome of a capture or a void. `captured`: set if the acquirer may repeat a failed capture, which another capture or
   * void may have replaced. `chargeReference` is the acquirer's reference of the charge.
   */
  | {
      kind: 'capture';
      modificationKey: string;
      outcome: CaptureOutcome;
      captured?: { chargeReference: string; currency: CurrencyCode; outcome: ExternalCapture };
    }
  /**
   * A capture that was not requested through Paylatch, for example in the acquirer's dashboard, or its late failure.
   */
  | { kind: 'external_capture'; attemptKey: string; currency: CurrencyCode; outcome: ExternalCapture }
  | { kind: 'dispute'; dispute: DisputeReport }
  /** The reversal of a duplicate charge was accepted, but failed later: the payer has paid twice. */
  | { kind: 'reversal_failed'; attemptKey: string }
  /** Unsigned or incomplete: the acquirer is polled before anything is recorded. */
  | { kind: 'charge_changed'; attemptKey: string; reference?: string }
  | { kind: 'push_payment_changed'; instructionsKey: string; reference?: string }
  | { kind: 'refund_changed'; refundKey: string; reference?: string }
);

/** `reference` is the acquirer’s ID of the capture. */
export type ExternalCapture = Extract<CaptureOutcome, { kind: 'captured' | 'refused' }> & { reference: string };

/** A dispute as the acquirer reports it: the buyer contests a charge with their bank. */
export interface DisputeReport {
  /** The acquirer's reference of the dispute; null if the report names only the charge: it is about its latest dispute. */
  disputeKey: string | null;
  /** Our key of the disputed charge or push payment. */
  chargeKey: string;
  state: DisputeState;
  /** Set if the report only says that the amount was debited: an answered or closed dispute keeps its state. */
  isDebit?: true;
  amountMinor: bigint;
  currency: CurrencyCode;
  /** The network's reason code; null without one. */
  reasonCode: string | null;
  reason: string | null;
  /** Deadline of the merchant's response; null if no response is possible. */
  respondBy: Instant | null;
  updatedAt: Instant;
}

/** `failed`: the acquirer rejected the credentials, or the account lacks a permission. `unreachable`: no response. */
export interface CredentialsCheck {
  result: 'ok' | 'failed' | 'unreachable';
  /** One sentence for the operator. */
  detail: string;
}

/** Pages and jobs of an acquirer that runs in our process. */
export interface InProcessAcquirer {
  routes: readonly Hono<HttpEnv>[];
  jobs: readonly Job[];
}

/** Dependencies of an acquirer that runs in our process. */
export interface InProcessContext {
  database: Database;
  clock: Clock;
  random: Random;
  publicUrl: string;
  pages: AcquirerPages;
  /** Reports notifications, as a webhook does. */
  notify(notifications: readonly Notification[]): Promise<void>;
}

/** Pages of the sandbox's simulated issuer and bank. */
export interface AcquirerPages {
  renderIssuerPage: RenderIssuerPage;
  renderSimulatorPage: RenderSimulatorPage;
}
