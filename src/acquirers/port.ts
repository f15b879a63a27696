import type { DeclineDetails } from '../api/card-submission.ts';
import type { CurrencyCode } from '../api/currency.ts';
import type { RefundMoney } from './refund.ts';

/** A charge to make on a card. The card is here for as long as the call lasts, and nowhere else. */
export interface CardCharge {
  /**
   * The charge's name between us and the provider. Sent again, it never charges twice: the provider
   * answers what became of the first.
   */
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
    /** The address that the buyer's browser came from, when we saw it. */
    ipAddress: string | null;
  };
  merchantName: string;
  /** Where the issuer sends the buyer back to after a challenge. */
  returnUrl: string;
}

/** What a provider says of a charge. */
export type ChargeOutcome =
  /** `threeDSecure`: the issuer authenticated the payer without a challenge. */
  | { kind: 'approved'; threeDSecure?: boolean }
  | { kind: 'declined'; decline: DeclineDetails }
  /** The buyer must confirm at `challengeUrl` (3-D Secure); the outcome comes later. */
  | { kind: 'challenge'; challengeUrl: string }
  /** The provider does not know yet, or did not answer: it must be asked again, never guessed. */
  | { kind: 'unknown' };

/** Told whenever a provider learns an outcome by itself; may come before `charge` has answered, and twice. */
export type OutcomeListener = (attemptKey: string, outcome: ChargeOutcome) => Promise<void>;

/**
 * Whoever moves card money. Every method may be called again after a crash with the same key, and a
 * rejection means that the outcome is unknown.
 */
export interface CardProvider {
  readonly name: string;
  /** Makes a charge, once for each key. */
  charge(charge: CardCharge): Promise<ChargeOutcome>;
  /** What became of a charge; null when this key was never seen. */
  lookUp(attemptKey: string): Promise<ChargeOutcome | null>;
  /**
   * Ends a charge that is not decided: a challenge left open, or a key never seen, which can then not
   * be charged any more. Answers what is true after that, which may be `approved`.
   */
  abandon(attemptKey: string): Promise<ChargeOutcome>;
  /** Gives an approved charge back, in full: it was one too many. */
  reverse(attemptKey: string): Promise<void>;
  /** Gives back of an approved charge what the merchant says. */
  refund: RefundMoney;
}
