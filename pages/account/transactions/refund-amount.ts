import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import { fieldMistake } from '../../checkout/elements/field-mistake.ts';
import { amountText, readTyped } from '../amounts.ts';

/** How much goes back: checked while it is typed, with what stays. The form around it is not sent otherwise. */
@customElement('refund-amount')
export class RefundAmount extends AccountElement {
  @property({ attribute: false }) currency = '';
  /** All that can go back, in minor units. */
  @property({ attribute: false }) most = 0n;

  @state() private typed: string | null = null;

  /** What is wrong with what was typed, in words. */
  get #mistake(): string | null {
    const text = (key: string, values = {}) => this.text(`transactions.refund.${key}`, values);
    const most = this.context.format.money(amountText(this.most, this.currency), this.currency);
    const minor = readTyped(this.typed ?? amountText(this.most, this.currency), this.currency);
    if (minor === null) return text('not_an_amount', { currency: this.currency });
    if (minor === 0n) return text('nothing');
    return minor > this.most ? text('too_much', { most }) : null;
  }

  protected override updated() {
    this.querySelector('input')?.setCustomValidity(this.#mistake ?? '');
  }

  override render() {
    const mistake = this.#mistake;
    const whole = amountText(this.most, this.currency);
    const minor = readTyped(this.typed ?? whole, this.currency) ?? 0n;
    const stays = this.context.format.money(amountText(this.most - minor, this.currency), this.currency);
    return html`<div class="labelled">
      <label for="refund-amount">${this.text('transactions.refund.amount', { currency: this.currency })}</label>
      <input
        class="field"
        id="refund-amount"
        name="amount"
        inputmode="decimal"
        autocomplete="off"
        dir="ltr"
        value=${whole}
        aria-invalid=${mistake === null ? nothing : 'true'}
        aria-describedby=${mistake === null ? 'refund-amount-hint' : 'refund-amount-mistake'}
        @input=${(event: Event) => (this.typed = (event.target as HTMLInputElement).value)}
      />
      ${fieldMistake('refund-amount-mistake', mistake)}
      ${
        mistake === null
          ? html`<p class="hint" id="refund-amount-hint">
              ${
                minor === this.most
                  ? this.text('transactions.refund.all')
                  : this.text('transactions.refund.stays', { amount: stays })
              }
            </p>`
          : nothing
      }
    </div>`;
  }
}
