import { html, nothing } from 'lit';
import type { AccountContext, Prompt } from '../context.ts';
import { textField } from '../fields.ts';
import { tag } from '../parts.ts';
import { problemText } from '../problems.ts';
import { outOfBandField } from '../transactions/out-of-band.ts';
import type { ReviewOutcome, ReviewAction } from './submit-review.ts';
import { reviewAmountText, totalsByCurrency, type PendingReview } from './pending-reviews.ts';

export interface ReviewResult {
  payment: PendingReview;
  action: ReviewAction;
  outcome: ReviewOutcome;
}

/** Text for the review queue. */
export class ReviewTexts {
  readonly #context: AccountContext;

  constructor(context: AccountContext) {
    this.#context = context;
  }

  text(key: string, values?: Readonly<Record<string, string | number>>): string {
    return this.#context.i18n.text(`account.${key}`, values);
  }

  amount(total: Pick<PendingReview, 'kind' | 'currency'>, amount: bigint): string {
    return reviewAmountText(total, amount, this.#context.format);
  }

  requested(payment: PendingReview): string {
    const { requested } = payment;
    if (requested === null) return this.text('reviews.no_amount');
    return this.text('reviews.requested', { amount: this.amount(payment, requested) });
  }

  difference(payment: PendingReview) {
    const { received, requested } = payment;
    const deviation = deviationOf(payment);
    if (requested === null || deviation === null) return nothing;
    const isUnderpaid = deviation === 'underpaid';
    const amount = this.amount(payment, isUnderpaid ? requested - received : received - requested);
    const tone = isUnderpaid ? 'bad' : 'warn';
    return html`<span class="queue-difference" data-tone=${tone}>
      ${this.text(isUnderpaid ? 'reviews.short' : 'reviews.over', { amount })}
    </span>`;
  }

  /** Reasons for the review, except an underpayment or overpayment that `difference` shows with its amount. */
  tags(payment: PendingReview) {
    const { labels, reference, received, requested } = payment;
    const deviation = deviationOf(payment);
    const tagTexts = labels
      .filter((label) => label !== deviation)
      .map((label) =>
        this.#context.i18n.has(`account.reviews.labels.${label}`) ? this.text(`reviews.labels.${label}`) : label,
      );
    if (reference === null && labels.length === 0) tagTexts.push(this.text('reviews.labels.unidentified'));
    if (tagTexts.length === 0 && received === requested) tagTexts.push(this.text('reviews.labels.exact'));
    return tagTexts.map((text) => tag(text, 'warn'));
  }

  outcome({ action, outcome }: ReviewResult): string {
    if (outcome.state === 'done') return this.text(`reviews.done_${action}`);
    if (outcome.state === 'refund_failed') return this.text('reviews.refund_failed');
    if (outcome.state === 'failed') {
      const { problem } = outcome;
      const field = problem.errors[0]?.detail;
      const { heading, text } = problemText(problem, this.#context.i18n);
      return this.text('reviews.failed', { why: field ?? `${heading}. ${text}` });
    }
    const { by, action: otherAction, reason } = outcome;
    if (otherAction === null) return this.text('reviews.already_reviewed');
    const sentence =
      by === null || otherAction === 'paid'
        ? this.text(`reviews.already_${otherAction}`)
        : this.text(`reviews.already_${otherAction}_by`, { name: by });
    return reason === null || reason === '' ? sentence : `${sentence} ${this.text('reviews.reason_given', { reason })}`;
  }

  summary(results: readonly ReviewResult[]): string {
    const count = (name: ReviewOutcome['state']) => results.filter(({ outcome }) => outcome.state === name).length;
    const parts = (['done', 'already_reviewed', 'refund_failed', 'failed'] as const).filter((name) => count(name) > 0);
    return parts.map((name) => this.text(`reviews.summary_${name}`, { count: count(name) })).join(' ');
  }

  /**
   * The prompt before a review of `rows`; `skippedCount` selected payments cannot be rejected. `isUnrefundable`: no
   * acquirer can refund any of `rows`.
   */
  prompt(
    action: ReviewAction,
    rows: readonly PendingReview[],
    { skippedCount, isUnrefundable }: { skippedCount: number; isUnrefundable: boolean },
  ): Prompt {
    const [first] = rows;
    const count = rows.length;
    const isRefundOffered = action === 'reject' && count === 1 && first?.canRefund;
    const isFiatRejection = action === 'reject' && rows.every(({ kind }) => kind === 'fiat');
    const totals = totalsByCurrency(rows).map((total) => this.amount(total, total.received));
    const consequence = isUnrefundable
      ? this.text('transactions.confirm.reject_out_of_band.text', { amount: totals.join(' + ') })
      : this.text(`reviews.${action === 'accept' ? 'accept_text' : rejectionText(rows)}`);
    return {
      heading: this.text(`reviews.${action}_title`, { count }),
      text: html`<ul class="totals">
          ${totals.map((total) => html`<li>${total}</li>`)}
        </ul>
        <p>${consequence}</p>
        ${skippedCount === 0 ? nothing : html`<p>${this.text('reviews.not_rejectable', { count: skippedCount })}</p>`}`,
      fields: html`<div class="fields">
            ${textField({
              ...{ id: 'decision-reason', name: 'reason', label: this.text('reviews.reason'), maxlength: 255 },
              hint: this.text('reviews.reason_hint'),
            })}
            ${
              isRefundOffered
                ? textField({
                    ...{ id: 'decision-refund', name: 'refundAddress', maxlength: 128, dir: 'ltr' },
                    label: this.text('reviews.refund', { currency: first.currency.toUpperCase() }),
                    hint: this.text('reviews.refund_hint'),
                  })
                : nothing
            }
            ${isFiatRejection && !isUnrefundable ? outOfBandField(this.#context.i18n) : nothing}
          </div>`,
      confirm: this.text(`reviews.${action}`),
      isDestructive: action === 'reject',
    };
  }
}

/** How the received amount deviates from the requested one; null if it doesn't, or no amount was requested. */
function deviationOf({ received, requested }: PendingReview): 'underpaid' | 'overpaid' | null {
  if (requested === null || received === requested) return null;
  return received < requested ? 'underpaid' : 'overpaid';
}

/** Key of the text about the refund of rejected payments. */
function rejectionText(rows: readonly PendingReview[]): string {
  if (rows.every(({ kind }) => kind === 'crypto')) return 'reject_text';
  return rows.every(({ kind }) => kind === 'fiat') ? 'reject_text_fiat' : 'reject_text_both';
}
