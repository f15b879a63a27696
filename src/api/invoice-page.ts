import { z } from 'zod';
import { localeTag } from './link-page.ts';
import type { PageTexts } from './page-state.ts';

/**
 * What the page of an invoice shows, decided by the server alone:
 * - `ready`: nothing has been seen; the payer may send
 * - `seen`: there is money, and it is not deep enough yet
 * - `review`: there is money that waits for the merchant's decision
 * - `paid`: all that has come counts
 * - `refunding`, `refunded`: the merchant gives it back, or has done so
 * - `refused`: the merchant did not take it
 * - `expired`: nothing has come in time; what comes late is shown
 * - `gone`: money that belonged to no invoice, and is no longer there
 * - `restricted`: the payer's country is not supported
 */
export const invoicePhases = [
  'ready',
  'seen',
  'review',
  'paid',
  'refunding',
  'refunded',
  'refused',
  'expired',
  'gone',
  'restricted',
] as const;
export type InvoicePhase = (typeof invoicePhases)[number];

/** Amounts of coins are whole coins as exact decimals, `0.0015`. */
export interface InvoicePageState {
  phase: InvoicePhase;
  /** The merchant's own reference; null for money that belongs to no invoice. */
  reference: string | null;
  merchant: {
    name: string;
    /** `#rrggbb`; null for the page's own. */
    colour: string | null;
    logoUrl: string | null;
  };
  coin: {
    /** In lower case. */
    code: string;
    name: string;
    /** The network that it must be sent on, as wallets name it. */
    network: string;
  };
  /** Whether any amount may be sent, as often as one likes. */
  takesAny: boolean;
  /** What is asked for; null where any amount will do. */
  amount: string | null;
  /** What that was in the merchant's own currency when the invoice was made, with ISO 4217. */
  worth: { value: string; currency: string } | null;
  /** Where to send it, and the same for wallet apps (BIP 21, EIP-681); null where nothing is to be sent. */
  payTo: { address: string; uri: string } | null;
  /** All that is there, in a block or not; null where nothing is. */
  received: string | null;
  /** What is missing of the amount; null where nothing is. */
  missing: string | null;
  /** Why the merchant has to decide; null but in `review`. */
  because: 'less' | 'more' | 'late' | 'rules' | null;
  /** Blocks that hold the money, up to how many it takes; set in `seen` and `review`. */
  confirmations: { seen: number; needed: number } | null;
  /** Whether nothing is there because a payment that had been seen was replaced or taken back. */
  isReplaced: boolean;
  /** ISO 8601, UTC. The countdown runs on the server's clock: `expiresAt - serverTime`, not the phone's. */
  serverTime: string;
  createdAt: string;
  /** null where it does not expire. */
  expiresAt: string | null;
  /** ISO 3166-1 alpha-2 of where the payer seems to be; null when no source knows. */
  payerCountry: string | null;
  /** How long the page waits before it asks again; null when nothing can change any more. */
  pollAfterMs: number | null;
  sandbox: boolean;
  /** In the sandbox: where a tester plays the payer and the chain. */
  simulatorUrl: string | null;
}

/** Everything that the page's HTML carries for its script, in one JSON data block. */
export interface InvoicePageDocument extends PageTexts {
  state: InvoicePageState;
  /** The path of the page, `/i/ID`, under which its state is. */
  path: string;
  /** BCP 47 tags of the languages that the page can be in; it names them itself. */
  languages: readonly string[];
  /** The one that it is in, of these. */
  language: string;
}

/** Query of the page. */
export const invoicePageQuery = z.object({
  /** In place of what the browser asks for. */
  locale: localeTag.optional(),
});
