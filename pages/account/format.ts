import { html, type TemplateResult } from 'lit';
import { cryptoCurrencies, type CryptoCurrencyCode } from '../../src/shared/crypto-currency.ts';
import { formatMinor } from '../../src/shared/money.ts';
import { isShownWhole, minorUnitsOf } from '../../src/shared/minor-units.ts';
import { alpha2Of, countries, type Country } from './countries.ts';

const DAY_MS = 86_400_000;
const relativeUnits: readonly [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/**
 * In right-to-left amounts, which begin with a direction mark: keeps the symbol of `US$` after its letters, and drops
 * the final period of symbols such as `د.ك.`, which would double the period of a sentence.
 */
function adjustCurrencySymbol(amount: string): string {
  if (!amount.startsWith('\u200f')) return amount;
  return amount.replace(/(?<=[A-Z])\p{Sc}$/u, '$&\u200e').replace(/\.(?=\u200f?$)/u, '');
}

/** Adds a minus sign to a formatted amount: `−$12.50`. */
export function negativeAmount(amount: string): string {
  // In a right-to-left amount, marks keep the sign before the digits and the currency after them.
  return amount.startsWith('\u200f') ? amount.replace(/[\d.,]+/, '\u200e−$&\u200f') : `−${amount}`;
}

/** Formats an amount in the smallest unit as coins without trailing zeros: `150000` satoshi is `0.0015`. */
export function coinsText(amount: bigint, code: string): string {
  const decimals = code in cryptoCurrencies ? cryptoCurrencies[code as CryptoCurrencyCode].decimals : 0;
  const text = formatMinor(amount, decimals);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

const formatters = new Map<string, unknown>();

/** Caches formatters: creating one takes longer than formatting. */
function cachedFormatter<F>(create: () => F, ...key: unknown[]): F {
  const name = JSON.stringify(key);
  const formatter = (formatters.get(name) as F | undefined) ?? create();
  formatters.set(name, formatter);
  return formatter;
}

function numberFormat(locale: string, options?: Intl.NumberFormatOptions): Intl.NumberFormat {
  return cachedFormatter(() => new Intl.NumberFormat(locale, options), 'number', locale, options);
}

function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return cachedFormatter(() => new Intl.DateTimeFormat(locale, options), 'date', locale, options);
}

/** Formats money, dates, countries and numbers in the user's locale and time zone. */
export class Format {
  readonly #locale: string;
  readonly #now: () => number;
  readonly #timeZone: string | undefined;
  #countries: readonly (Country & { name: string })[] | undefined;

  constructor(locale: string, now: () => number = Date.now, timeZone?: string) {
    this.#locale = `${locale}-u-nu-latn`;
    this.#now = now;
    this.#timeZone = timeZone;
  }

  /** `$12.50`; a currency unknown to `Intl` is written with its code, `0.0015 BTC`. */
  money(value: string | number, currency: string): string {
    const code = currency.toUpperCase();
    try {
      const decimals = isShownWhole(value, code) ? 0 : minorUnitsOf(code);
      const parts = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
      const options = { style: 'currency', currency: code, ...parts } as const;
      return adjustCurrencySymbol(numberFormat(this.#locale, options).format(value as number));
    } catch {
      return `${value} ${code}`;
    }
  }

  /** An amount in coins, with all digits. */
  coins(value: string, code: string): string {
    const mark = this.#locale.startsWith('ar') ? '\u200f' : '';
    return `${mark}${value}\u00a0${code.toUpperCase()}`;
  }

  /** An amount in the smallest unit, as coins without trailing zeros: `0.0015 BTC` for 150000 satoshi. */
  coinUnits(units: string | bigint, code: string): string {
    return this.coins(coinsText(BigInt(units), code), code);
  }

  number(value: number): string {
    return numberFormat(this.#locale).format(value);
  }

  /** `12K`, for an axis. */
  compactNumber(value: number): string {
    return numberFormat(this.#locale, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
  }

  /** `3.2 MB`. */
  fileSize(bytes: number): string {
    const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
    const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
    const parts = { style: 'unit', unit: units[step], unitDisplay: 'short', maximumFractionDigits: 1 } as const;
    return numberFormat(this.#locale, parts)
      .format(bytes / 1000 ** step)
      .replace(' ', '\u00a0');
  }

  /** `340 ms`. */
  milliseconds(value: number): string {
    return numberFormat(this.#locale, { style: 'unit', unit: 'millisecond' }).format(value);
  }

  percent(share: number): string {
    return numberFormat(this.#locale, { style: 'percent', maximumFractionDigits: 1 }).format(share);
  }

  /** `10 Mar, 10:45`, with the year unless it is the current one. The tooltip has the full date. */
  dateTime(at: string): TemplateResult {
    return this.#timeElement(at, this.dateTimeText(at));
  }

  dateTimeText(at: string): string {
    const parts = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
    return this.#formatDate(at, this.#isThisYear(at) ? parts : { ...parts, year: 'numeric' });
  }

  #isThisYear(at: string): boolean {
    const year = (dateTime: string) => this.#formatDate(dateTime, { year: 'numeric' });
    return year(at) === year(new Date(this.#now()).toISOString());
  }

  /** `10 Mar`, with the year unless it is the current one. */
  day(at: string): TemplateResult {
    return this.#isThisYear(at) ? this.#timeElement(at, this.monthDay(at)) : this.date(at);
  }

  /** `10 Mar 2026`. */
  date(at: string): TemplateResult {
    return this.#timeElement(at, this.#formatDate(at, { year: 'numeric', month: 'short', day: 'numeric' }));
  }

  /** `10 Mar 2026`, as plain text. */
  dateText(at: string): string {
    return this.#formatDate(at, { year: 'numeric', month: 'short', day: 'numeric' });
  }

  /** `1 – 31 Mar 2026`, for dates as `2026-03-01`. */
  dayRange(since: string, till: string): string {
    const parts = { year: 'numeric', month: 'short', day: 'numeric' } as const;
    const noon = (date: string) => new Date(`${date}T12:00:00`);
    return dateFormat(this.#locale, parts).formatRange(noon(since), noon(till));
  }

  /** `10 Mar`, without the year. */
  monthDay(at: string): string {
    return this.#formatDate(at, { month: 'short', day: 'numeric' });
  }

  /** `3 PM`, for an hour of the day. */
  hour(hour: number): string {
    const at = new Date(Date.UTC(2000, 0, 1, hour));
    return dateFormat(this.#locale, { hour: 'numeric', timeZone: 'UTC' }).format(at);
  }

  /** `5 minutes ago`, for a past time; the date after a week. */
  relativeTime(at: string): TemplateResult {
    // The device's clock may be behind the service's.
    const elapsedMs = Math.max(0, this.#now() - Date.parse(at));
    if (elapsedMs > 7 * DAY_MS) return this.date(at);
    const [unit, ms] = relativeUnits.find(([, ms]) => elapsedMs >= ms) ?? ['minute', 60_000];
    const text = new Intl.RelativeTimeFormat(this.#locale, { numeric: 'auto' }).format(
      -Math.trunc(elapsedMs / ms),
      unit,
    );
    return this.#timeElement(at, text);
  }

  /** `France` for `FR` or `FRA`. */
  country(code: string): string {
    try {
      return new Intl.DisplayNames(this.#locale, { type: 'region' }).of(alpha2Of(code) ?? code) ?? code;
    } catch {
      return code;
    }
  }

  /** All countries, sorted by name in the user's language. */
  get countries(): readonly (Country & { name: string })[] {
    this.#countries ??= countries
      .map((country) => ({ ...country, name: this.country(country.alpha2) }))
      .toSorted((one, other) => one.name.localeCompare(other.name, this.#locale));
    return this.#countries;
  }

  /** `EUR – Euro`. */
  currency(code: string): string {
    try {
      const name = new Intl.DisplayNames(this.#locale, { type: 'currency' }).of(code);
      return name === undefined || name === code ? code : `${code} – ${name}`;
    } catch {
      return code;
    }
  }

  /** `+12.5%`, with the sign; zero has none. */
  signedPercent(share: number): string {
    const parts = { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const;
    return numberFormat(this.#locale, parts).format(share);
  }

  #timeElement(at: string, text: string): TemplateResult {
    const full = this.#formatDate(at, { dateStyle: 'full', timeStyle: 'long' });
    return html`<time datetime=${at} title=${full}>${text}</time>`;
  }

  #formatDate(at: string, parts: Intl.DateTimeFormatOptions): string {
    const zone = this.#timeZone === undefined ? {} : { timeZone: this.#timeZone };
    return dateFormat(this.#locale, { ...parts, ...zone }).format(new Date(at));
  }
}
