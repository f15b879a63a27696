import { html, nothing, type TemplateResult } from 'lit';
import type { TextValues } from '../../checkout/elements/i18n.ts';
import type { AccountContext } from '../context.ts';
import { checkField } from '../choices.ts';
import { icon } from '../icons.ts';
import { button, iconButton } from '../parts.ts';
import type { Verdict } from './decide.ts';
import { type Result, ReviewWords } from './review-words.ts';
import type { Waiting } from './waiting.ts';

interface QueueRow {
  context: AccountContext;
  /** The decision of another user, until the row leaves. */
  gone: Result | undefined;
  isBusy: boolean;
  isSelected: boolean;
  select: (isSelected: boolean) => void;
  decide: (verdict: Verdict) => void;
  focus: () => void;
}

/** A payment in the review queue. */
export function queueRow(
  waiting: Waiting,
  { context, gone, isBusy, isSelected, select, decide, focus }: QueueRow,
): TemplateResult {
  const { format, merchantPath } = context;
  const review = new ReviewWords(context);
  const text = (key: string, values?: TextValues) => context.i18n.text(`account.${key}`, values);
  const { key, kind, came, at, reference, id, meantFor } = waiting;
  const amount = review.money(waiting, came);
  return html`<li
      class="queue-row"
      data-key=${key}
      tabindex="-1"
      ?data-leaving=${gone !== undefined}
      ?data-selected=${isSelected}
      aria-busy=${isBusy ? 'true' : nothing}
      @focusin=${focus}
    >
      ${checkField({
        ...{ isChecked: isSelected, isDisabled: gone !== undefined || isBusy, onChange: select },
        text: html`<span class="visually-hidden">${text('decisions.select', { what: `${amount} ${reference ?? ''}` })}</span>`,
      })}
      <div class="queue-words">
        <p class="queue-amount">
          <span>${amount}</span> ${review.difference(waiting)}
        </p>
        <p class="queue-tags">${review.tags(waiting)}</p>
        <p class="row-text">
          ${review.asked(waiting)} · ${format.relativeTime(at)}
        </p>
        <p class="row-text">
          <a class="link" href=${kind === 'crypto' ? `${merchantPath('transactions', id)}?kind=crypto` : merchantPath('transactions', id)}
            ><bdi>${reference ?? text('decisions.unidentified')}</bdi></a
          >
          ${
            meantFor === null
              ? nothing
              : html` · ${text('decisions.meant_for')}
                  <a class="link" href=${`${merchantPath('transactions')}?kind=crypto&search=${encodeURIComponent(meantFor)}`}><bdi>${meantFor}</bdi></a>`
          }
        </p>
        ${gone === undefined ? nothing : html`<p class="queue-gone">${icon('info')}<span>${review.outcome(gone)}</span></p>`}
      </div>
      ${
        gone === undefined
          ? html`<div class="queue-actions">
              ${
                waiting.canReject
                  ? button(text('decisions.reject'), () => decide('reject'), {
                      icon: 'x',
                      name: text('decisions.reject_what', { amount }),
                      isDisabled: isBusy,
                    })
                  : nothing
              }
              ${button(text('decisions.accept'), () => decide('accept'), { kind: 'main', icon: 'check', name: text('decisions.accept_what', { amount }), isDisabled: isBusy })}
            </div>`
          : nothing
      }
    </li>`;
}

/** The results of a decision about several payments, or of one that failed. */
export function resultsPanel(results: readonly Result[], context: AccountContext, close: () => void) {
  if (results.length === 0) return nothing;
  const review = new ReviewWords(context);
  const tones = { done: 'good', decided: 'warn', kept: 'bad', failed: 'bad' } as const;
  const icons = { done: 'circle-check', decided: 'users', kept: 'circle-alert', failed: 'circle-alert' } as const;
  return html`<section class="panel results">
      <div class="results-head">
        <h2 class="section-heading results-heading" tabindex="-1">${review.summary(results)}</h2>
        ${iconButton('x', context.i18n.text('account.shell.close'), close)}
      </div>
      <ul>
        ${results.map((result) => {
          const { waiting, outcome } = result;
          return html`<li class="result" data-tone=${tones[outcome.state]}>
            ${icon(icons[outcome.state])}
            <span class="result-amount">${review.money(waiting, waiting.came)}</span>
            <span class="result-words"><bdi>${waiting.reference ?? ''}</bdi> ${review.outcome(result)}</span>
          </li>`;
        })}
      </ul>
    </section>`;
}
