import type { CurrencyCode } from '../api/currency.ts';
import type { Instructions, MethodChoice } from '../api/instructions.ts';
import type { PaymentMethod } from '../api/method-catalogue.ts';
import type { Instant } from '../shared/time.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { RefundMoney } from './refund.ts';

/** What is to be paid by a method, before it begins. */
export interface ProspectivePayment {
  method: PaymentMethod;
  merchantId: number;
  /** ISO 3166-1 alpha-3. */
  country: string;
  amountMinor: bigint;
  currency: CurrencyCode;
}

/** What there is to choose from for a payment. */
export interface OfferedChoices {
  choices: readonly MethodChoice[];
  /** Until when amounts that they name are these; null where they name none. */
  amountsUntil: Instant | null;
}

/** A payment that the buyer will send, by whatever method, and that somebody has to expect. */
export interface ExpectedPayment extends ProspectivePayment {
  /** The payment's name between us and the provider: asked for again, it is the same payment. */
  instructionsKey: string;
  /** Code of the bank or coin, where the method begins with a choice. */
  choice: string | null;
  /** The merchant's own name for the payment. */
  paymentReference: string;
  merchantName: string;
  description: string;
  /** The page that the buyer comes back to. */
  returnUrl: string;
  /** After this the provider need expect nothing. */
  expiresAt: Instant;
}

export interface IssuedInstructions {
  instructions: Instructions;
  /** What the buyer or their bank says the payment by. */
  reference: string;
  /** When what was issued can be used no more; at the payment's own end at the latest. */
  expiresAt: Instant;
}

/** Money that has arrived, once. */
export interface Receipt {
  receiptKey: string;
  amountMinor: bigint;
  receivedAt: Instant;
}

/** What a provider knows of a payment: `closed` takes no more, as far as the provider can tell; `refused` was refused by the buyer or the bank. */
export interface PushPayment {
  state: 'open' | 'closed' | 'refused';
  /** All that has arrived so far, late money included; their number only grows, except in answers of `readCurrent`. */
  receipts: readonly Receipt[];
  /** The fewest that anything has that was seen on a chain and does not count yet; null when there is nothing such. */
  confirmations: number | null;
}

/** Told whenever something has arrived or was refused; may come twice, and before `issue` has answered. */
export type PushListener = (instructionsKey: string, payment: PushPayment) => Promise<void>;

/** What `issue` rejects with for a key that was withdrawn before: nothing was issued under it, nor will be. */
export class AlreadyWithdrawn extends Error {
  constructor() {
    super('The payment was withdrawn before it was issued');
  }
}

/**
 * Whoever receives what buyers send: banks, wallets, chains. Every method may be called again after a
 * crash with the same key; a rejection means that nothing is known.
 */
export interface PushProvider {
  readonly name: string;
  carries(method: PaymentMethod): boolean;
  /** What there is to choose from, the popular ones first; empty where the method has no choice. */
  choices(payment: ProspectivePayment): Promise<OfferedChoices>;
  /** Rejects with `AlreadyWithdrawn` where `withdraw` came first. */
  issue(payment: ExpectedPayment): Promise<IssuedInstructions>;
  /** What has become of a payment; null when this key was never seen. */
  lookUp(instructionsKey: string): Promise<PushPayment | null>;
  /**
   * Takes back what was issued, and answers what is true after that; a key never seen can then not be
   * used. With money on its way nothing is taken back: the answer has `confirmations`.
   */
  withdraw(instructionsKey: string): Promise<PushPayment>;
  /** Gives back of what has arrived; a provider that cannot refuses, and says why. */
  refund: RefundMoney;
  /**
   * For a provider that keeps its payments in our database: reads one, and with it all others of its transaction, in a
   * unit that holds the lock of the transaction. `owedMinor` is the sum of their receipts that pays it. The answer, by
   * key, is of now, never older than another one, and complete: a receipt that it does not list has vanished. Not there:
   * receipts only grow, and an answer with fewer is older.
   */
  readCurrent?(
    unit: UnitOfWork,
    instructionsKey: string,
    others: { siblings: readonly string[]; owedMinor: bigint },
  ): Promise<ReadonlyMap<string, PushPayment>>;
  /** In a sandbox: the page where a tester plays the buyer's bank. */
  simulatorUrl?(instructionsKey: string): Promise<string | null>;
}
