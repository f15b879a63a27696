import { html, nothing } from 'lit';
import type { AccountContext, Prompt } from '../context.ts';
import { textField } from '../fields.ts';
import { tag } from '../parts.ts';
import { problemText } from '../problems.ts';
import { outOfBandField } from '../transactions/out-of-band.ts';
import type { Outcome, Verdict } from './decide.ts';
import { moneyText, sumsOf, type Waiting } from './waiting.ts';

export interface Result {
  waiting: Waiting;
  verdict: Verdict;
  outcome: Outcome;
}

/** The words of the review queue. */
export class ReviewWords {
  readonly #context: AccountContext;

  constructor(context: AccountContext) {
    this.#context = context;
  }

  text(key: string, values?: Readonly<Record<string, string | number>>): string {
    return this.#context.i18n.text(`account.${key}`, values);
  }

  money(sum: Pick<Waiting, 'kind' | 'currency'>, amount: bigint): string {
    return moneyText(sum, amount, this.#context.format);
  }

  asked(waiting: Waiting): string {
    const { asked } = waiting;
    if (asked === null) return this.text('decisions.not_asked');
    return this.text('decisions.asked', { amount: this.money(waiting, asked) });
  }

  difference(waiting: Waiting) {
    const { came, asked } = waiting;
    if (asked === null || came === asked) return nothing;
    const isLess = came < asked;
    const amount = this.money(waiting, isLess ? asked - came : came - asked);
    const tone = isLess ? 'bad' : 'warn';
    return html`<span class="queue-difference" data-tone=${tone}>
      ${this.text(isLess ? 'decisions.less' : 'decisions.over', { amount })}
    </span>`;
  }

  tags({ labels, reference, came, asked }: Waiting) {
    const i18n = labels.map((label) =>
      this.#context.i18n.has(`account.decisions.labels.${label}`) ? this.text(`decisions.labels.${label}`) : label,
    );
    if (reference === null && labels.length === 0) i18n.push(this.text('decisions.labels.unidentified'));
    if (i18n.length === 0 && came === asked) i18n.push(this.text('decisions.labels.exact'));
    return i18n.map((word) => tag(word, 'warn'));
  }

  outcome({ verdict, outcome }: Result): string {
    if (outcome.state === 'done') return this.text(`decisions.done_${verdict}`);
    if (outcome.state === 'kept') return this.text('decisions.kept');
    if (outcome.state === 'failed') {
      const { problem } = outcome;
      const field = problem.errors[0]?.detail;
      const { heading, text } = problemText(problem, this.#context.i18n);
      return this.text('decisions.failed', { why: field ?? `${heading}. ${text}` });
    }
    const { by, verdict: other, reason } = outcome;
    if (other === null) return this.text('decisions.gone');
    const said =
      by === null || other === 'paid'
        ? this.text(`decisions.gone_${other}`)
        : this.text(`decisions.gone_${other}_by`, { name: by });
    return reason === null || reason === '' ? said : `${said} ${this.text('decisions.because', { reason })}`;
  }

  summary(results: readonly Result[]): string {
    const count = (name: Outcome['state']) => results.filter(({ outcome }) => outcome.state === name).length;
    const parts = (['done', 'decided', 'kept', 'failed'] as const).filter((name) => count(name) > 0);
    return parts.map((name) => this.text(`decisions.summary_${name}`, { count: count(name) })).join(' ');
  }

  /** The question before a decision about `rows`; `left` more cannot be rejected. */
  question(verdict: Verdict, rows: readonly Waiting[], left: number): Prompt {
    const [only] = rows;
    const count = rows.length;
    const isRefundable = verdict === 'reject' && count === 1 && only?.kind === 'crypto';
    const goesBack = verdict === 'reject' && rows.every(({ kind }) => kind === 'fiat');
    return {
      heading: this.text(`decisions.${verdict}_title`, { count }),
      text: html`<ul class="sums">
          ${sumsOf(rows).map((sum) => html`<li>${this.money(sum, sum.came)}</li>`)}
        </ul>
        <p>${this.text(`decisions.${verdict === 'accept' ? 'accept_text' : rejectionText(rows)}`)}</p>
        ${left === 0 ? nothing : html`<p>${this.text('decisions.left_out', { count: left })}</p>`}`,
      fields: html`<div class="fields">
            ${textField({
              ...{ id: 'decision-reason', name: 'reason', label: this.text('decisions.reason'), maxlength: 255 },
              hint: this.text('decisions.reason_hint'),
            })}
            ${
              isRefundable
                ? textField({
                    ...{ id: 'decision-refund', name: 'refundAddress', maxlength: 128, dir: 'ltr' },
                    label: this.text('decisions.refund', { currency: only.currency.toUpperCase() }),
                    hint: this.text('decisions.refund_hint'),
                  })
                : nothing
            }
            ${goesBack ? outOfBandField(this.#context.i18n) : nothing}
          </div>`,
      confirm: this.text(`decisions.${verdict}`),
      isDestructive: verdict === 'reject',
    };
  }
}

/** Where rejected money goes. */
function rejectionText(rows: readonly Waiting[]): string {
  if (rows.every(({ kind }) => kind === 'crypto')) return 'reject_text';
  return rows.every(({ kind }) => kind === 'fiat') ? 'reject_text_fiat' : 'reject_text_both';
}
