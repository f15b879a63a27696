import type { PagePhase } from '../shared/page-phase.ts';
import type { DeclineDetails } from './card-submission.ts';
import type { Instructions, MethodChoice } from './instructions.ts';
import type { NextAction } from './method-catalogue.ts';
import type { FieldProblem } from './problem.ts';

/** A method by its code, and the name that it goes by everywhere where it has one: `GCash`. */
export interface NamedMethod {
  code: string;
  brand: string | null;
}

export interface OfferedMethod extends NamedMethod {
  action: NextAction;
  /** Its picture, a file of `/methods/` without `.svg`. */
  mark: string;
  /** What the buyer chooses first, the popular ones in front; null where there is nothing to choose. */
  choices: readonly MethodChoice[] | null;
  /** ISO 8601, UTC: until when the amounts that the choices name are these; null where they name none. */
  amountsUntil: string | null;
  /** What the buyer pays by this method, its fee included: a decimal string of the payment's currency. */
  amount: string;
  /** ISO 3166-1 alpha-2 of the country whose account it needs, where the buyer seems to be elsewhere; else null. */
  needsCountry: string | null;
}

/** What the buyer was told to do by a method that is begun. */
export interface BegunMethod {
  code: string;
  choice: string | null;
  instructions: Instructions;
  /** What the buyer's bank says the payment by. */
  reference: string | null;
  /** ISO 8601, UTC: the end of what was issued, which may be before the payment's own. */
  expiresAt: string;
  /** In the sandbox: where a tester plays the buyer's bank. */
  simulatorUrl: string | null;
}

/** Instructions that have come to their end without money. */
export interface EndedMethod {
  code: string;
  because: 'expired' | 'refused';
}

/** Why the outcome is not known yet: whoever charges the card, the chain, or the merchant's decision. */
export type WaitsFor =
  | { what: 'provider' }
  | { what: 'confirmations'; seen: number; needed: number }
  | { what: 'merchant' };

export interface PageState {
  phase: PagePhase;
  /** The merchant's reference, shown to the buyer as the payment's reference. */
  reference: string;
  merchant: {
    name: string;
    /** `#rrggbb`; null for the page's own. */
    colour: string | null;
    logoUrl: string | null;
  };
  /** What the buyer pays: a decimal string with the currency's own number of decimals, and ISO 4217. */
  amount: { value: string; currency: string };
  description: string | null;
  /** ISO 8601, UTC. The countdown runs on the server's clock: `expiresAt - serverTime`, not the phone's. */
  serverTime: string;
  createdAt: string;
  expiresAt: string;
  methods: OfferedMethod[];
  selectedMethod: string;
  /** The name that the selected method goes by everywhere, where it has one. */
  selectedBrand: string | null;
  /** Set while what was issued for a method can be followed. */
  begun: BegunMethod | null;
  /** Set when nothing can be followed because it ran out or was refused, until something else is begun. */
  ended: EndedMethod | null;
  /** What has arrived, where that is less or more than the amount or waits for the merchant, and what is left to pay; decimal strings. */
  received: { value: string; left: string } | null;
  /** Whether all that has arrived goes back, or has gone back, of a payment that is over without it; null where nothing does. */
  goesBack: 'under_way' | 'done' | null;
  /** Set in `checking`. */
  waitsFor: WaitsFor | null;
  /** Whether (more) money may still come although the payment is over: the buyer was told where to send it. */
  moneyMayCome: boolean;
  /** Good for submitting this one transaction, for a short while; null when nothing may be submitted. */
  clientToken: string | null;
  attemptsLeft: number;
  /** The card of the latest attempt, once there was one. */
  card: { brand: string | null; last4: string } | null;
  /** Set in `ready` and `failed` when the latest attempt was declined. */
  declined: DeclineDetails | null;
  /** Set in `challenge`: where the buyer confirms. */
  challengeUrl: string | null;
  /** ISO 8601, UTC; set in `paid`. */
  paidAt: string | null;
  /** Where the way back to the shop leads in this phase; null when the merchant gave no address. */
  returnUrl: string | null;
  /** ISO 3166-1 alpha-2 of where the buyer seems to be; null when no source knows. */
  buyerCountry: string | null;
  /** Whether that is another country than the payment was made for. */
  isElsewhere: boolean;
  /** How long the page waits before it asks again; null when nothing can change any more. */
  pollAfterMs: number | null;
  sandbox: boolean;
}

/**
 * The pages with a script, which may ask for their texts in another language; `methods` is the link page
 * of a payment that has more than the card, `invoice` the page of a crypto invoice, `account` the account area.
 */
export type ScriptedPage = 'card' | 'link' | 'methods' | 'invoice' | 'account';

/** The texts of one language, as a page carries them or asks for them when its language changes. */
export interface PageTexts {
  /** BCP 47, of the texts. */
  locale: string;
  /** BCP 47, of how the buyer writes money; also where the buyer's language has no texts yet. */
  amountLocale: string;
  direction: 'ltr' | 'rtl';
  /** i18next JSON format, flattened with dots. */
  texts: Record<string, string>;
}

/** A page that stands in a frame of a merchant's page. */
export interface Embedding {
  /** The origins that may frame it, as the merchant's `embed-origin-list` has them; null in a sandbox without a list: any. */
  origins: readonly string[] | null;
}

/** A plain form that was posted without a script and not carried out, and what is wrong with it. */
export interface SubmittedForm {
  /** What was typed, but for the card itself. */
  values: Readonly<Record<string, string>>;
  fieldProblems: readonly FieldProblem[];
  problem: 'try_again' | 'method_unavailable' | 'rate_limited' | null;
  /** Code of the method that it was for; null where it named none. */
  method: string | null;
}

/** Everything that a page's HTML carries for its script, in one JSON data block. */
export interface PageDocument extends PageTexts {
  state: PageState;
  /** The path of the payment's link page, `/p/ID`, under which state and abandon are. */
  linkPath: string;
  /** BCP 47 tags of the languages that the page can be in; it names them itself. Empty where it is not the buyer's to choose. */
  languages: readonly string[];
  /** The one that it is in, of these. */
  language: string;
  /** ISO 3166-1 alpha-2 codes for the country field; the browser names and sorts them. */
  countryCodes: readonly string[];
  /** Whether the buyer comes from paying: then a payment that succeeded is news. */
  isBack: boolean;
  /** Set when the page answers a plain form. */
  submitted: SubmittedForm | null;
  /** Null when the page stands alone. */
  embedding: Embedding | null;
}

/** Why a frame shows no form: stands in the frame's HTML in place of a {@link PageDocument}. */
export interface FrameRefusal extends PageTexts {
  refusal: {
    /** Stable: `origin_not_allowed`, or the code of the problem document that a program would have got. */
    code: string;
    /** For the developer, in English: what is wrong and what to do. */
    message: string;
    retryable: boolean;
  };
}
