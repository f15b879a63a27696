import { html, type TemplateResult } from 'lit';
import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import catalog from '../../../src/shared/method-catalog.json' with { type: 'json' };
import { methodName } from '../../checkout/elements/method-name.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';

const methods = new Map(catalog.methods.map((method) => [method.code, method]));

/** All methods, in the order of the catalog. */
export const methodCodes: readonly string[] = [...methods.keys()];

/** Display name of a method; with the country (alpha-3) of a payment, the name that its buyer sees. */
export function nameOfMethod(code: string, i18n: I18n, country = ''): string {
  return methodName({ code, brand: brandOf(code, country) }, i18n);
}

/** The logo of a method or coin, shown next to its name. */
export function methodLogo(code: string, country = ''): TemplateResult {
  return html`<img class="mark-image" src="/methods/${code in cryptoCurrencies ? `coin-${code}` : logoFile(code, country)}.svg" width="38" height="24" alt="" loading="lazy" />`;
}

function logoFile(code: string, country: string): string {
  const brand = brandOf(code, country);
  return methods.get(code)?.mark ?? (brand === null ? 'qr' : `initials/${encodeURIComponent(brand)}`);
}

/** Brand of a method, which can depend on the country. */
function brandOf(code: string, country: string): string | null {
  const brand: string | Readonly<Record<string, string | undefined>> | undefined = methods.get(code)?.brand;
  return typeof brand === 'string' ? brand : (brand?.[country] ?? null);
}
