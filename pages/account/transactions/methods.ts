import { html, type TemplateResult } from 'lit';
import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import catalog from '../../../src/shared/method-catalog.json' with { type: 'json' };
import { methodName } from '../../checkout/elements/method-name.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';

const methods = new Map(catalog.methods.map((method) => [method.code, method]));

/** All methods, in the order of the catalog. */
export const methodCodes: readonly string[] = [...methods.keys()];

export function nameOfMethod(code: string, i18n: I18n): string {
  const brand = methods.get(code)?.brand;
  return methodName({ code, brand: typeof brand === 'string' ? brand : null }, i18n);
}

/** The logo of a method or coin, shown next to its name. */
export function methodLogo(code: string): TemplateResult {
  return html`<img class="mark-image" src="/methods/${code in cryptoCurrencies ? `coin-${code}` : logoFile(code)}.svg" width="38" height="24" alt="" loading="lazy" />`;
}

function logoFile(code: string): string {
  const { mark, brand } = methods.get(code) ?? {};
  return mark ?? (typeof brand === 'string' ? `initials/${brand}` : 'qr');
}
