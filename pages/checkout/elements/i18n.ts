import { isShownWhole } from '../../../src/shared/minor-units.ts';

/** Letters of right-to-left scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufefc]/;

/**
 * Currencies with a symbol of their own, for which `Intl` writes the code in most languages: Rp, RM, ₦, ฿. Many fonts
 * lack the taka symbol.
 */
const UNAMBIGUOUS = 'IDR MYR NGN THB';

/** Values for the `{{name}}` placeholders in text; `count` also selects the plural form. */
export type TextValues = Readonly<Record<string, string | number>>;

/**
 * Text in one language, resolved by the server (i18next JSON v4, flattened with dots). The server resolves them so that
 * browsers don't load i18next.
 */
export class I18n {
  readonly locale: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly #amountLocale: string;
  readonly #isRightToLeft: boolean;
  #plurals: Intl.PluralRules | undefined;
  #amountFormat: { key: string; format: Intl.NumberFormat } | undefined;
  #numbers: Intl.NumberFormat | undefined;

  /** `amountLocale` formats money. It may be known for languages that have no translation. */
  constructor(texts: Readonly<Record<string, string>>, locale: string, amountLocale = locale) {
    this.texts = texts;
    this.#isRightToLeft = RIGHT_TO_LEFT.test(Object.values(texts)[0] ?? '');
    this.locale = locale;
    this.#amountLocale = amountLocale;
  }

  /** Locale with Latin digits, as on cards and in account numbers. */
  get #latinDigitLocale(): string {
    return `${this.locale}-u-nu-latn`;
  }

  /** Returns true if `key` has text. Use it for keys that contain codes, which may be newer than the page. */
  has(key: string): boolean {
    return Object.hasOwn(this.texts, key);
  }

  /** Returns the text of `key` with its placeholders filled in, or the key itself if it has no text. */
  text(key: string, values: TextValues = {}): string {
    const text = this.#lookUp(key, values['count']);
    return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (placeholder, name: string) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) return placeholder;
      return typeof value === 'number' ? this.#formatNumber(value) : this.#isolate(value);
    });
  }

  /** Returns the text of `key`, or of `fallbackKey` if it has none. */
  textOr(key: string, fallbackKey: string): string {
    return this.text(this.has(key) ? key : fallbackKey);
  }

  /**
   * Isolates a name or an amount, so that it keeps its order in a sentence of the other direction (Unicode UAX #9,
   * isolates).
   */
  #isolate(value: string): string {
    return this.#isRightToLeft || RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value;
  }

  #formatNumber(value: number): string {
    this.#numbers ??= new Intl.NumberFormat(this.#latinDigitLocale);
    return this.#numbers.format(value);
  }

  #lookUp(key: string, count: string | number | undefined): string {
    if (typeof count === 'number') {
      this.#plurals ??= new Intl.PluralRules(this.locale);
      const plural = this.texts[`${key}_${this.#plurals.select(count)}`] ?? this.texts[`${key}_other`];
      if (plural !== undefined) return plural;
    }
    return this.texts[key] ?? key;
  }

  /** Formats `$12.50` from a decimal string with the currency's number of decimals. */
  amount(amount: Amount): string {
    return this.amountParts(amount)
      .map(({ value }) => value)
      .join('');
  }

  /** The formatted amount in parts, to show currency letters such as `THB` smaller than the digits. */
  amountParts(amount: Amount): Intl.NumberFormatPart[] {
    const parts = this.#amountFormatter(amount).formatToParts(Number(amount.value));
    const last = parts.at(-1);
    // In right-to-left text, the direction marks keep the letters and the symbol of `US$` together, and away from a
    // minus sign.
    if (this.#isRightToLeft && last && /[A-Z]\W?$/.test(last.value)) last.value = `\u200f${last.value}\u200e`;
    return parts;
  }

  #amountFormatter({ value, currency }: Amount): Intl.NumberFormat {
    const decimals = isShownWhole(value, currency) ? 0 : (value.split('.')[1] ?? '').length;
    const key = `${currency} ${decimals}`;
    if (this.#amountFormat?.key !== key) {
      const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
      const currencyDisplay = UNAMBIGUOUS.includes(currency) ? 'narrowSymbol' : 'symbol';
      this.#amountFormat = {
        key,
        format: new Intl.NumberFormat(this.#amountLocale, { style: 'currency', currency, currencyDisplay, ...digits }),
      };
    }
    return this.#amountFormat.format;
  }

  /** Formats an ISO 8601 date as `10 Mar 2026, 10:45 CET`. */
  dateTime(at: string): string {
    const parts = { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
    return new Intl.DateTimeFormat(this.#latinDigitLocale, { ...parts, timeZoneName: 'short' }).format(new Date(at));
  }

  /** Returns `France` for `FR`. */
  countryName(code: string): string {
    return new Intl.DisplayNames(this.locale, { type: 'region' }).of(code) ?? code;
  }
}

/** Joins two sentences. No space follows the full stop of Japanese and Chinese. */
export function joinSentences(first: string, second: string): string {
  return `${first} ${second}`.replace('。 ', '。');
}

export interface Amount {
  readonly value: string;
  readonly currency: string;
}
