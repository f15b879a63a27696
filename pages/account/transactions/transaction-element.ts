import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { PaylatchError } from '../../../client/error.ts';
import { SANDBOX_RATES_SOURCE } from '../../../src/shared/sandbox-rates.ts';
import { AccountElement } from '../account-element.ts';
import { backLink, button, factList, notice, section, type Tone } from '../parts.ts';
import { toProblem, problemText } from '../problems.ts';
import { type AmountLine, signedText } from './amount-lines.ts';
import { formatListQuery, type Kind } from './filters.ts';
import { type ShownStatus, statusTag } from './status.ts';
import '../../checkout/elements/qr-code.ts';
import { copyable, copyButton } from '../copy-button.ts';

interface TransactionView {
  reference: string;
  /** Copied instead of the reference of a deposit without one. */
  address?: string | null;
  amount: string;
  /** Text of the whole amount if `amount` is a part of it. */
  total?: string | null;
  status: ShownStatus;
  /** URL of the list that contains it. */
  listUrl: string;
  lead: unknown;
  actionDetails: readonly { name: string; icon: string; isMain: boolean; run: () => void }[];
  history: unknown;
  details: unknown;
}

export interface TimelineEntry {
  at: string;
  title: string;
  note?: string | null;
  tone?: Tone | undefined;
}

/**
 * Base of fiat and crypto transactions: the layout of the page and shared sections.
 *
 * @fires transaction-changed - `detail` is the changed transaction, or null if it must be read again
 */
export abstract class TransactionElement extends AccountElement {
  /** The list of webhooks, if the user may see it. */
  @property({ attribute: false }) callbacks: unknown = nothing;

  @state() protected isBusy = false;
  @state() private problem: PaylatchError | null = null;

  /** Runs an action; a problem is shown above the page. */
  protected async runAction(action: () => Promise<void>) {
    this.isBusy = true;
    this.problem = null;
    try {
      await action();
      this.context.refreshReviewCount();
    } catch (error) {
      this.problem = toProblem(error);
      // Another user was first: show their decision.
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
          ? this.text('transactions.amounts.rate_sandbox', { time: format.dateText(at) })
          : this.text('transactions.amounts.rate_origin', { sources, time: format.dateTimeText(at) })
      }
    </p>`;
  }

  protected view({
    reference,
    address = null,
    amount,
    total = null,
    status,
    listUrl,
    lead,
    actionDetails,
    history,
    details,
  }: TransactionView) {
    return html`<header class="transaction-head">
        ${backLink(listUrl, this.text('shell.pages.transactions'))}
        <div class="transaction-title">
          <h1 tabindex="-1"><span class="visually-hidden">${reference}:</span> ${amount}</h1>
          ${statusTag(status, this.i18n)}
        </div>
        ${total === null ? nothing : html`<p class="page-lead tabular">${total}</p>`}
        <p class="page-lead transaction-reference">
          ${
            address === null
              ? copyable(
                  reference,
                  this.text('transactions.column.reference'),
                  this.i18n,
                  html`<bdi>${reference}</bdi>`,
                )
              : html`${reference} ${copyable(address, this.text('transactions.crypto.wallet'), this.i18n)}`
          }
        </p>
        ${lead}
      </header>
      ${
        actionDetails.length === 0
          ? nothing
          : html`<div class="transaction-actions">
              ${actionDetails.map(({ name, icon, isMain, run: runAction }) =>
                button(this.text(`transactions.action.${name}`), runAction, {
                  ...{ kind: isMain ? 'primary' : undefined, icon, isDisabled: this.isBusy },
                }),
              )}
            </div>`
      }
      ${this.#problemNotice()}
      <div class="transaction-columns">
        <div class="transaction-column">${history}</div>
        <div class="transaction-column">${details}</div>
        ${this.callbacks}
      </div>`;
  }

  #problemNotice() {
    if (this.problem === null) return nothing;
    const texts = problemText(this.problem, this.i18n);
    return notice({ icon: 'triangle-alert', tone: 'bad', role: 'alert', ...texts });
  }

  /** A section of the page; `name` is its locale key and the ID of its heading. */
  protected detailSection(name: string, content: unknown, heading = `${name}.title`): TemplateResult {
    return section(`${name}-heading`, this.text(`transactions.${heading}`), content);
  }

  /** The payment link, with a QR code. */
  protected linkSection(link: string, hint: unknown = nothing): TemplateResult {
    const title = this.text('transactions.link.title');
    return this.detailSection(
      'link',
      html`<div class="panel panel-body link-panel">
        <qr-code .value=${link} .label=${this.text('transactions.link.qr_label')}></qr-code>
        <div class="link-content">
          <p class="link-address"><a class="link" href=${link} target="_blank" rel="noopener" dir="ltr">${link}</a></p>
          ${copyButton(link, title, this.i18n)}
          ${hint}
        </div>
      </div>`,
    );
  }

  protected timelineView(entries: readonly TimelineEntry[]): TemplateResult {
    return this.detailSection(
      'timeline',
      html`<div class="panel panel-body">
        <ol class="timeline">
          ${entries.map(
            ({ at, title, note = null, tone }) => html`<li class="timeline-entry" data-tone=${tone ?? nothing}>
              <p class="timeline-title" dir="auto">${title}</p>
              ${note === null ? nothing : html`<p class="row-text" dir="auto">${note}</p>`}
              <p class="row-text">${this.context.format.dateTime(at)}</p>
            </li>`,
          )}
        </ol>
      </div>`,
    );
  }

  /** The metadata; each value links to the transactions with the same pair. */
  protected metadataSection(metadata: Readonly<Record<string, string>> | undefined, kind: Kind): unknown {
    if (metadata === undefined || Object.keys(metadata).length === 0) return nothing;
    const listUrl = (pair: string) =>
      this.context.merchantPath('transactions') +
      formatListQuery({ kind, order: 'newest', filters: { metadata: pair } });
    const entries = factList(
      Object.entries(metadata).map(([key, value]) => [
        html`<bdi>${key}</bdi>`,
        html`<a class="link" href=${listUrl(`${key}=${value}`)} dir="auto">${value}</a>`,
      ]),
    );
    return this.detailSection('metadata', html`<div class="panel panel-body">${entries}</div>`);
  }

  /** A row of a list: title, lines of text and state. */
  protected row(title: unknown, lines: readonly unknown[], state: unknown, image: unknown = nothing): TemplateResult {
    return html`<div class="row row-wraps">
      ${image}
      <div class="row-content">
        <span class="row-title">${title}</span>
        ${lines.map((line) => (line === null ? nothing : html`<span class="row-text" dir="auto">${line}</span>`))}
      </div>
      ${state}
    </div>`;
  }

  protected amountLines(lines: readonly AmountLine[], format: (minor: bigint) => string): TemplateResult {
    return html`<dl class="amount-lines">
      ${lines.map(
        ({
          name,
          minor,
          isTotal,
        }) => html`<div class="amount-line ${isTotal && lines.length > 1 ? 'amount-total' : ''}">
          <dt>${this.text(`transactions.amounts.${name}`)}</dt>
          <dd><bdi>${signedText(minor, format)}</bdi></dd>
        </div>`,
      )}
    </dl>`;
  }
}
