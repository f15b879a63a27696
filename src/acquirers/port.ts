import type { DeclineDetails } from '../api/card-submission.ts';
import type { CurrencyCode } from '../api/currency.ts';
import type { IssueRefund } from './refund.ts';

/** A card charge. Card data is held in memory for the duration of the call, and never stored. */
export interface CardCharge {
  /** Idempotency key of the charge. For a key that it knows, the acquirer returns the first charge's outcome. */
  attemptKey: string;
  amountMinor: bigint;
  currency: CurrencyCode;
  card: { number: string; expiryMonth: number; expiryYear: number; cvv: string };
  payer: {
    firstName: string;
    lastName: string;
    email: string;
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
  merchantName: string;
  /** The issuer redirects the buyer here after a 3-D Secure challenge. */
  returnUrl: string;
}

/** The acquirer's outcome for a charge. */
export type ChargeOutcome =
  /** `threeDSecure`: the issuer authenticated the payer without a challenge (frictionless flow). */
  | { kind: 'approved'; threeDSecure?: boolean }
  | { kind: 'declined'; decline: DeclineDetails }
  /** The buyer must complete the 3-D Secure challenge at `challengeUrl`. The outcome follows. */
  | { kind: 'challenge'; challengeUrl: string }
  /** No outcome yet, or no response. The acquirer is polled until there is one; it is never guessed. */
  | { kind: 'unknown' };

/** Receives outcomes that the acquirer reports itself. May be called before `charge` has returned, and twice. */
export type OutcomeListener = (attemptKey: string, outcome: ChargeOutcome) => Promise<void>;

/**
 * Port of a card acquirer. Every method may be called again with the same key after a crash. A rejection means that the
 * outcome is unknown.
 */
export interface CardAcquirer {
  readonly name: string;
  /** Charges a card, at most once per key. */
  charge(charge: CardCharge): Promise<ChargeOutcome>;
  /** Returns the outcome of a charge; null for an unknown key. */
  fetchOutcome(attemptKey: string): Promise<ChargeOutcome | null>;
  /**
   * Cancels a charge without an outcome: an open challenge, or an unknown key, which can then no longer be charged.
   * Returns the resulting outcome, which may be `approved`.
   */
  abandon(attemptKey: string): Promise<ChargeOutcome>;
  /** Reverses an approved charge in full, after a duplicate payment. */
  reverse(attemptKey: string): Promise<void>;
  /** Refunds an approved charge, in full or in part. */
  refund: IssueRefund;
}
