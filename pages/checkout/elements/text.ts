/** Letters that are read from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufefc]/;

/** Values for the `{{name}}` places of a text; `count` also chooses the plural form. */
export type TextValues = Readonly<Record<string, string | number>>;

/**
 * Reads the texts of one language that the server has resolved (i18next JSON format v4, flattened
 * with dots). Resolving languages stays on the server, so that the browser carries no i18next.
 */
export class Wording {
  readonly locale: string;
  readonly #texts: Readonly<Record<string, string>>;
  readonly #amountLocale: string;
  readonly #isRightToLeft: boolean;
  #plurals: Intl.PluralRules | undefined;
  #amountFormat: { key: string; format: Intl.NumberFormat } | undefined;
  #numbers: Intl.NumberFormat | undefined;

  /** `amountLocale`: how the reader writes money, which may be known where the language has no texts. */
  constructor(texts: Readonly<Record<string, string>>, locale: string, amountLocale = locale) {
    this.#texts = texts;
    this.#isRightToLeft = RIGHT_TO_LEFT.test(Object.values(texts)[0] ?? '');
    this.locale = locale;
    this.#amountLocale = amountLocale;
  }

  /** The locale with the digits of cards and accounts, which are these everywhere. */
  get #withDigits(): string {
    return `${this.locale}-u-nu-latn`;
  }

  /** Whether there is a text under `key`: for texts by code, where the code may be newer than the page. */
  has(key: string): boolean {
    return Object.hasOwn(this.#texts, key);
  }

  /** The text under `key` with its places filled in; the key itself when there is none. */
  text(key: string, values: TextValues = {}): string {
    const text = this.#find(key, values['count']);
    return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (place, name: string) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) return place;
      return typeof value === 'number' ? this.#number(value) : this.#isolated(value);
    });
  }

  /** The text under `key`, or under `otherwise` where there is none. */
  textOr(key: string, otherwise: string): string {
    return this.text(this.has(key) ? key : otherwise);
  }

  /** A name or an amount keeps its own order inside a sentence that runs the other way (Unicode UAX #9, isolates). */
  #isolated(value: string): string {
    return this.#isRightToLeft || RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value;
  }

  #number(value: number): string {
    this.#numbers ??= new Intl.NumberFormat(this.#withDigits);
    return this.#numbers.format(value);
  }

  #find(key: string, count: string | number | undefined): string {
    if (typeof count === 'number') {
      this.#plurals ??= new Intl.PluralRules(this.locale);
      const plural = this.#texts[`${key}_${this.#plurals.select(count)}`] ?? this.#texts[`${key}_other`];
      if (plural !== undefined) return plural;
    }
    return this.#texts[key] ?? key;
  }

  /** `$12.50`: a decimal string that already has its currency's own number of decimals. */
  amount(amount: Amount): string {
    return this.amountParts(amount)
      .map(({ value }) => value)
      .join('');
  }

  /** The same in parts, for drawing a currency's letters smaller than the figures. */
  amountParts(amount: Amount): Intl.NumberFormatPart[] {
    const parts = this.#amounts(amount).formatToParts(Number(amount.value));
    // The sign of `US$` would stand before its letters where lines run the other way.
    const isTurned = ({ type, value }: Intl.NumberFormatPart) => type === 'currency' && /[A-Z]\W$/.test(value);
    return this.#isRightToLeft
      ? parts.map((part) => (isTurned(part) ? { ...part, value: `${part.value}\u200e` } : part))
      : parts;
  }

  #amounts({ value, currency }: Amount): Intl.NumberFormat {
    const decimals = value.split('.')[1]?.length ?? 0;
    const key = `${currency} ${decimals}`;
    if (this.#amountFormat?.key !== key) {
      const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
      this.#amountFormat = {
        key,
        format: new Intl.NumberFormat(this.#amountLocale, { style: 'currency', currency, ...digits }),
      };
    }
    return this.#amountFormat.format;
  }

  /** `10 Mar 2026, 10:45 CET`; `at` is ISO 8601. */
  dateTime(at: string): string {
    const parts = { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
    return new Intl.DateTimeFormat(this.#withDigits, { ...parts, timeZoneName: 'short' }).format(new Date(at));
  }

  /** `France` for `FR`. */
  countryName(code: string): string {
    return new Intl.DisplayNames(this.locale, { type: 'region' }).of(code) ?? code;
  }
}

export interface Amount {
  readonly value: string;
  readonly currency: string;
}
