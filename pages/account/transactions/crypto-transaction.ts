import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { CryptoPayment, CryptoTransaction as Transaction } from '../../../client/api.ts';
import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import { may } from '../context.ts';
import { given, textField } from '../fields.ts';
import { facts, tag } from '../parts.ts';
import { methodMark } from './methods.ts';
import { statusWords } from './status.ts';
import type { SumLine } from './sums.ts';
import { TransactionElement } from './transaction-element.ts';

type Action = 'approve' | 'reject';

/** One transaction on a chain: its deposits, its amounts, and the decision if it awaits review. */
@customElement('crypto-transaction')
export class CryptoTransaction extends TransactionElement {
  @property({ attribute: false }) transaction!: Transaction;

  #coins(units: string | bigint) {
    return this.context.format.coinUnits(units, this.transaction.code);
  }

  async #decide(action: Action) {
    if (this.isBusy) return;
    const { id, amountUnit, code } = this.transaction;
    const text = (key: string) => this.text(`transactions.crypto.${key}`);
    const address = textField({
      ...{ id: 'decision-address', name: 'refundAddress', label: text('refund_address'), dir: 'ltr' },
      ...{ maxlength: 128, hint: text('refund_address_hint') },
    });
    const amount = this.context.format.coins(amountUnit, code);
    const answer = await this.context.ask({
      heading: this.text(`transactions.ask.${action}.title`, { amount }),
      text: this.text(`transactions.ask.${action}.text`, { amount }),
      fields: html`<div class="fields">
        ${action === 'reject' ? address : nothing}
        ${textField({ id: 'decision-reason', name: 'reason', label: text('reason'), maxlength: 255 })}
      </div>`,
      confirm: this.text(`transactions.action.${action}`),
      isGrave: action === 'reject',
    });
    if (answer === null) return;
    const reason = given(answer, 'reason');
    const refundAddress = given(answer, 'refundAddress');
    const body = {
      id,
      ...(reason !== '' && { reason }),
      ...(action === 'reject' && refundAddress !== '' && { refundAddress }),
    };
    await this.run(async () => {
      this.emit('transaction-changed', await this.context.api[`${action}CryptoTransaction`](body));
      this.context.say(this.text(`transactions.done.${action}`));
    });
  }

  override render() {
    const { code, status, txId, amountRequiredUnit, amountUnit, labels, availableActions, link } = this.transaction;
    return this.view({
      reference: txId ?? this.text('transactions.no_invoice'),
      amount: this.context.format.coins(amountRequiredUnit ?? amountUnit, code),
      status,
      list: `${this.context.here('transactions')}?kind=crypto`,
      lead: labels.map((label) => html`<p class="page-lead">${this.text(`transactions.label_text.${label}`)}</p>`),
      actions: (['approve', 'reject'] as const)
        .filter((action) => availableActions.includes(action) && may(this.context, 'approval:write'))
        .map((action) => ({
          ...{ name: action, isMain: action === 'approve', icon: action === 'approve' ? 'check' : 'ban' },
          run: () => void this.#decide(action),
        })),
      story: html`${status === 'pending' && txId !== null ? this.linkPart(link.payment) : nothing} ${this.#timeline()}
      ${this.#payments()}`,
      details: html`${this.#amounts()} ${this.#facts()}`,
    });
  }

  #timeline() {
    const { createdAt, updatedAt, payments, decision, status } = this.transaction;
    const entries = [
      { at: createdAt, title: this.text('transactions.timeline.made') },
      ...payments.map(({ seenAt: at, amount }) => ({
        at,
        title: this.text('transactions.crypto.seen', { amount: this.#coins(amount) }),
      })),
    ];
    if (decision !== null) {
      const { at, isApproved, by, byName, reason: note } = decision;
      const key = isApproved ? 'approved_by' : 'rejected_by';
      const entry = { at, title: this.text(`transactions.crypto.${key}`, { name: byName ?? by }), note };
      entries.push(entry);
    }
    entries.sort((one, other) => one.at.localeCompare(other.at));
    if (status !== 'pending') entries.push({ at: updatedAt, title: statusWords(status, this.i18n) });
    return this.timelinePart(entries);
  }

  #payments() {
    const { payments } = this.transaction;
    return this.block(
      'payments',
      payments.length === 0
        ? html`<div class="panel panel-body"><p class="section-text">${this.text('transactions.crypto.no_payments')}</p></div>`
        : html`<div class="panel">${payments.map((payment) => this.#payment(payment))}</div>`,
      'crypto.payments',
    );
  }

  #payment({ txHash, amount, confirmations: count, decision, seenAt }: CryptoPayment) {
    const needed = this.transaction.minConfirmations;
    const depth =
      count === null
        ? this.text('transactions.crypto.gone')
        : this.text('transactions.crypto.depth', { count, needed });
    const tone = decision === 'accepted' ? 'good' : decision === 'rejected' ? 'bad' : 'warn';
    return this.row(
      html`<span class="figure">${this.#coins(amount)}</span>`,
      [
        txHash === '' ? this.text('transactions.crypto.no_hash') : html`<code dir="ltr">${txHash}</code>`,
        html`${this.context.format.moment(seenAt)} · ${depth}`,
      ],
      tag(this.text(`transactions.crypto.decision.${decision}`), tone),
    );
  }

  #amounts() {
    const { amountRequired, amount, amountDue, processingFee, exchangeRate, code } = this.transaction;
    const { format } = this.context;
    const over = BigInt(amount) - BigInt(amountRequired ?? '0');
    const received: SumLine = { name: 'received', minor: BigInt(amount) };
    const lines: SumLine[] =
      amountRequired === null
        ? [received]
        : [
            { name: 'asked', minor: BigInt(amountRequired) },
            received,
            over > 0n
              ? { name: 'too_much', minor: over, isSum: true }
              : { name: 'due', minor: BigInt(amountDue), isSum: true },
          ];
    if (processingFee !== '0') lines.push({ name: 'processing_fee', minor: BigInt(processingFee) });
    const rate =
      exchangeRate === null
        ? nothing
        : html`<p class="hint">
            ${this.text('transactions.crypto.rate', {
              coin: format.coins('1', code),
              rate: format.money(exchangeRate.exchangeRate, exchangeRate.currency),
              amount: format.money(exchangeRate.currencyAmount, exchangeRate.currency),
            })}
          </p>
          ${this.rateOrigin(exchangeRate.source, exchangeRate.at)}`;
    const sum = this.sum(lines, (minor) => this.#coins(minor));
    return this.block('amounts', html`<div class="panel panel-body">${sum} ${rate}</div>`, 'sum.title');
  }

  #facts() {
    const { format, here } = this.context;
    const {
      code,
      comment,
      walletAddress,
      walletType,
      createdAt,
      updatedAt,
      expiredAt,
      meantFor,
      fiatTransactionId: paid,
    } = this.transaction;
    const text = (key: string) => this.text(`transactions.${key}`);
    const list = facts([
      [text('column.coin'), html`<span class="with-mark">${methodMark(code)}${cryptoCurrencies[code].name}</span>`],
      [text('crypto.wallet'), html`<code dir="ltr">${walletAddress}</code>`],
      [text('crypto.wallet_type'), text(`crypto.wallet_types.${walletType}`)],
      [text('crypto.comment'), comment && html`<span dir="auto">${comment}</span>`],
      [text('facts.made'), format.moment(createdAt)],
      [text('facts.changed'), format.moment(updatedAt)],
      [text('facts.expires'), expiredAt && format.moment(expiredAt)],
      [text('crypto.pays'), paid && html`<a class="link" href=${here('transactions', paid)}><bdi>${paid}</bdi></a>`],
      [text('crypto.meant_for'), meantFor && html`<bdi>${meantFor}</bdi>`],
    ]);
    return this.block('facts', html`<div class="panel panel-body">${list}</div>`);
  }
}
