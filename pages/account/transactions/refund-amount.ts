import { customElement, property, state } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import { textField } from '../fields.ts';
import { amountText } from '../amounts.ts';
import { parseTypedAmount, typedAmountText } from '../typed-amount.ts';

/** Field for the amount of a refund or a capture, with the remaining amount. An invalid amount blocks the form. */
@customElement('refund-amount')
export class RefundAmount extends AccountElement {
  @property({ attribute: false }) currency = '';
  @property({ attribute: false }) purpose: 'refund' | 'capture' = 'refund';
  /** Maximum amount in minor units. */
  @property({ attribute: false }) maximum = 0n;
  /** True if only the full amount can be refunded. */
  @property({ attribute: false }) isFixed = false;

  @state() private typedAmount: string | null = null;

  get #fullAmount(): string {
    return typedAmountText(this.maximum, this.currency, this.i18n.locale);
  }

  /** The typed amount in minor units; null if it is not an amount of the currency. */
  get #amount(): bigint | null {
    return parseTypedAmount(this.typedAmount ?? this.#fullAmount, this.currency, this.i18n.locale);
  }

  /** Message about an invalid amount. */
  get #fieldError(): string | null {
    const text = (key: string, values = {}) => this.text(`transactions.refund.${key}`, values);
    const tooMuch = `transactions.${this.purpose}.too_large`;
    const maximum = this.context.format.money(amountText(this.maximum, this.currency), this.currency);
    const minor = this.#amount;
    if (minor === null) return text('invalid', { currency: this.currency });
    if (minor === 0n) return text('zero');
    return minor > this.maximum ? this.text(tooMuch, { most: maximum }) : null;
  }

  protected override updated() {
    this.querySelector('wa-input')?.setCustomValidity(this.#fieldError ?? '');
  }

  override render() {
    const fieldError = this.#fieldError;
    const minor = this.#amount ?? 0n;
    const remaining = this.context.format.money(amountText(this.maximum - minor, this.currency), this.currency);
    const hintKey = this.isFixed ? 'full_only' : minor === this.maximum ? 'full' : 'rest';
    return textField({
      ...{ id: 'refund-amount', name: 'amount', inputmode: 'decimal', dir: 'ltr', value: this.#fullAmount, fieldError },
      isReadOnly: this.isFixed,
      label: this.text(`transactions.${this.purpose}.amount`, { currency: this.currency }),
      ...(fieldError === null && { hint: this.text(`transactions.${this.purpose}.${hintKey}`, { amount: remaining }) }),
      onInput: (typedAmount) => (this.typedAmount = typedAmount),
    });
  }
}
