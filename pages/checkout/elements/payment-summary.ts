import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { LightElement } from './light-element.ts';
import { webAddress } from './web-address.ts';

/** Who asks, for how much, and what for. */
@customElement('payment-summary')
export class PaymentSummary extends LightElement {
  @property({ attribute: false }) merchantName = '';
  @property({ attribute: false }) logoUrl: string | null = null;
  /** The amount in its parts, of which the letters of a currency are drawn smaller than the figures. */
  @property({ attribute: false }) amount: readonly AmountPart[] = [];
  @property({ attribute: false }) description: string | null = null;
  /** What stands beside the merchant's name, such as the time left. */
  @property({ attribute: false }) aside: unknown = nothing;

  @state() private isLogoLost = false;

  override render() {
    return html`<div class="who">
        ${this.#mark()}
        <span class="who-name"><bdi>${this.merchantName}</bdi></span>
        ${this.aside}
      </div>
      <div>
        <h1 class="amount" data-length=${lengthOf(this.amount)}>${this.amount.map(drawnPart)}</h1>
        ${this.description === null ? nothing : html`<p class="what"><bdi>${this.description}</bdi></p>`}
      </div>`;
  }

  /** The logo, or the initial of the name where there is none or it cannot be had. */
  #mark() {
    const address = this.isLogoLost ? null : webAddress(this.logoUrl);
    if (address === null) return html`<span class="who-mark" aria-hidden="true">${initialOf(this.merchantName)}</span>`;
    return html`<img
      class="who-logo"
      src=${address}
      alt=""
      width="40"
      height="40"
      referrerpolicy="no-referrer"
      @error=${() => {
        this.isLogoLost = true;
      }}
    />`;
  }
}

/** A part as `Intl.NumberFormat` tells them. */
export type AmountPart = Pick<Intl.NumberFormatPart, 'type' | 'value'>;

/** A currency's letters are drawn smaller than the figures; its sign belongs to them. */
function drawnPart({ type, value }: AmountPart) {
  return type === 'currency' && /^\p{L}{3,4}$/u.test(value) ? html`<small>${value}</small>` : value;
}

/** A long amount is drawn smaller, so that it stays in one line where it can. What only orders the line has no width. */
function lengthOf(amount: readonly AmountPart[]): 'short' | 'middle' | 'long' | 'longest' {
  const { length } = amount
    .map(({ value }) => value)
    .join('')
    .replaceAll(/\p{Cf}/gu, '');
  if (length <= 10) return 'short';
  if (length <= 14) return 'middle';
  return length <= 20 ? 'long' : 'longest';
}

function initialOf(name: string): string {
  const first = /[\p{L}\p{N}]/u.exec(name)?.[0] ?? '';
  return first.toLocaleUpperCase();
}

declare global {
  interface HTMLElementTagNameMap {
    'payment-summary': PaymentSummary;
  }
}
