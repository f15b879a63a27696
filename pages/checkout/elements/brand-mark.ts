import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { LightElement } from './light-element.ts';

/** Card brands that have a mark in `public/brands/`. One file each: a form shows one at most. */
const BRANDS_WITH_MARK = /^(?:american-express|diners-club|discover|elo|jcb|mastercard|unionpay|visa)$/;

/**
 * Mark of a card brand on a small white card, or its name if it has no mark. Decorative: the parent element adds the
 * name as text. Without a brand, the outline of a card.
 */
export function brandMark(brand: string | null, name: string): TemplateResult {
  if (brand !== null && BRANDS_WITH_MARK.test(brand))
    return html`<img class="mark-image" src="/brands/${brand}.svg" width="38" height="24" alt="" />`;
  if (brand !== null) return html`<span class="mark-text" aria-hidden="true">${name || brand}</span>`;
  return html`<svg class="mark-blank" viewBox="0 1 38 24" aria-hidden="true">
    <rect x="5.75" y="4.75" width="26.5" height="16.5" rx="2.5" fill="none" stroke="currentColor" stroke-width="1.5" />
    <path d="M5.5 9.75h27" stroke="currentColor" stroke-width="2.5" />
  </svg>`;
}

/** `brandMark` of a brand that changes while the card number is typed. */
@customElement('brand-mark')
export class BrandMark extends LightElement {
  /** Brand: `visa`, `mastercard`. */
  @property({ attribute: false }) brand: string | null = null;
  /** Display name, for brands without a mark. */
  @property({ attribute: false }) name = '';

  override render() {
    return brandMark(this.brand, this.name);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'brand-mark': BrandMark;
  }
}
