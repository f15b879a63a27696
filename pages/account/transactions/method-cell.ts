import { html, type TemplateResult } from 'lit';
import type { TransactionListItem } from '../../../client/api.ts';
import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import { brandMark } from '../../checkout/elements/brand-mark.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';
import { brandName } from './brands.ts';
import { methodLogo, nameOfMethod } from './methods.ts';

/** The method of a payment with its logo: the card that paid, otherwise the method or coin. */
export function methodCell(code: string, card: TransactionListItem['card'], i18n: I18n): TemplateResult {
  if (!card) {
    const coin = cryptoCurrencies[code as keyof typeof cryptoCurrencies];
    return html`${methodLogo(code)}<span>${coin?.name ?? nameOfMethod(code, i18n)}</span>`;
  }
  const brand = brandName(card.brand);
  return html`${brandMark(card.brand, brand)}<span
      ><span class="visually-hidden">${brand || nameOfMethod(code, i18n)} </span
      ><bdi dir="ltr">•••• ${card.last4}</bdi></span
    >`;
}
