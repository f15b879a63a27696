import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { CryptoStatus, TransactionStatus } from '../../../client/api.ts';
import type { PaylatchError } from '../../../client/error.ts';
import { SANDBOX_RATES_SOURCE } from '../../../src/shared/sandbox-rates.ts';
import { AccountElement } from '../account-element.ts';
import { icon } from '../icons.ts';
import { button, notice, section, type Tone } from '../parts.ts';
import { asProblem, problemWords } from '../problems.ts';
import type { SumLine } from './sums.ts';
import { statusTag } from './status.ts';
import '../../checkout/elements/qr-code.ts';
import { copyButton } from '../copy-button.ts';

interface TransactionView {
  reference: string;
  amount: string;
  status: TransactionStatus | CryptoStatus;
  /** The list that it is in. */
  list: string;
  lead: unknown;
  actions: readonly { name: string; icon: string; isMain: boolean; run: () => void }[];
  story: unknown;
  details: unknown;
}

interface TimelineEntry {
  at: string;
  title: string;
  note?: string | null;
  tone?: Tone;
}

/**
 * A transaction of either kind: its page and what both kinds show in the same way.
 *
 * @fires transaction-changed - `detail` is the transaction as it is now, or null if it has to be read again
 */
export abstract class TransactionElement extends AccountElement {
  /** The list of its webhooks, where the user may see it. */
  @property({ attribute: false }) callbacks: unknown = nothing;

  @state() protected isBusy = false;
  @state() private problem: PaylatchError | null = null;

  /** Runs an action; a problem is shown above the page. */
  protected async run(act: () => Promise<void>) {
    this.isBusy = true;
    this.problem = null;
    try {
      await act();
      this.context.recount();
    } catch (error) {
      this.problem = asProblem(error);
      // Another user was first: their decision is shown at once.
      if (this.problem.status === 409) this.emit('transaction-changed', null);
    }
    this.isBusy = false;
  }

  /** The sources and the time of an exchange rate; nothing if it has none. */
  protected rateOrigin(sources: string | undefined, at: string | undefined) {
    if (sources === undefined || at === undefined) return nothing;
    const { format } = this.context;
    const isSandbox = sources === SANDBOX_RATES_SOURCE;
    return html`<p class="hint">
      ${
        isSandbox
          ? this.text('transactions.sum.rate_sandbox', { time: format.dayText(at) })
          : this.text('transactions.sum.rate_origin', { sources, time: format.momentText(at) })
      }
    </p>`;
  }

  protected view({ reference, amount, status, list, lead, actions, story, details }: TransactionView) {
    return html`<header class="transaction-head">
        <a class="back-link" href=${list}>${icon('chevron-left')}${this.text('shell.pages.transactions')}</a>
        <div class="transaction-title">
          <h1 tabindex="-1"><span class="visually-hidden">${reference}:</span> ${amount}</h1>
          ${statusTag(status, this.i18n)}
        </div>
        <p class="page-lead transaction-reference"><bdi>${reference}</bdi></p>
        ${lead}
      </header>
      ${
        actions.length === 0
          ? nothing
          : html`<div class="transaction-actions">
              ${actions.map(({ name, icon, isMain, run }) =>
                button(this.text(`transactions.action.${name}`), run, {
                  ...{ kind: isMain ? 'main' : undefined, icon, isDisabled: this.isBusy },
                }),
              )}
            </div>`
      }
      ${this.#problemNotice()}
      <div class="transaction-columns">
        <div class="transaction-column">${story}</div>
        <div class="transaction-column">${details}</div>
        ${this.callbacks}
      </div>`;
  }

  #problemNotice() {
    if (this.problem === null) return nothing;
    const i18n = problemWords(this.problem, this.i18n);
    return notice({ icon: 'triangle-alert', tone: 'bad', role: 'alert', ...i18n });
  }

  /** A section of the page: `name` is that of its texts and of its heading's ID. */
  protected block(name: string, content: unknown, heading = `${name}.title`): TemplateResult {
    return section(`${name}-heading`, this.text(`transactions.${heading}`), content);
  }

  /** The address that can be paid by, as long as it can. */
  protected linkPart(link: string, hint: unknown = nothing): TemplateResult {
    const title = this.text('transactions.link.title');
    return this.block(
      'link',
      html`<div class="panel panel-body link-panel">
        <qr-code .value=${link} .label=${this.text('transactions.link.code')}></qr-code>
        <div class="link-words">
          <p class="link-address"><a class="link" href=${link} target="_blank" rel="noopener" dir="ltr">${link}</a></p>
          ${copyButton(link, title, this.i18n)}
          ${hint}
        </div>
      </div>`,
    );
  }

  protected timelinePart(entries: readonly TimelineEntry[]): TemplateResult {
    return this.block(
      'timeline',
      html`<div class="panel panel-body">
        <ol class="timeline">
          ${entries.map(
            ({ at, title, note = null, tone }) => html`<li class="timeline-entry" data-tone=${tone ?? nothing}>
              <p class="timeline-title" dir="auto">${title}</p>
              ${note === null ? nothing : html`<p class="row-text" dir="auto">${note}</p>`}
              <p class="row-text">${this.context.format.moment(at)}</p>
            </li>`,
          )}
        </ol>
      </div>`,
    );
  }

  /** A row of a list: a title, what there is to know, and its state. */
  protected row(title: unknown, lines: readonly unknown[], state: unknown, sign: unknown = nothing): TemplateResult {
    return html`<div class="row row-wraps">
      ${sign}
      <div class="row-words">
        <span class="row-title">${title}</span>
        ${lines.map((line) => (line === null ? nothing : html`<span class="row-text" dir="auto">${line}</span>`))}
      </div>
      ${state}
    </div>`;
  }

  protected sum(lines: readonly SumLine[], money: (minor: bigint) => string): TemplateResult {
    return html`<dl class="sum">
      ${lines.map(
        ({ name, minor, isSum }) => html`<div class="sum-line ${isSum && lines.length > 1 ? 'sum-total' : ''}">
          <dt>${this.text(`transactions.sum.${name}`)}</dt>
          <dd>${minor < 0n ? `−${money(-minor)}` : money(minor)}</dd>
        </div>`,
      )}
    </dl>`;
  }
}
