import type { PagePhase } from '../shared/page-phase.ts';
import type { DeclineDetails } from './decline.ts';
import type { Instructions, MethodChoice } from './instructions.ts';
import type { NextAction } from './method-catalog.ts';
import type { PayerFieldName } from '../shared/card-form.ts';
import type { FieldProblem } from './problem.ts';

/** A method: its code, and its brand name if it has one, such as `GCash`. */
export interface NamedMethod {
  code: string;
  brand: string | null;
}

/** Public RSA key of an acquirer (JWK), with its thumbprint (RFC 7638). */
export interface CardKey {
  id: string;
  n: string;
  e: string;
}

/** A choice with its logo: a file of `/methods/` without `.svg`. `isChosen`: the buyer's last choice, selected at first. */
export type MarkedChoice = MethodChoice & { mark: string; isChosen?: boolean };

export interface OfferedMethod extends NamedMethod {
  action: NextAction;
  /** Logo: a file of `/methods/` without `.svg`. */
  mark: string;
  /** Choices, popular ones first; null if there is nothing to choose. */
  choices: readonly MarkedChoice[] | null;
  /** Expiry of the amounts in the choices, ISO 8601 in UTC; null if there are none. */
  quoteExpiresAt: string | null;
  /** Amount including this method's fee: a decimal string in the payment's currency. */
  amount: string;
  /** Country (ISO 3166-1 alpha-2) of the required account if the buyer appears to be in another one; otherwise null. */
  needsCountry: string | null;
  /** Fields that the page asks the payer for. The card form shows only those of an address that its country requires. */
  payerFields: readonly PayerFieldName[];
  /** Set if the page must encrypt the card for the acquirer with this key. */
  cardKey?: CardKey;
  /** Brand name of the payer's handle for the method, such as `PayID`; null without one. */
  handle: string | null;
}

/** Payment instructions of a started method. */
export interface StartedMethod {
  code: string;
  choice: string | null;
  instructions: Instructions;
  /** Payment reference at the buyer's bank. */
  reference: string | null;
  /** Expiry of the instructions, ISO 8601 in UTC; may be before the payment's. */
  expiresAt: string;
  /** In the sandbox: URL of the simulator. */
  simulatorUrl: string | null;
}

/** Instructions that ended without a receipt of funds. */
export interface EndedMethod {
  code: string;
  reason: 'expired' | 'refused';
}

/** Source of the pending outcome: the acquirer, the chain, or the merchant's review. */
export type OutcomeSource =
  | { kind: 'acquirer' }
  | { kind: 'confirmations'; seen: number; needed: number }
  | { kind: 'merchant' };

/** A blockchain transaction, with its page in a block explorer; null for networks without one. */
export interface CoinTransaction {
  hash: string;
  url: string | null;
}

/** A merchant as its payment pages present it. */
export interface PageMerchant {
  /** The `brand-name` preference, or the merchant's own name. */
  name: string;
  /** `#rrggbb`; null for the default. */
  color: string | null;
  /** The uploaded logo (a path on our own host), or the `brand-logo-url` preference. */
  logoUrl: string | null;
  /** An email address, a phone number or a URL; null if the merchant set none. */
  contact: string | null;
  termsUrl: string | null;
  privacyUrl: string | null;
}

/** An item of the payment. Amounts are decimal strings. */
export interface PageItem {
  name: string;
  quantity: number;
  unitAmount: string;
  amount: string;
  imageUrl: string | null;
}

export interface PageState {
  phase: PagePhase;
  /**
   * True in `paid` while the amount is only authorized: the merchant captures it later. True in `cancelled` and
   * `expired` if an authorized amount was released.
   */
  authorized: boolean;
  /** The merchant's reference, shown to the buyer as the payment's reference. */
  reference: string;
  merchant: PageMerchant;
  /** Amount to pay: a decimal string with the currency's decimals, and the ISO 4217 code. */
  amount: { value: string; currency: string };
  /** Amount without a fee for the buyer; a decimal string. */
  subtotal: string;
  description: string | null;
  items: readonly PageItem[];
  /** ISO 8601, UTC. The countdown runs on the server's clock: `expiresAt - serverTime`, not the phone's. */
  serverTime: string;
  createdAt: string;
  expiresAt: string;
  methods: OfferedMethod[];
  /** Empty if the buyer must select one. */
  selectedMethod: string;
  /** Brand name of the selected method, if it has one; for coins, the codes of those received. */
  selectedBrand: string | null;
  /** Set while payment instructions are valid. */
  started: StartedMethod | null;
  /** Set if the latest payment attempt was by instructions that expired or were refused. */
  ended: EndedMethod | null;
  /** Amount received, if it is not the exact amount or is awaiting review, and the remaining amount; decimal strings. */
  received: { value: string; left: string } | null;
  /** Refund state of a payment that ended unpaid; null if nothing is refunded. */
  refundProgress: 'pending' | 'done' | null;
  /** The latest blockchain transactions that paid. */
  coinTransactions: readonly CoinTransaction[];
  /** Set in `checking`. */
  waitsFor: OutcomeSource | null;
  /** True if funds may still arrive after the payment ended, because instructions were issued. */
  mayReceiveFunds: boolean;
  /** Short-lived token to submit this transaction; null if nothing can be submitted. */
  clientToken: string | null;
  attemptsLeft: number;
  /** Card of the latest attempt, if any; null once the payment has ended without a charge or a released amount. */
  card: { brand: string | null; last4: string } | null;
  /** Set in `ready` if the latest payment attempt was a declined card, and in `failed` after the last attempt's decline. */
  declined: DeclineDetails | null;
  /** Set in `challenge`: URL of the 3-D Secure challenge. */
  challengeUrl: string | null;
  /** ISO 8601, UTC; set in `paid`, unless only authorized. */
  paidAt: string | null;
  /** URL of the shop for this phase; null if the merchant set none. */
  returnUrl: string | null;
  /** Country of the payer's address before they choose one: known from the merchant, detected, or the payment's own. */
  payerCountry: string | null;
  /** Detected country of the buyer, ISO 3166-1 alpha-2; null if unknown. */
  buyerCountry: string | null;
  /** True if that differs from the payment's country. */
  isLikelyAbroad: boolean;
  /** Poll interval; null if the state is final. */
  pollAfterMs: number | null;
  sandbox: boolean;
}

/**
 * Pages with a script, which can load their texts in another language. `methods`: payment page with methods other than
 * cards; `invoice`: page of a crypto invoice.
 */
export type ScriptedPage = 'card' | 'link' | 'methods' | 'invoice';

/** Texts of one language, embedded in a page or loaded when the language changes. */
export interface PageTexts {
  /** BCP 47 tag of the texts. */
  locale: string;
  /** BCP 47 tag for number formats; may differ from the texts' language. */
  amountLocale: string;
  direction: 'ltr' | 'rtl';
  /** i18next JSON format, flattened with dots. */
  texts: Record<string, string>;
}

/** A page embedded in a merchant's page. */
export interface Embedding {
  /** Origins that may embed it (`embed-origin-list`); null for any, in a sandbox without a list. */
  origins: readonly string[] | null;
}

/** A form posted without JavaScript that was rejected, with its errors. */
export interface SubmittedForm {
  /** Submitted values, without the card. */
  values: Readonly<Record<string, string>>;
  fieldProblems: readonly FieldProblem[];
  problem: 'try_again' | 'method_unavailable' | 'rate_limited' | 'amount_changed' | null;
  /** Code of the submitted method; null for none. */
  method: string | null;
}

/** Data of a page's script, embedded in the HTML as one JSON block. */
export interface PageDocument extends PageTexts {
  state: PageState;
  /** Path of the payment page, `/p/ID`; its state and actions are below it. */
  linkPath: string;
  /** BCP 47 tags of the available languages; empty if the buyer cannot choose. */
  languages: readonly string[];
  /** Current language. */
  language: string;
  /** True if the buyer has returned after paying. */
  isReturning: boolean;
  /** Set in the response to a form posted without JavaScript. */
  submitted: SubmittedForm | null;
  /** Null if the page is not embedded. */
  embedding: Embedding | null;
}

/** Reason why a frame shows no form, embedded in its HTML instead of a {@link PageDocument}. */
export interface FrameError extends PageTexts {
  error: {
    /** Stable code: `origin_not_allowed`, or a problem code. */
    code: string;
    /** Explanation for developers, in English. */
    message: string;
    retryable: boolean;
  };
}
