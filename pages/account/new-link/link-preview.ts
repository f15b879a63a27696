import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { LineItem } from '../../../client/api.ts';
import { AccountElement } from '../account-element.ts';
import { methodLogo, nameOfMethod } from '../transactions/methods.ts';
import { type Brand, setBrandColors } from './brand.ts';

/** A mockup of the payment page with the values of the form. It sends no request: the link does not exist yet. */
@customElement('link-preview')
export class LinkPreview extends AccountElement {
  @property({ attribute: false }) brand!: Brand;
  /** Empty until it is known. */
  @property({ attribute: false }) currency = '';
  /** Amount that the buyer pays, as a decimal; null for an invalid amount. */
  @property({ attribute: false }) amount: string | number | null = null;
  @property({ attribute: false }) description = '';
  /** Text below the description. */
  @property({ attribute: false }) details = '';
  @property({ attribute: false }) items: readonly LineItem[] = [];
  /** Codes of the offered methods, the link's own first: the payment page opens it. */
  @property({ attribute: false }) methods: readonly string[] = [];
  /** Alpha-3 code of the link's country. */
  @property({ attribute: false }) country = '';

  protected override updated(changed: PropertyValues<this>) {
    if (changed.has('brand')) setBrandColors(this, this.brand.color);
  }

  override render() {
    const { brand, currency, description, items, i18n } = this;
    const money = (value: string | number) => (currency === '' ? '–' : this.context.format.money(value, currency));
    const amount = money(this.amount ?? 0);
    return html`<p class="hint preview-label" aria-hidden="true">${this.text('new_link.preview')}</p>
      <div class="preview-page" role="img" aria-label=${this.text('new_link.preview')} aria-describedby="preview-summary">
        <div class="preview-merchant">
          ${
            brand.logo === null
              ? html`<span class="preview-mark">${/[\p{L}\p{N}]/u.exec(brand.name)?.[0]?.toLocaleUpperCase() ?? ''}</span>`
              : html`<img class="preview-logo" src=${brand.logo} alt="" />`
          }
          <bdi>${brand.name}</bdi>
        </div>
        <div>
          <p class="preview-amount ${this.amount === null ? 'preview-empty' : ''}">${amount}</p>
          ${
            description.trim() === ''
              ? html`<p class="preview-line"></p>`
              : html`<p class="preview-description"><bdi>${description}</bdi></p>`
          }
          ${this.details.trim() === '' ? nothing : html`<p class="hint"><bdi>${this.details}</bdi></p>`}
        </div>
        ${
          items.length === 0
            ? nothing
            : html`<div class="preview-items">
                ${items.map(
                  ({ name, quantity = 1, unit_amount: unit }) => html`<div>
                    <span><bdi>${name}</bdi>${quantity > 1 ? html` <small>× ${quantity}</small>` : nothing}</span>
                    <span>${money(unit * quantity)}</span>
                  </div>`,
                )}
              </div>`
        }
        ${
          this.methods.length === 0
            ? nothing
            : html`<div class="preview-methods">
                ${this.methods.map(
                  (code) =>
                    html`<div>
                      ${this.methods.length === 1 ? nothing : html`<i class="preview-radio"></i>`}
                      <span>${nameOfMethod(code, i18n, this.country)}</span>${methodLogo(code, this.country)}
                    </div>`,
                )}
              </div>`
        }
        <span class="preview-pay">${i18n.text('pay.button', { amount })}</span>
      </div>
      <p class="visually-hidden" id="preview-summary">${[brand.name, amount, description].join(', ')}</p>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'link-preview': LinkPreview;
  }
}
