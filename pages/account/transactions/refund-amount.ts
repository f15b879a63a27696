import { customElement, property, state } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import { textField } from '../fields.ts';
import { amountText, parseTypedAmount } from '../amounts.ts';

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
    const minor = parseTypedAmount(this.typed ?? amountText(this.most, this.currency), this.currency);
    if (minor === null) return text('not_an_amount', { currency: this.currency });
    if (minor === 0n) return text('nothing');
    return minor > this.most ? text('too_much', { most }) : null;
  }

  protected override updated() {
    this.querySelector('wa-input')?.setCustomValidity(this.#mistake ?? '');
  }

  override render() {
    const mistake = this.#mistake;
    const whole = amountText(this.most, this.currency);
    const minor = parseTypedAmount(this.typed ?? whole, this.currency) ?? 0n;
    const stays = this.context.format.money(amountText(this.most - minor, this.currency), this.currency);
    const rest = minor === this.most ? 'all' : 'stays';
    return textField({
      ...{ id: 'refund-amount', name: 'amount', inputmode: 'decimal', dir: 'ltr', value: whole, mistake },
      label: this.text('transactions.refund.amount', { currency: this.currency }),
      ...(mistake === null && { hint: this.text(`transactions.refund.${rest}`, { amount: stays }) }),
      onInput: (typed) => (this.typed = typed),
    });
  }
}
