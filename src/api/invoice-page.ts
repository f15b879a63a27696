import { z } from 'zod';
import { localeTag } from './link-page.ts';
import type { CoinTransaction, PageMerchant, PageTexts } from './page-state.ts';

/**
 * The phase of an invoice page, decided by the server:
 * - `ready`: no deposit yet; the payer can send
 * - `seen`: a deposit does not have enough confirmations yet
 * - `review`: deposits are in the merchant's review queue
 * - `paid`: the deposits are credited in full
 * - `refunding`, `refunded`: the merchant is refunding, or has refunded
 * - `rejected`: the merchant rejected the deposits
 * - `expired`: no deposit arrived in time; late ones are shown
 * - `dropped`: a deposit without an invoice was dropped
 * - `restricted`: the payer's country is not supported
 */
const invoicePhases = [
  'ready',
  'seen',
  'review',
  'paid',
  'refunding',
  'refunded',
  'rejected',
  'expired',
  'dropped',
  'restricted',
] as const;
export type InvoicePhase = (typeof invoicePhases)[number];

/** Crypto amounts are exact decimals of whole coins, `0.0015`. */
export interface InvoicePageState {
  phase: InvoicePhase;
  /** The merchant's reference; null for deposits without an invoice. */
  reference: string | null;
  /** Purpose of the payment; null if the merchant set none. */
  description: string | null;
  merchant: PageMerchant;
  coin: {
    /** In lower case. */
    code: string;
    name: string;
    /** Network to send on, as wallets name it. */
    network: string;
  };
  /** True if any amount can be sent, repeatedly. */
  acceptsAnyAmount: boolean;
  /** Requested amount; null if any amount is accepted. */
  amount: string | null;
  /** Value in the merchant's currency (ISO 4217) at creation, and the rate: the price of one coin. */
  fiatEquivalent: { value: string; currency: string; rate: string } | null;
  /** Deposit address, and its URI for wallet apps (BIP 21, EIP-681); null if nothing can be sent. */
  paymentUri: { address: string; uri: string } | null;
  /** Amount detected, confirmed or not; null for none. */
  received: string | null;
  /** Remaining amount; null for none. */
  remaining: string | null;
  /** Review reason; null except in `review`. */
  reviewReason: 'underpaid' | 'overpaid' | 'late' | 'manual_approval' | null;
  /** Confirmations and the number required; set in `seen` and `review`. */
  confirmations: { seen: number; needed: number } | null;
  /** The latest transactions that paid, with their pages in a block explorer. */
  transactions: readonly CoinTransaction[];
  /** When the invoice was paid; ISO 8601, UTC. */
  paidAt: string | null;
  /** The merchant's page that the payer returns to; null for none. */
  returnUrl: string | null;
  /** True if a detected deposit was replaced or dropped and nothing is left. */
  isReplaced: boolean;
  /** ISO 8601, UTC. The countdown runs on the server's clock: `expiresAt - serverTime`, not the phone's. */
  serverTime: string;
  createdAt: string;
  /** Null if it does not expire. */
  expiresAt: string | null;
  /** Detected country of the payer, ISO 3166-1 alpha-2; null if unknown. */
  payerCountry: string | null;
  /** Poll interval; null if the state is final. */
  pollAfterMs: number | null;
  sandbox: boolean;
  /** In the sandbox: URL of the simulator. */
  simulatorUrl: string | null;
}

/** Data of the page's script, embedded in the HTML as one JSON block. */
export interface InvoicePageDocument extends PageTexts {
  state: InvoicePageState;
  /** Path of the page, `/i/ID`; its state is below it. */
  path: string;
  /** BCP 47 tags of the available languages. */
  languages: readonly string[];
  /** Current language. */
  language: string;
}

/** Query of the page. */
export const invoicePageQuery = z.object({
  /** Overrides the browser's languages. */
  locale: localeTag.optional(),
});
