import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { LightElement } from './light-element.ts';
import { httpUrl } from './http-url.ts';

/** Merchant, amount and description of the payment. */
@customElement('payment-summary')
export class PaymentSummary extends LightElement {
  @property({ attribute: false }) merchantName = '';
  @property({ attribute: false }) logoUrl: string | null = null;
  /** Parts of the amount. Currency letters such as `THB` are smaller than the digits. */
  @property({ attribute: false }) amount: readonly AmountPart[] = [];
  @property({ attribute: false }) description: string | null = null;
  /** Label above the amount. */
  @property({ attribute: false }) label: string | null = null;
  /** Content below the description, such as the items. */
  @property({ attribute: false }) lines: unknown = nothing;
  /** Content next to the merchant's name, such as the countdown. */
  @property({ attribute: false }) aside: unknown = nothing;

  @state() private logoFailed = false;

  override render() {
    return html`<div class="merchant">
        ${this.#logo()}
        <span class="merchant-name"><bdi>${this.merchantName}</bdi></span>
        ${this.aside}
      </div>
      <div>
        ${this.label === null ? nothing : html`<p class="what">${this.label}</p>`}
        <h1 class="amount" data-length=${sizeClass(this.amount)}>${this.amount.map(amountPart)}</h1>
        ${this.description === null ? nothing : html`<p class="what"><bdi>${this.description}</bdi></p>`}
      </div>
      ${this.lines}`;
  }

  /** The logo; the merchant's initial if there is no logo or it fails to load. */
  #logo() {
    const address = this.logoFailed ? null : httpUrl(this.logoUrl);
    if (address === null)
      return html`<span class="merchant-mark" aria-hidden="true">${firstLetter(this.merchantName)}</span>`;
    return html`<img
      class="merchant-logo"
      src=${address}
      alt=""
      width="40"
      height="40"
      referrerpolicy="no-referrer"
      @error=${() => {
        this.logoFailed = true;
      }}
    />`;
  }
}

/** A part of a formatted amount, as in `Intl.NumberFormat`. */
export type AmountPart = Pick<Intl.NumberFormatPart, 'type' | 'value'>;

/** Shows the letters of a currency smaller than the digits; a currency symbol keeps its size. */
export function amountPart({ type, value }: AmountPart) {
  return type === 'currency' && /^\p{L}{3,4}$/u.test(value) ? html`<small>${value}</small>` : value;
}

/**
 * Size class of an amount: long amounts are smaller, to fit on one line. Invisible formatting characters don't count.
 */
export function sizeClass(amount: readonly AmountPart[]): 'short' | 'middle' | 'long' | 'longest' {
  const { length } = amount
    .map(({ value }) => value)
    .join('')
    .replaceAll(/\p{Cf}/gu, '');
  if (length <= 10) return 'short';
  if (length <= 14) return 'middle';
  return length <= 20 ? 'long' : 'longest';
}

function firstLetter(name: string): string {
  const first = /[\p{L}\p{N}]/u.exec(name)?.[0] ?? '';
  return first.toLocaleUpperCase();
}

declare global {
  interface HTMLElementTagNameMap {
    'payment-summary': PaymentSummary;
  }
}
