import type { CurrencyCode } from '../api/currency.ts';
import type { Instructions, MethodChoice } from '../api/instructions.ts';
import type { PaymentMethod } from '../api/method-catalog.ts';
import type { CoinTransaction } from '../api/page-state.ts';
import type { Instant } from '../shared/time.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { IssueRefund } from './refund.ts';

/** A push payment by one method, before the buyer starts it. */
export interface QuoteRequest {
  method: PaymentMethod;
  merchantId: number;
  /** ISO 3166-1 alpha-3. */
  country: string;
  amountMinor: bigint;
  currency: CurrencyCode;
  /** The merchant's reference for the transaction. */
  paymentReference: string;
  /** The buyer's IP network, for which quotes are locked; null if the caller is not a buyer. */
  viewer: string | null;
}

/** Banks or coins that a payment method offers. */
export interface MethodChoices {
  choices: readonly MethodChoice[];
  /** Quoted amounts are valid until then; null when the choices have no amounts. */
  quoteExpiresAt: Instant | null;
  /** Choices that currently have no price, with the reason. */
  unavailable?: ReadonlyMap<string, string>;
}

/** A push payment for which the acquirer issues instructions. */
export interface PushPaymentRequest extends QuoteRequest {
  /** Idempotency key of the payment: the same key returns the same instructions. */
  instructionsKey: string;
  /** Code of the bank or coin; null for a method without a choice. */
  choice: string | null;
  merchantName: string;
  description: string;
  /** URL to which the buyer returns. */
  returnUrl: string;
  /** The transaction's expiry. */
  expiresAt: Instant;
  /** Known details of the payer; `MethodCapability.payerFields` lists those that the acquirer requires. */
  payer: PushPayer;
}

/** The payer of a push payment. */
export interface PushPayer {
  name?: string;
  email?: string;
  /** E.164. */
  phone?: string;
  /** The payer's handle for the method, such as a UPI address (VPA) or PayID. */
  handle?: string;
  ipAddress?: string;
  /** BCP 47. */
  locale?: string;
}

/** Identifies a push payment in later calls. */
export interface PushPaymentKey {
  instructionsKey: string;
  /** The acquirer's own reference for the payment; null if none was reported yet. */
  acquirerReference: string | null;
  amountMinor: bigint;
  currency: CurrencyCode;
}

export interface IssuedInstructions {
  instructions: Instructions;
  /** Payment reference for the buyer or their bank. */
  reference: string;
  /** The acquirer's own reference, which later calls receive; null without one. */
  acquirerReference: string | null;
  /** Expiry of the instructions; not after the transaction's own. */
  expiresAt: Instant;
}

/** One receipt of funds. */
export interface Receipt {
  receiptKey: string;
  amountMinor: bigint;
  receivedAt: Instant;
}

/** State of a push payment. `closed`: accepts no further funds. `refused`: the payer or the bank declined it. */
export interface PushPayment {
  state: 'open' | 'closed' | 'refused';
  /** All receipts so far, late payments included. Receipts only accumulate, except with `readCurrentPayments`. */
  receipts: readonly Receipt[];
  /** Lowest confirmation count among deposits that are not final yet; null without one. */
  confirmations: number | null;
  /** True while one of these deposits awaits the merchant's approval. */
  isInReview?: boolean;
  acquirerReference?: string;
}

/** `issueInstructions` rejects with this for a key that was withdrawn first. Nothing is ever issued for that key. */
export class AlreadyWithdrawn extends Error {
  constructor() {
    super('The payment was withdrawn before its instructions were issued');
  }
}

/** Deposits to the address of a payment. */
export interface CoinDeposits {
  /** The latest transactions that paid. */
  transactions: readonly CoinTransaction[];
  /** Value of the deposits that await confirmations; without late ones, which have no value yet. */
  pendingMinor: bigint;
}

/**
 * Port of an acquirer of push payments: bank transfers, wallets, coins. Every method may be called again with the same
 * key after a crash. A rejected promise means that the state is unknown.
 */
export interface PushAcquirer {
  /** Lists banks or coins, popular ones first; empty for a method without a choice. */
  listChoices(payment: QuoteRequest): Promise<MethodChoices>;
  /** Rejects with `AlreadyWithdrawn` if `withdraw` was called first. */
  issueInstructions(payment: PushPaymentRequest): Promise<IssuedInstructions>;
  /**
   * Returns the state of a payment; null for an unknown key, or if the acquirer cannot be polled: notifications follow.
   */
  fetchPayment(payment: PushPaymentKey): Promise<PushPayment | null>;
  /**
   * Withdraws instructions and returns the resulting state. An unknown key can no longer be used afterward. Deposits
   * that await confirmations prevent the withdrawal: the response then has `confirmations`. Null: the acquirer cannot
   * withdraw, so a late payment must be expected (`MethodCapability.latePayments`).
   */
  withdraw(payment: PushPaymentKey): Promise<PushPayment | null>;
  /** Refunds received funds. An acquirer that cannot refund returns `refused` with a code. */
  refund: IssueRefund;
  /**
   * Only for an acquirer that stores its payments in our database. Reads a payment and all others of its transaction
   * (`siblings`), in a unit of work that holds the transaction's lock. `owedMinor` is the total that receipts must
   * reach to pay the transaction. The result, by key, is current and complete: a receipt that it does not list was
   * reversed. For an acquirer without this method, receipts only accumulate, and a response with fewer receipts is
   * older.
   */
  readCurrentPayments?(
    unit: UnitOfWork,
    instructionsKey: string,
    others: { siblings: readonly string[]; owedMinor: bigint },
  ): Promise<ReadonlyMap<string, PushPayment>>;
  /** Only for blockchains. Returns null if no address was issued. */
  readDeposits?(instructionsKey: string): Promise<CoinDeposits | null>;
  /** Sandbox only: the page where a tester simulates the buyer's bank. */
  simulatorUrl?(instructionsKey: string): Promise<string | null>;
}
