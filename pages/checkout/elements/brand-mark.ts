import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { LightElement } from './light-element.ts';

/** Card brands that have a mark in `public/brands/`. */
const BRANDS_WITH_MARK = /^(?:american-express|diners-club|discover|elo|jcb|mastercard|unionpay|visa)$/;

/**
 * Mark of a card brand on a small white card, or its name if it has no mark; a card for null. Decorative: the parent
 * element adds the name as text.
 */
export function brandMark(brand: string | null, name = ''): TemplateResult {
  if (brand !== null && !BRANDS_WITH_MARK.test(brand))
    return html`<span class="mark-text" aria-hidden="true">${name || brand}</span>`;
  const file = brand === null ? 'methods/card' : `brands/${brand}`;
  return html`<img class="mark-image" src="/${file}.svg" width="38" height="24" alt="" />`;
}

/** `brandMark` of a brand that changes while the card number is typed. Without a brand, the most common ones. */
@customElement('brand-mark')
export class BrandMark extends LightElement {
  /** Brand: `visa`, `mastercard`. */
  @property({ attribute: false }) brand: string | null = null;
  /** Display name, for brands without a mark. */
  @property({ attribute: false }) name = '';

  override render() {
    return this.brand === null
      ? ['visa', 'mastercard', 'american-express'].map((brand) => brandMark(brand))
      : brandMark(this.brand, this.name);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'brand-mark': BrandMark;
  }
}
