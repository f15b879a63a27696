import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { CryptoPayment, CryptoTransaction as Transaction } from '../../../client/api.ts';
import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import { hasScope } from '../context.ts';
import { copyable } from '../copy-button.ts';
import { trimmedValue, textField } from '../fields.ts';
import { factList, tag } from '../parts.ts';
import { methodLogo } from './methods.ts';
import { statusText } from './status.ts';
import type { AmountLine } from './amount-lines.ts';
import { type TimelineEntry, TransactionElement } from './transaction-element.ts';

type ReviewAction = 'approve' | 'reject';

/** A crypto transaction: its deposits, amounts and review. */
@customElement('crypto-transaction')
export class CryptoTransaction extends TransactionElement {
  @property({ attribute: false }) transaction!: Transaction;

  #formatCoins(units: string | bigint) {
    return this.context.format.coinUnits(units, this.transaction.code);
  }

  async #review(action: ReviewAction) {
    if (this.isBusy) return;
    const { id, type, amountUnit, code } = this.transaction;
    const text = (key: string) => this.text(`transactions.crypto.${key}`);
    const address = textField({
      ...{ id: 'decision-address', name: 'refundAddress', label: text('refund_address'), dir: 'ltr' },
      ...{ maxlength: 128, hint: text('refund_address_hint') },
    });
    const amount = this.context.format.coins(amountUnit, code);
    const values = await this.context.prompt({
      heading: this.text(`transactions.confirm.${action}.title`, { amount }),
      text: this.text(`transactions.confirm.${action}.text`, { amount }),
      fields: html`<div class="fields">
        ${action === 'reject' && type !== 'user' ? address : nothing}
        ${textField({ id: 'decision-reason', name: 'reason', label: text('reason'), maxlength: 255 })}
      </div>`,
      confirm: this.text(`transactions.action.${action}`),
      isDestructive: action === 'reject',
    });
    if (values === null) return;
    const reason = trimmedValue(values, 'reason');
    const refundAddress = trimmedValue(values, 'refundAddress');
    const body = { id, ...(reason && { reason }), ...(refundAddress && { refundAddress }) };
    await this.runAction(async () => {
      this.emit('transaction-changed', await this.context.api[`${action}CryptoTransaction`](body));
      this.context.announce(this.text(`transactions.done.${action}`));
    });
  }

  override render() {
    const { code, status, txId, amountRequiredUnit, amountUnit, labels, availableActions, link, walletAddress } =
      this.transaction;
    return this.view({
      reference: txId ?? this.text('transactions.crypto.unidentified'),
      address: txId === null ? walletAddress : null,
      amount: this.context.format.coins(amountRequiredUnit ?? amountUnit, code),
      status,
      listUrl: `${this.context.merchantPath('transactions')}?kind=crypto`,
      lead: labels.map((label) => html`<p class="page-lead">${this.text(`transactions.label_text.${label}`)}</p>`),
      actionDetails: (['approve', 'reject'] as const)
        .filter((action) => availableActions.includes(action) && hasScope(this.context, 'approval:write'))
        .map((action) => ({
          ...{ name: action, isMain: action === 'approve', icon: action === 'approve' ? 'check' : 'ban' },
          run: () => void this.#review(action),
        })),
      history: html`${status === 'pending' && txId !== null ? this.linkSection(link.payment) : nothing} ${this.#timelineSection()}
      ${this.#depositsSection()}`,
      details: html`${this.#amountsSection()} ${this.#factsSection()} ${this.metadataSection(this.transaction.metadata, 'crypto')}`,
    });
  }

  #timelineSection() {
    const { createdAt, updatedAt, payments, decision, status } = this.transaction;
    const entries: TimelineEntry[] = [
      { at: createdAt, title: this.text('transactions.timeline.created') },
      ...payments.map(({ seenAt: at, amount }) => ({
        at,
        title: this.text('transactions.crypto.detected', { amount: this.#formatCoins(amount) }),
      })),
    ];
    if (decision !== null) {
      const { at, isApproved, by, byName, reason: note } = decision;
      const key = isApproved ? 'approved_by' : 'rejected_by';
      entries.push({ at, title: this.text(`transactions.crypto.${key}`, { name: byName ?? by }), note });
    }
    entries.sort((one, other) => one.at.localeCompare(other.at));
    const tone = status === 'confirmed' || status === 'complete' ? 'good' : status === 'failed' ? 'bad' : undefined;
    if (status !== 'pending') entries.push({ at: updatedAt, title: statusText(status, this.i18n), tone });
    return this.timelineView(entries);
  }

  #depositsSection() {
    const { payments } = this.transaction;
    return this.detailSection(
      'payments',
      payments.length === 0
        ? html`<div class="panel panel-body"><p class="section-text">${this.text('transactions.crypto.no_payments')}</p></div>`
        : html`<div class="panel">${payments.map((payment) => this.#depositRow(payment))}</div>`,
      'crypto.payments',
    );
  }

  #depositRow({ txHash, amount, confirmations: count, decision, seenAt }: CryptoPayment) {
    const minConfirmations = this.transaction.minConfirmations;
    const depth =
      count === null
        ? this.text('transactions.crypto.reorged')
        : this.text('transactions.crypto.confirmations', {
            count: Math.min(count, minConfirmations),
            needed: minConfirmations,
          });
    const tone = decision === 'accepted' ? 'good' : decision === 'rejected' ? 'bad' : 'warn';
    return this.row(
      html`<span class="figure">${this.#formatCoins(amount)}</span>`,
      [
        txHash === ''
          ? this.text('transactions.crypto.no_hash')
          : copyable(txHash, this.text('transactions.crypto.hash'), this.i18n),
        html`${this.context.format.dateTime(seenAt)} · ${depth}`,
      ],
      tag(this.text(`statuses.deposit.${decision}`), tone),
    );
  }

  #amountsSection() {
    const { amountRequired, amount, amountDue, processingFee, exchangeRate, code } = this.transaction;
    const { format } = this.context;
    const overpayment = BigInt(amount) - BigInt(amountRequired ?? '0');
    const received: AmountLine = { name: 'received', minor: BigInt(amount) };
    const lines: AmountLine[] =
      amountRequired === null
        ? [received]
        : [
            { name: 'requested', minor: BigInt(amountRequired) },
            received,
            overpayment > 0n
              ? { name: 'overpaid', minor: overpayment, isTotal: true }
              : { name: 'due', minor: BigInt(amountDue), isTotal: true },
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
    const sum = this.amountLines(lines, (minor) => this.#formatCoins(minor));
    return this.detailSection('amounts', html`<div class="panel panel-body">${sum} ${rate}</div>`, 'amounts.title');
  }

  #factsSection() {
    const { format, merchantPath } = this.context;
    const {
      code,
      comment,
      walletAddress,
      walletType,
      createdAt,
      updatedAt,
      expiredAt,
      probableTxId,
      fiatTransactionId,
    } = this.transaction;
    const text = (key: string) => this.text(`transactions.${key}`);
    const entries = factList([
      [text('column.coin'), html`<span class="with-logo">${methodLogo(code)}${cryptoCurrencies[code].name}</span>`],
      [text('crypto.wallet'), copyable(walletAddress, text('crypto.wallet'), this.i18n)],
      [text('crypto.wallet_type'), text(`crypto.wallet_types.${walletType}`)],
      [text('crypto.comment'), comment && html`<span dir="auto">${comment}</span>`],
      [text('facts.created'), format.dateTime(createdAt)],
      [text('facts.changed'), format.dateTime(updatedAt)],
      [text('facts.expires'), expiredAt && format.dateTime(expiredAt)],
      [
        text('crypto.pays_for'),
        fiatTransactionId &&
          html`<a class="link" href=${merchantPath('transactions', fiatTransactionId)}><bdi>${fiatTransactionId}</bdi></a>`,
      ],
      [text('crypto.likely_match'), probableTxId && copyable(probableTxId, text('crypto.likely_match'), this.i18n)],
    ]);
    return this.detailSection('facts', html`<div class="panel panel-body">${entries}</div>`);
  }
}
