import type { PageMerchant } from './page-state.ts';

const buyerFieldNames = ['amount', 'quantity', 'email', 'first_name', 'last_name'] as const;
export type BuyerFieldName = (typeof buyerFieldNames)[number];

/** The page of a reusable link. Amounts are decimal strings of `currency`. */
export interface ReusableLinkPage {
  phase: 'ready' | 'sold_out' | 'archived' | 'restricted';
  path: string;
  /** Full URL of the page. */
  address: string;
  merchant: PageMerchant;
  title: string;
  description: string | null;
  imageUrl: string | null;
  currency: string;
  /** Unit price; null if the buyer chooses the amount. */
  amount: string | null;
  customAmount: { minimum: string; maximum: string; suggested: string | null } | null;
  /** Limits of the quantity, within the available stock; null if the buyer buys one. */
  quantity: { minimum: number; maximum: number } | null;
  /** Remaining stock; null without a limit. */
  available: number | null;
  asksEmail: boolean;
  asksName: boolean;
  buyerCountry: string | null;
  /** Alpha-2 code of the detected country, otherwise of the link's. Decides the order of the names. */
  payerCountry: string | null;
  /** The merchant's page for buyers who do not pay. */
  returnUrl: string | null;
  sandbox: boolean;
  /** Single-use token of the form: submitting it twice creates one transaction. */
  token: string;
  /** Entered values. */
  values: Partial<Record<BuyerFieldName, string>>;
  invalidFields: readonly BuyerFieldName[];
  problem: 'rate_limited' | 'try_again' | null;
}
