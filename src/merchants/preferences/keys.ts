import {
  cryptoCurrencies,
  type CryptoCurrencyCode,
  cryptoCurrencyCodes,
  familyOf,
} from '../../shared/crypto-currency.ts';
import { invoiceTypes } from '../../shared/crypto-status.ts';
import { currencyCodes } from '../../api/currency.ts';
import { cardFormFields } from '../../shared/card-form.ts';
import type { StoredValue, ValueType } from './values.ts';

/** The definition of a preference key. */
export type KeyRule = ValueType & {
  /** Description for users. */
  meaning: string;
  /** Value while it is unset; null if there is none. */
  default: StoredValue | null;
  /** Can be set only by managers of the service; (M) in the published table. */
  managerOnly?: true;
  /** Returned as a JSON number if it is a safe integer, otherwise as a string. */
  isNumeric?: true;
  /** Setting it also requires this scope: it affects withdrawals, or sends payments to another URL. */
  scope?: 'withdrawal:write' | 'transaction:read';
};

/** One year. */
const MAX_MINUTES = 525_600;

const fixedKeys = {
  'callback-url': {
    type: 'url',
    scope: 'transaction:read',
    meaning:
      'Your webhook endpoint, which receives a webhook when a payment changes. It must start with https://; in the sandbox http:// is allowed for addresses on the same machine.',
    default: null,
  },
  'callback-version': {
    type: 'integer',
    minimum: 1,
    maximum: 2,
    meaning:
      'Webhooks for payment links paid in crypto. 2: events of the payment. 1: also events of its crypto transaction.',
    default: 2,
  },
  'new-tx-manual-approve': {
    type: 'boolean',
    meaning: 'Require manual approval of every crypto payment.',
    default: false,
  },
  'tx-manual-auto-approve': {
    type: 'boolean',
    meaning: 'Accept crypto payments that match no invoice automatically. Otherwise they await manual review.',
    default: false,
  },
  'auto-withdrawal': {
    type: 'boolean',
    meaning: 'Withdraw credited coins to your own addresses automatically.',
    default: false,
    scope: 'withdrawal:write',
  },
  'default-invoice-type': {
    type: 'choice',
    choices: invoiceTypes,
    meaning:
      'Wallet type of invoices that do not set one: one wallet for all invoices, one per invoice that is reused later, or one per user.',
    // Attributes deposits most reliably: a wallet serves one invoice at a time.
    default: 'revolver',
  },
  'restricted-country-list': {
    type: 'country_list',
    meaning: 'Countries from which you do not accept payments. Buyers there see a notice, and nothing is charged.',
    default: null,
  },
  'unknown-country': {
    type: 'choice',
    choices: ['allow', 'refuse'],
    meaning: 'Allow or refuse payments from buyers whose country is unknown.',
    default: 'allow',
  },
  'additional-currency': {
    type: 'choice',
    choices: currencyCodes,
    meaning: 'An additional currency in which amounts are reported. It applies to payments created afterward.',
    default: 'USD',
  },
  'wallet-reuse-delay-minutes': {
    type: 'integer',
    minimum: 0,
    maximum: MAX_MINUTES,
    meaning:
      'Minutes before a wallet of the type revolver is assigned to another invoice. With 0, a late payment may be credited to the next invoice.',
    // One day: late payments to an expired invoice have arrived by then.
    default: 1440,
  },
  'embed-origin-list': {
    type: 'origin_list',
    meaning:
      'Exact origins that may embed your payment pages in a frame. If empty: any origin in the sandbox, none in production.',
    default: null,
  },
  'brand-name': {
    type: 'text',
    max_length: 60,
    meaning: 'The name shown to buyers. If unset, your account name is shown.',
    default: null,
  },
  'brand-color': {
    type: 'color',
    meaning:
      'The color of buttons and links on payment pages, such as #1f5f4a. It is never adjusted: text on it is black or white, and an outline is added if it is close to the background.',
    default: null,
  },
  'brand-logo-url': {
    type: 'url',
    meaning:
      'The URL of the logo on payment pages, used if no logo is uploaded. The buyer’s browser loads it from there.',
    default: null,
  },
  'support-contact': {
    type: 'contact',
    meaning:
      'Your contact for buyers’ questions, on payment pages and receipts: an email address, a phone number with the country code, or a URL.',
    default: null,
  },
  'terms-url': {
    type: 'url',
    meaning: 'The URL of your terms, linked on payment pages.',
    default: null,
  },
  'privacy-url': {
    type: 'url',
    meaning: 'The URL of your privacy policy, linked on payment pages.',
    default: null,
  },
  'card-form-fields': {
    type: 'choice',
    choices: cardFormFields,
    meaning:
      'Fields of the card form: name, country, postcode and email, with the full billing address, or with a phone number too. Details set when the payment is created are not asked for again.',
    default: 'short',
  },
  'email-receipts': {
    type: 'boolean',
    meaning: 'Email a receipt to payers whose address is known, if the service sends email.',
    default: true,
  },
  'email-refunds': {
    type: 'boolean',
    meaning: 'Email payers when a refund succeeds, if the service sends email.',
    default: true,
  },
  'email-underpayments': {
    type: 'boolean',
    meaning: 'Email payers the remaining amount after a partial payment, if the service sends email.',
    default: true,
  },
  'link-lifetime-minutes': {
    type: 'integer',
    minimum: 1,
    maximum: MAX_MINUTES,
    meaning: 'Minutes until payment links expire. It applies to links created afterward.',
    default: 1440,
  },
} as const satisfies Record<string, KeyRule>;

const currencyKeys = (code: CryptoCurrencyCode) => {
  const { name, chain, minConfirmations } = cryptoCurrencies[code];
  return {
    'auto-withdrawal-destination': {
      type: 'address',
      code,
      max_length: 128,
      meaning: `Your address for automatic withdrawals of ${name}. A new address takes effect after a delay, so that you can notice an unwanted change.`,
      default: null,
      scope: 'withdrawal:write',
    },
    'max-fee-limit-auto-withdrawal': {
      // Fee rates in sat/vB are compared in whole satoshi, so a fraction could not be applied.
      type: familyOf(chain).feeDecimals === 0 ? 'integer' : 'decimal',
      minimum: 0,
      maximum: 1e12,
      meaning: `Maximum network fee rate for automatic withdrawals of ${name}, in ${familyOf(chain).feeUnitName}. Above it, withdrawals wait. If unset, there is no limit.`,
      default: null,
    },
    'min-confirmation': {
      type: 'integer',
      minimum: 0,
      maximum: 1000,
      meaning: `Confirmations required for a payment in ${name}.`,
      default: minConfirmations,
      managerOnly: true,
    },
    'min-amount': {
      type: 'amount',
      code,
      meaning: `Minimum amount of an invoice in ${name}. Smaller payments to a wallet of the type user need review.`,
      default: '0',
      managerOnly: true,
    },
    'processing-fee': {
      type: 'decimal',
      minimum: 0,
      maximum: 100,
      meaning: `Fee deducted from credited ${name}, in percent.`,
      default: 0,
      managerOnly: true,
    },
    'wallet-rotate-amount': {
      type: 'amount',
      code,
      meaning: `Balance in ${name} at which a wallet is retired and swept. If unset or 0: never.`,
      default: null,
      isNumeric: true,
    },
    'payment-tolerance-percent': {
      type: 'decimal',
      minimum: 0,
      maximum: 100,
      meaning: `Maximum deviation of a payment in ${name} from its invoice amount that is still accepted, in percent.`,
      default: 0,
      managerOnly: true,
    },
  } as const satisfies Record<string, KeyRule>;
};

type FixedKey = keyof typeof fixedKeys;
type CurrencyKey = keyof ReturnType<typeof currencyKeys>;
export type PreferenceKey = FixedKey | `${CurrencyKey}-${CryptoCurrencyCode}`;

/** All keys, with `{CODE}` expanded for each supported cryptocurrency. */
export const preferenceKeys: ReadonlyMap<string, KeyRule> = new Map<string, KeyRule>([
  ...Object.entries(fixedKeys),
  ...cryptoCurrencyCodes.flatMap((code) =>
    Object.entries(currencyKeys(code)).map(([key, rule]): [string, KeyRule] => [`${key}-${code}`, rule]),
  ),
]);

/** The error for an unknown key; lists the valid currencies if only the currency is wrong. */
export function unknownKeyProblem(key: string): string {
  const name = key.slice(0, key.lastIndexOf('-'));
  if (!preferenceKeys.has(`${name}-btc`)) return 'is not a preference key';
  return `is not a preference key; valid keys: ${cryptoCurrencyCodes.map((code) => `${name}-${code}`).join(', ')}`;
}

/** The value of an unset key. */
export function defaultPreference(key: PreferenceKey): StoredValue | null {
  return preferenceKeys.get(key)?.default ?? null;
}
