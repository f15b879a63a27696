import {
  cryptoCurrencies,
  type CryptoCurrencyCode,
  cryptoCurrencyCodes,
  familyOf,
} from '../../shared/crypto-currency.ts';
import { invoiceTypes } from '../../shared/crypto-status.ts';
import { currencyCodes } from '../../api/currency.ts';
import type { StoredValue, ValueType } from './values.ts';

/** All that there is to know about a key, whatever it is set to. */
export type KeyRule = ValueType & {
  /** What it is for, for people. */
  meaning: string;
  /** What holds while it is unset; null where nothing does. */
  default: StoredValue | null;
  /** Set by the service's managers only; (M) in the published table. */
  managerOnly?: true;
  /** It is returned as a JSON number where it is a safe integer, otherwise as a string. */
  isNumeric?: true;
  /** It moves money out: setting it needs this scope beside `preference:write`. */
  scope?: 'withdrawal:write';
};

/** A year. */
const MOST_MINUTES = 525_600;

const fixedKeys = {
  'callback-url': {
    type: 'url',
    meaning:
      'Where callbacks go when a payment changes. It begins with https://; in the sandbox an address of the same machine may begin with http://.',
    default: null,
  },
  'callback-version': {
    type: 'integer',
    minimum: 1,
    maximum: 2,
    meaning:
      'Which callbacks report a payment link that is paid in crypto. 2: those of the payment. 1: also those of the crypto transaction that it is paid with.',
    default: 2,
  },
  'new-tx-manual-approve': {
    type: 'boolean',
    meaning: 'Whether every crypto payment waits until somebody has approved it.',
    default: false,
  },
  'tx-manual-auto-approve': {
    type: 'boolean',
    meaning:
      'Whether crypto payments that fit no invoice count by themselves. Otherwise they wait until somebody has approved or rejected them.',
    default: false,
  },
  'auto-withdrawal': {
    type: 'boolean',
    meaning: 'Whether coins that are credited are sent to your own addresses by themselves.',
    default: false,
    scope: 'withdrawal:write',
  },
  'default-invoice-type': {
    type: 'choice',
    choices: invoiceTypes,
    meaning:
      'The wallet that an invoice gets which does not name one: one for all invoices, one of its own that serves again later, or one for each of your users.',
    // The one in which money is told apart best: a wallet is one invoice's at a time.
    default: 'revolver',
  },
  'restricted-country-list': {
    type: 'country_list',
    meaning: 'Countries that you take no payments from. Buyers who are there are told so, and nothing is charged.',
    default: null,
  },
  'unknown-country': {
    type: 'choice',
    choices: ['allow', 'refuse'],
    meaning: 'Whether buyers may pay whose country nobody knows.',
    default: 'allow',
  },
  'additional-currency': {
    type: 'choice',
    choices: currencyCodes,
    meaning: 'The currency in which amounts are told besides their own. It holds for payments made from then on.',
    default: 'USD',
  },
  'wallet-reuse-delay-minutes': {
    type: 'integer',
    minimum: 0,
    maximum: MOST_MINUTES,
    meaning:
      'Minutes that a wallet of the type revolver rests before it serves another invoice. With 0 a late payment may be taken for that of the next payer.',
    // A day: long enough for what was sent to an expired invoice to have arrived.
    default: 1440,
  },
  'embed-origin-list': {
    type: 'origin_list',
    meaning:
      'Origins whose pages may show your payments in a frame, each exact. While there is none, nobody may in production, and anybody in the sandbox.',
    default: null,
  },
  'brand-name': {
    type: 'text',
    max_length: 60,
    meaning: 'The name that buyers read. While it is unset they read the one that you are kept under here.',
    default: null,
  },
  'brand-color': {
    type: 'colour',
    meaning:
      'The colour of buttons and links on payment pages, such as #1f5f4a. One that could not be seen there is made darker or lighter.',
    default: null,
  },
  'brand-logo-url': {
    type: 'url',
    meaning: 'Where your logo is, which payment pages show. The buyer’s browser gets it from there.',
    default: null,
  },
  'link-lifetime-minutes': {
    type: 'integer',
    minimum: 1,
    maximum: MOST_MINUTES,
    meaning: 'Minutes that payment links live which are made from then on.',
    default: 1440,
  },
} as const satisfies Record<string, KeyRule>;

const keysOfCurrency = (code: CryptoCurrencyCode) => {
  const { name, chain, minConfirmations } = cryptoCurrencies[code];
  return {
    'auto-withdrawal-destination': {
      type: 'address',
      code,
      max_length: 128,
      meaning: `Your own address that ${name} is sent to by itself. Another one holds only after a delay, so that there is time to notice.`,
      default: null,
      scope: 'withdrawal:write',
    },
    'max-fee-limit-auto-withdrawal': {
      // Bitcoin's fee rates are compared in whole satoshi: a fraction could not be applied as it was set.
      type: familyOf(chain).feeDecimals === 0 ? 'integer' : 'decimal',
      minimum: 0,
      maximum: 1e12,
      meaning: `The most that the network may ask for when ${name} is sent by itself, in ${familyOf(chain).feeUnitName}. Above it the withdrawal waits; while it is unset there is no limit.`,
      default: null,
    },
    'min-confirmation': {
      type: 'integer',
      minimum: 0,
      maximum: 1000,
      meaning: `Blocks that must confirm a payment in ${name} before it counts.`,
      default: minConfirmations,
      managerOnly: true,
    },
    'min-amount': {
      type: 'amount',
      code,
      meaning: `The least that may be asked for and paid in ${name}.`,
      default: '0',
      managerOnly: true,
    },
    'processing-fee': {
      type: 'decimal',
      minimum: 0,
      maximum: 100,
      meaning: `What is taken off the ${name} that is credited, in percent.`,
      default: 0,
      managerOnly: true,
    },
    'wallet-rotate-amount': {
      type: 'amount',
      code,
      meaning: `How much ${name} a wallet holds when it gets no new invoices any more, and what it holds is withdrawn. Never while it is unset, or 0.`,
      default: null,
      isNumeric: true,
    },
    'payment-tolerance-percent': {
      type: 'decimal',
      minimum: 0,
      maximum: 100,
      meaning: `How far from the amount of its invoice a payment in ${name} may be and still fit, in percent.`,
      default: 0,
      managerOnly: true,
    },
  } as const satisfies Record<string, KeyRule>;
};

type FixedKey = keyof typeof fixedKeys;
type CurrencyKey = keyof ReturnType<typeof keysOfCurrency>;
export type PreferenceKey = FixedKey | `${CurrencyKey}-${CryptoCurrencyCode}`;

/** Every key there is, `{CODE}` written out for each cryptocurrency that is set up. */
export const preferenceKeys: ReadonlyMap<string, KeyRule> = new Map<string, KeyRule>([
  ...Object.entries(fixedKeys),
  ...cryptoCurrencyCodes.flatMap((code) =>
    Object.entries(keysOfCurrency(code)).map(([key, rule]): [string, KeyRule] => [`${key}-${code}`, rule]),
  ),
]);

/** Why a key is none, with the currencies that there are where only that is wrong. */
export function unknownKeyProblem(key: string): string {
  const name = key.slice(0, key.lastIndexOf('-'));
  if (!preferenceKeys.has(`${name}-btc`)) return 'is not a preference';
  return `is not a preference; possible: ${cryptoCurrencyCodes.map((code) => `${name}-${code}`).join(', ')}`;
}

/** What holds while a key is unset. */
export function defaultOf(key: PreferenceKey): StoredValue | null {
  return preferenceKeys.get(key)?.default ?? null;
}
