import type { DeclineDetails } from '../api/decline.ts';
import type { CurrencyCode } from '../api/currency.ts';
import type { ManualCapture } from './capture.ts';
import type { IssueRefund } from './refund.ts';

/** The buyer's browser, for 3-D Secure 2 (EMVCo 3DS specification, "browser information" of the AReq message). */
export interface BrowserInfo {
  userAgent: string;
  acceptHeader: string;
  /** BCP 47. */
  language: string;
  /** Bits per pixel. */
  colorDepth: number;
  screenWidth: number;
  screenHeight: number;
  /** UTC minus local time, in minutes, as JavaScript's `getTimezoneOffset`. */
  timeZoneOffsetMinutes: number;
  javaEnabled: boolean;
}

export type CaptureMode = 'automatic' | 'manual';

/** A card charge. Card data is held in memory for the duration of the call, and never stored. */
export interface CardCharge {
  /** Idempotency key of the charge. For a known key, the acquirer returns the first charge's outcome. */
  attemptKey: string;
  amountMinor: bigint;
  currency: CurrencyCode;
  /** `manual`: an approval only authorizes the amount, until it is captured with `manualCapture`. */
  capture: CaptureMode;
  card: { number: string; expiryMonth: number; expiryYear: number; cvv: string };
  /**
   * Unknown details are empty: pages ask only for details that `MethodCapability.payerFields`, the merchant or the
   * country requires.
   */
  payer: {
    firstName: string;
    lastName: string;
    email: string;
    /** E.164. */
    phone: string;
    address: string;
    city: string;
    state: string;
    postcode: string;
    /** ISO 3166-1 alpha-2. */
    country: string;
    /** IP address of the buyer's browser; null for a submission from the merchant's server. */
    ipAddress: string | null;
  };
  /** Null for a submission from the merchant's server, or from a page without JavaScript. */
  browser: BrowserInfo | null;
  merchantName: string;
  description: string;
  /** The merchant's reference of the transaction. */
  transactionReference: string;
  /** The issuer redirects the buyer here after a 3-D Secure challenge. */
  returnUrl: string;
}

/** Public key of an account that accepts card data only if the buyer's browser has encrypted it. An RSA key, as JWK. */
export interface CardKey {
  /** Thumbprint (RFC 7638): identifies the key that a page has used. */
  id: string;
  n: string;
  e: string;
}

/** Card data that the buyer's browser has encrypted: only the acquirer can read it. Each field is a JWE. */
export interface EncryptedCard {
  keyId: string;
  number: string;
  expiryMonth: string;
  expiryYear: string;
  securityCode: string;
}

/** A charge of encrypted card data. */
export type EncryptedCardCharge = Omit<CardCharge, 'card'> & { card: EncryptedCard };

/** Identifies a charge in later calls. */
export interface ChargeKey {
  attemptKey: string;
  /** The acquirer's own reference of the charge; null if none was reported yet. */
  reference: string | null;
  amountMinor: bigint;
  currency: CurrencyCode;
}

/** Target of the buyer's browser for a 3-D Secure challenge: a link for GET, or a form whose fields are posted. */
interface Challenge {
  url: string;
  method: 'GET' | 'POST';
  /** Form fields; empty for GET. */
  fields: Readonly<Record<string, string>>;
}

/** Response data of the issuer and card network, for support and scheme rules. Absent: not reported. */
export interface ChargeDetails {
  /** The issuer's authorization code. */
  authorizationCode?: string;
  /** Response code of the card network, for example `51`. */
  networkCode?: string;
  /** Mastercard merchant advice code, or the equivalent of another network. */
  merchantAdviceCode?: string;
  /** Result of the address check, as the acquirer reports it. */
  avsResult?: string;
  /** Result of the security code check, as the acquirer reports it. */
  cvvResult?: string;
  /** Acquirer reference number: finds the charge at the issuer. */
  arn?: string;
}

/**
 * The acquirer's outcome for a charge. `reference`: its own reference, which later calls receive. `isReleased` is false
 * if the acquirer may still hold an amount that it had authorized before.
 */
export type ChargeOutcome = { reference?: string; details?: ChargeDetails } & (
  | /** `threeDSecure`: whether the issuer authenticated the buyer, with or without a challenge; absent if not reported. */
  { kind: 'approved'; threeDSecure?: boolean }
  | { kind: 'declined'; decline: DeclineDetails; isReleased?: false }
  /** The buyer must complete a 3-D Secure challenge. The outcome follows. */
  | { kind: 'challenge'; challenge: Challenge }
  /** No outcome yet, or no response. The acquirer is polled until there is one; it is never guessed. */
  | { kind: 'unknown' }
);

/** `refused`: the charge must be refunded with the acquirer, unless a later call succeeds. */
export type ReversalOutcome = { kind: 'requested' } | { kind: 'refused'; code: string };

/**
 * Port of a card acquirer. Every method may be called again with the same key after a crash. A rejected promise means
 * that the outcome is unknown, unless it is `NotProcessed`.
 */
export interface CardAcquirer {
  /** Charges a card, at most once per key. */
  charge(charge: CardCharge): Promise<ChargeOutcome>;
  /** Set if the account accepts only encrypted card data. `charge` then rejects every card. */
  encrypted?: { key: CardKey; charge(charge: EncryptedCardCharge): Promise<ChargeOutcome> };
  /**
   * Returns the outcome of a charge; null if the acquirer is certain that it never received the key. Absent for an
   * acquirer that cannot be polled: its outcomes arrive as notifications, and charges without one are abandoned.
   */
  fetchOutcome?(charge: ChargeKey): Promise<ChargeOutcome | null>;
  /**
   * Completes a challenge with the parameters that the buyer's return carries. Null: they contain no valid result of
   * this charge, and the challenge stays open. Absent: the return carries none.
   */
  complete?(charge: ChargeKey, returned: Readonly<Record<string, string>>): Promise<ChargeOutcome | null>;
  /**
   * Cancels a charge without an outcome: an open challenge, or an unknown key, which can then no longer be charged.
   * Returns the resulting outcome, which may be `approved`, or `unknown` until a notification reports the result.
   */
  abandon(charge: ChargeKey): Promise<ChargeOutcome>;
  /**
   * Reverses an approved charge in full, after a duplicate payment. One that is only authorized is released, and one
   * that has ended without a capture needs no more.
   */
  reverse(charge: ChargeKey): Promise<ReversalOutcome>;
  /** Refunds an approved charge, in full or in part. */
  refund: IssueRefund;
  /** Set if the acquirer can authorize a charge and capture it later. */
  manualCapture?: ManualCapture;
}

/**
 * The call is known not to have been processed: it was never sent, or rejected before processing. Another account may
 * be tried.
 */
export class NotProcessed extends Error {}

/** The acquirer is available, but cannot accept this request: a field is missing or invalid. */
export class InvalidRequest extends NotProcessed {}

/** The acquirer could not be reached, did not respond, or reported a fault of its own: it may be down. */
export class Outage extends Error {}

/** True if an error is an `Outage`, or was caused by one. */
export function isOutage(error: unknown): boolean {
  return error instanceof Outage || (error instanceof Error && isOutage(error.cause));
}

/**
 * Makes a further call about a charge that was sent. If that call was not processed, the charge may still have been: no
 * other account may be tried.
 */
export async function followUp<Response>(call: () => Promise<Response>): Promise<Response> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof NotProcessed) throw new Error(error.message, { cause: error });
    throw error;
  }
}
