import { html, nothing, type TemplateResult } from 'lit';
import type { TextValues } from '../../checkout/elements/i18n.ts';
import type { AccountContext } from '../context.ts';
import { checkField } from '../choices.ts';
import { icon } from '../icons.ts';
import { button, iconButton } from '../parts.ts';
import { methodCell } from '../transactions/method-cell.ts';
import type { ReviewAction } from './submit-review.ts';
import { type ReviewResult, ReviewTexts } from './review-texts.ts';
import { totalsByCurrency, type PendingReview } from './pending-reviews.ts';

interface QueueRow {
  context: AccountContext;
  /** The decision of another user, shown until the row is removed. */
  otherDecision: ReviewResult | undefined;
  isBusy: boolean;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
  onReview: (action: ReviewAction) => void;
  onFocus: () => void;
}

/** A payment in the review queue. */
export function queueRow(
  payment: PendingReview,
  { context, otherDecision, isBusy, isSelected, onSelect, onReview, onFocus }: QueueRow,
): TemplateResult {
  const { format, merchantPath } = context;
  const reviewTexts = new ReviewTexts(context);
  const text = (key: string, values?: TextValues) => context.i18n.text(`account.${key}`, values);
  const { key, kind, received, at, reference, id, probableTxId, method, card, payer } = payment;
  const amount = reviewTexts.amount(payment, received);
  return html`<li
      class="queue-row"
      data-key=${key}
      tabindex="-1"
      ?data-leaving=${otherDecision !== undefined}
      ?data-selected=${isSelected}
      aria-busy=${isBusy ? 'true' : nothing}
      @focusin=${onFocus}
    >
      ${checkField({
        ...{ isChecked: isSelected, isDisabled: otherDecision !== undefined || isBusy, onChange: onSelect },
        text: html`<span class="visually-hidden">${text('reviews.select', { what: `${amount} ${reference ?? ''}` })}</span>`,
      })}
      <div class="queue-content">
        <p class="queue-amount">
          <span>${amount}</span> ${reviewTexts.difference(payment)} <span class="queue-tags">${reviewTexts.tags(payment)}</span>
        </p>
        <p class="row-text queue-facts">
          <span>${reviewTexts.requested(payment)}</span>
          <span>${format.relativeTime(at)}</span>
          <span class="queue-method">${methodCell(method, card, context.i18n)}</span>
          ${payer ? html`<span class="queue-payer" dir="auto" title=${payer.email ?? ''}>${payer.name ?? payer.email}</span>` : nothing}
          <a class="link" href=${kind === 'crypto' ? `${merchantPath('transactions', id)}?kind=crypto` : merchantPath('transactions', id)}
            ><bdi>${reference ?? text('reviews.view')}</bdi></a
          >
          ${
            probableTxId === null
              ? nothing
              : html`<span
                  >${text('reviews.likely_match')}
                  <a class="link" href=${`${merchantPath('transactions')}?kind=crypto&search=${encodeURIComponent(probableTxId)}`}><bdi>${probableTxId}</bdi></a></span
                >`
          }
        </p>
        ${otherDecision === undefined ? nothing : html`<p class="queue-outcome">${icon('info')}<span>${reviewTexts.outcome(otherDecision)}</span></p>`}
      </div>
      ${
        otherDecision === undefined
          ? html`<div class="queue-actions">
              ${
                payment.canReject
                  ? button(text('reviews.reject'), () => onReview('reject'), {
                      icon: 'x',
                      name: text('reviews.reject_amount', { amount }),
                      isDisabled: isBusy,
                    })
                  : nothing
              }
              ${button(text('reviews.accept'), () => onReview('accept'), { kind: 'primary', icon: 'check', name: text('reviews.accept_amount', { amount }), isDisabled: isBusy })}
            </div>`
          : nothing
      }
    </li>`;
}

/** The results of a review of several payments, or of a review that failed. */
export function resultsPanel(results: readonly ReviewResult[], context: AccountContext, onClose: () => void) {
  if (results.length === 0) return nothing;
  const reviewTexts = new ReviewTexts(context);
  const tones = { done: 'good', already_reviewed: 'warn', refund_failed: 'bad', failed: 'bad' } as const;
  const icons = {
    done: 'circle-check',
    already_reviewed: 'users',
    refund_failed: 'circle-alert',
    failed: 'circle-alert',
  } as const;
  return html`<section class="panel results">
      <div class="results-head">
        <h2 class="section-heading results-heading" tabindex="-1">${reviewTexts.summary(results)}</h2>
        ${iconButton('x', context.i18n.text('account.shell.close'), onClose)}
      </div>
      <ul>
        ${results.map((result) => {
          const { payment, outcome } = result;
          return html`<li class="result" data-tone=${tones[outcome.state]}>
            ${icon(icons[outcome.state])}
            <span class="result-amount">${reviewTexts.amount(payment, payment.received)}</span>
            <span class="result-text"><bdi>${payment.reference ?? ''}</bdi> ${reviewTexts.outcome(result)}</span>
          </li>`;
        })}
      </ul>
    </section>`;
}

/** Callbacks and state of the selection bar. */
interface SelectionBar {
  context: AccountContext;
  isBusy: boolean;
  onClear: () => void;
  onReview: (action: ReviewAction) => void;
}

/** Actions for the selected payments, at the bottom of the screen. */
export function selectionBar(
  rows: readonly PendingReview[],
  { context, isBusy, onClear, onReview }: SelectionBar,
): TemplateResult | typeof nothing {
  if (rows.length === 0) return nothing;
  const reviewTexts = new ReviewTexts(context);
  const text = (key: string, values?: TextValues) => context.i18n.text(`account.reviews.${key}`, values);
  return html`<div class="queue-bar" role="group" aria-label=${text('selected', { count: rows.length })}>
      <p class="queue-bar-summary">
        <strong>${text('selected', { count: rows.length })}</strong>
        <span>${totalsByCurrency(rows).map((total) => html`<span>${reviewTexts.amount(total, total.received)}</span>`)}</span>
      </p>
      ${iconButton('x', text('clear'), onClear)}
      <div class="queue-bar-actions">
        ${
          rows.some(({ canReject }) => canReject)
            ? button(text('reject'), () => onReview('reject'), { isDisabled: isBusy })
            : nothing
        }
        ${button(text('accept'), () => onReview('accept'), { kind: 'primary', isDisabled: isBusy })}
      </div>
    </div>`;
}
