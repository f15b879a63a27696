import { html, svg } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { brandPaths } from './brand-paths.ts';
import { LightElement } from './light-element.ts';

/**
 * The mark of a card scheme on a small white card, or its name where there is no mark. Decoration:
 * whoever shows it says the name in words.
 */
@customElement('brand-mark')
export class BrandMark extends LightElement {
  /** The scheme as card-validator names it: `visa`, `mastercard`. */
  @property({ attribute: false }) brand: string | null = null;
  /** The name for people, for schemes without a mark. */
  @property({ attribute: false }) name = '';

  override render() {
    const paths = this.brand === null ? undefined : brandPaths[this.brand];
    if (paths) {
      return html`<svg class="mark-drawn" viewBox="-7 -1 38 26" aria-hidden="true">
        ${paths.map(({ d, fill }) => svg`<path d=${d} fill=${fill} />`)}
      </svg>`;
    }
    if (this.brand !== null) return html`<span class="mark-named" aria-hidden="true">${this.name || this.brand}</span>`;
    return html`<svg class="mark-blank" viewBox="0 0 38 26" aria-hidden="true">
      <rect x="5.75" y="4.75" width="26.5" height="16.5" rx="2.5" fill="none" stroke="currentColor" stroke-width="1.5" />
      <path d="M5.5 9.75h27" stroke="currentColor" stroke-width="2.5" />
    </svg>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'brand-mark': BrandMark;
  }
}
