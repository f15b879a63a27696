import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { TransactionDetail } from '../../../client/api.ts';
import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import { lineItemMinor, type PricedItem } from '../../../src/shared/line-items.ts';
import { minorUnitsOf } from '../../../src/shared/minor-units.ts';
import { amountText, toMinor } from '../amounts.ts';
import { hasScope } from '../context.ts';
import { copyable } from '../copy-button.ts';
import { button, factList, tag } from '../parts.ts';
import { sendLink } from '../send-link.ts';
import { methodLogo, nameOfMethod } from './methods.ts';
import { acquirerLine } from './acquirer-line.ts';
import { cardCheckLines } from './card-checks.ts';
import { type FiatAction, actionRequest, actionPrompt, operationOf } from './fiat-actions.ts';
import { authorizationFacts, authorizationTexts } from './authorization.ts';
import { isPartiallyCaptured, shownOutcome, shownStatus } from './outcome.ts';
import { paymentFacts } from './payment-facts.ts';
import { timelineEntries } from './payment-timeline.ts';
import { requestedLines, netAmountLines, amountAfterRefunds, signedText } from './amount-lines.ts';
import { TransactionElement } from './transaction-element.ts';
import { brandMark } from '../../checkout/elements/brand-mark.ts';
import { brandName } from './brands.ts';

const actionDetails = {
  capture: ['approval:write', 'check'],
  void: ['approval:write', 'undo-2'],
  accept: ['approval:write', 'check'],
  reject: ['approval:write', 'x'],
  reject_out_of_band: ['approval:write', 'x'],
  refund: ['approval:write', 'undo-2'],
  refund_out_of_band: ['approval:write', 'undo-2'],
  renew: ['link:write', 'rotate-ccw'],
  cancel: ['link:write', 'ban'],
} as const;

/** One transaction of a payment link: its history, its amounts and its actions. */
@customElement('fiat-transaction')
export class FiatTransaction extends TransactionElement {
  @property({ attribute: false }) detail!: TransactionDetail;

  readonly #formatMoney = (minor: bigint) => {
    const { currency } = this.detail;
    return this.context.format.money(amountText(minor, currency), currency);
  };

  async #confirmAndRun(action: FiatAction) {
    if (this.isBusy) return;
    const values = await this.context.prompt(actionPrompt(action, this.detail, this.context));
    const body = values && actionRequest(action, this.detail, values, this.context);
    if (!body) return;
    const { api, announce } = this.context;
    await this.runAction(async () => {
      const operation = operationOf(action);
      if (operation === 'renew') {
        await api.renewTransaction(body);
        this.emit('transaction-changed', null);
        announce(this.text('transactions.done.renew'));
        return;
      }
      const updated = await api[`${operation}Transaction`](body);
      this.emit('transaction-changed', updated);
      const hasFailedRefund = operation === 'reject' && amountAfterRefunds(updated) > 0n;
      const isOutOfBand = operation === 'refund' && body.out_of_band === true;
      const done = isOutOfBand ? 'out_of_band' : hasFailedRefund ? 'reject_refund_failed' : operation;
      announce(this.text(`transactions.done.${done}`));
    });
  }

  override render() {
    const { transaction_id: reference, status, amount, currency, link, expires_at: expires } = this.detail;
    const isFinal =
      status === 'transaction_status_failed' ||
      status === 'transaction_status_confirmed' ||
      shownStatus(status, this.detail.authorization?.status) === 'authorized';
    const send = () => void sendLink(this.context, reference, this.detail.payer?.email ?? '');
    const canSend = this.context.account?.sendsEmail && hasScope(this.context, 'link:write');
    const expiryHint = html`${canSend ? button(this.text('send_link.button'), send, { icon: 'mail' }) : nothing}<p class="hint">${this.text('transactions.link.expires')} ${this.context.format.dateTime(expires)}</p>`;
    const isPartial = isPartiallyCaptured(this.detail);
    const received = toMinor(this.detail.amount_received, currency);
    const kept = amountAfterRefunds(this.detail);
    const { captured, amount: authorized } = authorizationTexts(this.detail, this.context);
    return this.view({
      reference,
      amount: isPartial ? captured : this.#formatMoney(toMinor(amount, currency)),
      total: isPartial ? this.text('transactions.of_amount', { amount: authorized }) : null,
      status: shownOutcome(status, this.detail.authorization?.status, { isPartial, received, kept }),
      listUrl: this.context.merchantPath('transactions'),
      lead: this.#statusSentence(),
      actionDetails: this.#permittedActions.map((action) => ({
        name: action,
        icon: actionDetails[action][1],
        isMain: action === 'capture' || action === 'accept' || action === 'renew',
        run: () => void this.#confirmAndRun(action),
      })),
      history: html`${isFinal ? nothing : this.linkSection(link, expiryHint)} ${this.timelineView(timelineEntries(this.detail, this.context))} ${this.#attemptsSection()}
      ${this.#instructionsSection()} ${this.#itemsSection()} ${this.#amountsSection()}`,
      details: html`${this.#decisionSection()} ${this.#authorizationSection()} ${this.#refundsSection()} ${this.#disputesSection()} ${this.#factsSection()} ${this.metadataSection(this.detail.metadata, 'fiat')}`,
    });
  }

  #statusSentence() {
    const { decision, reason, late, status } = this.detail;
    const hasFailedRefund = reason === 'rejected' && amountAfterRefunds(this.detail) > 0n;
    const isOutOfBand = reason === 'rejected' && this.detail.refunds.at(-1)?.out_of_band;
    const rejected = hasFailedRefund ? 'rejected_refund_failed' : isOutOfBand ? 'rejected_out_of_band' : reason;
    const outcome = decision?.is_approved && status === 'transaction_status_confirmed' ? 'accepted' : rejected;
    const shown = shownStatus(status, this.detail.authorization?.status).replace('transaction_status_', '');
    const current = isPartiallyCaptured(this.detail) ? 'partially_captured' : shown;
    const key = this.#endOfAuthorization ?? outcome ?? (late ? 'late' : current);
    if (key === 'confirmed' && this.detail.refunds.some(({ state }) => state === 'succeeded')) return nothing;
    return html`<p class="page-lead">${this.text(`transactions.summary.${key}`, authorizationTexts(this.detail, this.context))} ${this.#reviewHint()}</p>`;
  }

  /** Text key for a payment that failed because its authorization was voided or expired; null for other payments. */
  get #endOfAuthorization(): string | null {
    const { authorization, status } = this.detail;
    const hasEnded = authorization?.status === 'voided' || authorization?.status === 'expired';
    return hasEnded && status === 'transaction_status_failed' ? `authorization_${authorization.status}` : null;
  }

  /** The user's options for a payment awaiting review. */
  #reviewHint() {
    const { available_actions: available } = this.detail;
    const reject = available.find((action) => operationOf(action) === 'reject');
    if (reject === undefined) return nothing;
    const permitted = this.#permittedActions;
    if (!permitted.includes(reject)) return this.text('transactions.summary.in_review');
    return this.text(`transactions.summary.${permitted.includes('accept') ? 'can_review' : 'can_refund'}`);
  }

  get #permittedActions(): FiatAction[] {
    const { available_actions: available } = this.detail;
    return (Object.keys(actionDetails) as FiatAction[]).filter(
      (action) => available.includes(action) && hasScope(this.context, actionDetails[action][0]),
    );
  }

  #decisionSection() {
    const { decision } = this.detail;
    if (decision === undefined) return nothing;
    const { is_approved: isApproved, by, by_name: name, reason, at } = decision;
    const title = this.text(`transactions.review.${isApproved ? 'accepted' : 'rejected'}_by`, { name: name ?? by });
    const note = reason && html`<span class="decision-reason">${reason}</span>`;
    const row = this.row(html`<span dir="auto">${title}</span>`, [note, this.context.format.dateTime(at)], nothing);
    return this.detailSection('review', html`<div class="panel">${row}</div>`);
  }

  #attemptsSection() {
    const { attempts } = this.detail;
    if (attempts.length === 0) return nothing;
    const rows = attempts.map((attempt) => {
      const { brand, last4, state, decline, three_d_secure: is3d, created_at: at } = attempt;
      const name = brand === null ? this.text('transactions.attempts.card') : brandName(brand);
      return this.row(
        html`<bdi>${name} ••••\u00a0${last4}</bdi>`,
        [
          decline ? this.#textOr(`transactions.decline.${decline.code}`, decline.code) : null,
          html`${this.context.format.dateTime(at)} ·
          ${this.text(`transactions.attempts.${is3d ? 'with_3ds' : 'without_3ds'}`)}`,
          acquirerLine(attempt, this.i18n),
          ...cardCheckLines(attempt, this.i18n),
          decline?.advice === 'do_not_retry' ? this.text('transactions.decline.do_not_retry') : null,
        ],
        tag(
          this.#textOr(`statuses.attempt.${state}`, state),
          state === 'approved' ? 'good' : state === 'declined' ? 'bad' : 'warn',
        ),
        brandMark(brand, name),
      );
    });
    return this.detailSection('attempts', html`<div class="panel">${rows}</div>`);
  }

  #textOr(key: string, fallback: string) {
    return this.i18n.has(`account.${key}`) ? this.text(key) : fallback.replaceAll('_', ' ');
  }

  #instructionsSection() {
    const { instructions } = this.detail;
    if (instructions.length === 0) return nothing;
    const rows = instructions.map(
      ({ payment_method: method, choice, state, reference, created_at: at, confirmations: count }) =>
        this.row(
          html`${nameOfMethod(method, this.i18n)}${choice === null ? nothing : html` · <bdi>${choice}</bdi>`}`,
          [
            reference && copyable(reference, this.text('transactions.column.reference'), this.i18n),
            html`${this.context.format.dateTime(at)}
            ${count === null ? nothing : html` · ${this.text('transactions.confirmations', { count })}`}`,
          ],
          tag(
            this.#textOr(`statuses.instructions.${state}`, state),
            state === 'paid' ? 'good' : state === 'issued' ? 'warn' : 'plain',
          ),
          methodLogo(choice !== null && choice in cryptoCurrencies ? choice : method),
        ),
    );
    return this.detailSection('instructions', html`<div class="panel">${rows}</div>`);
  }

  #itemsSection() {
    const { line_items: items, currency } = this.detail;
    if (!items) return nothing;
    const money = (item: PricedItem) =>
      signedText(lineItemMinor(item, minorUnitsOf(currency)) ?? 0n, this.#formatMoney);
    const rows = items.map(({ name, quantity = 1, unit_amount }) =>
      this.row(
        html`<span dir="auto">${name}</span>`,
        [quantity === 1 ? null : `${this.context.format.number(quantity)} × ${money({ unit_amount })}`],
        html`<span class="figure">${money({ quantity, unit_amount })}</span>`,
      ),
    );
    return this.detailSection('items', html`<div class="panel">${rows}</div>`);
  }

  #amountsSection() {
    const { detail } = this;
    const { format } = this.context;
    const { additional_currency: other, currency, rate, amount } = detail;
    const netLines = netAmountLines(detail);
    const requested = requestedLines(detail);
    // A single amount that the next line repeats.
    const isRepeated = requested.length === 1 && requested[0]?.minor === netLines[0]?.minor;
    const rateHint = () =>
      html`<p class="hint">
        ${this.text('transactions.amounts.rate', {
          amount: format.money(amount, currency),
          other: format.money(Number((amount * rate).toFixed(minorUnitsOf(other))), other),
        })}
      </p>
      ${this.rateOrigin(detail.rate_source, detail.rate_at)}`;
    return this.detailSection(
      'amounts',
      html`<div class="panel panel-body">
        ${isRepeated ? nothing : this.amountLines(requested, this.#formatMoney)}
        ${netLines.length === 0 ? nothing : this.amountLines(netLines, this.#formatMoney)}
        ${other === currency ? nothing : rateHint()} ${this.#feeHint()}
      </div>`,
      'amounts.title',
    );
  }

  /** The agreed fee, without parts that are zero. */
  #feeHint() {
    const { merchant_fee_fix: fix, merchant_fee_percent: percent, currency } = this.detail;
    if (fix === 0 && percent === 0) return nothing;
    const key = fix === 0 ? 'fee_terms_percent' : percent === 0 ? 'fee_terms_fix' : 'fee_terms';
    const values = { fix: this.context.format.money(fix, currency), percent };
    return html`<p class="hint">${this.text(`transactions.amounts.${key}`, values)}</p>`;
  }

  #authorizationSection() {
    const { authorization } = this.detail;
    const facts = authorization && authorizationFacts(authorization, this.context);
    if (!facts) return nothing;
    return this.detailSection('authorization', html`<div class="panel panel-body">${facts}</div>`);
  }

  #refundsSection() {
    const { refunds, currency } = this.detail;
    if (refunds.length === 0) return nothing;
    const rows = refunds.map(({ amount, state, failure, out_of_band: isOutOfBand, updated_at: at }) =>
      this.row(
        html`<span class="figure">${this.#formatMoney(toMinor(amount, currency))}</span>`,
        [failure ? failure.detail || failure.code : null, this.context.format.dateTime(at)],
        tag(
          this.text(isOutOfBand ? 'transactions.refunds.out_of_band' : `statuses.refund.${state}`),
          state === 'succeeded' ? 'good' : state === 'failed' ? 'bad' : 'warn',
        ),
      ),
    );
    return this.detailSection('refunds', html`<div class="panel">${rows}</div>`);
  }

  #disputesSection() {
    const { disputes } = this.detail;
    if (disputes.length === 0) return nothing;
    const rows = disputes.map(({ amount, currency, state, reason, reason_code: code, respond_by: deadline }) =>
      this.row(
        html`<span class="figure">${this.context.format.money(amount, currency)}</span>`,
        [
          [reason, code].filter(Boolean).join(' · ') || null,
          (state === 'needs_response' || state === 'inquiry') && deadline !== null
            ? html`${this.text('transactions.disputes.respond_by')} ${this.context.format.dateTime(deadline)}`
            : null,
        ],
        tag(
          this.text(`statuses.dispute.${state}`),
          state === 'won' ? 'good' : state === 'lost' || state === 'needs_response' ? 'bad' : 'warn',
        ),
      ),
    );
    return this.detailSection('disputes', html`<div class="panel">${rows}</div>`);
  }

  #factsSection() {
    const facts = factList(paymentFacts(this.detail, this.context));
    return this.detailSection('facts', html`<div class="panel panel-body">${facts}</div>`);
  }
}
