import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { Statistics } from '../../../client/api.ts';
import { AccountPage } from '../account-page.ts';
import { segmentedControl } from '../choices.ts';
import { loadView } from '../account-state.ts';
import { hasScope } from '../context.ts';
import { icon } from '../icons.ts';
import { listenTo } from '../listeners.ts';
import { Loader } from '../load.ts';
import './overview-figures.ts';
import { emptyState } from '../parts.ts';

const spans = [7, 30, 90] as const;
type Span = (typeof spans)[number];

interface Read {
  today: Statistics;
  /** Of the last `days`, which may be others than those that are asked for by now. */
  span: Statistics;
  days: Span;
  /** Nobody has paid or been asked to pay, ever. */
  isFirstDay: boolean;
}

const NEWS_MS = 1500;
const DAY_MS = 86_400_000;

/** How things stand: what waits for somebody, what has come, and what has not. */
@customElement('overview-page')
export class OverviewPage extends AccountPage {
  @state() private span: Span = 30;

  readonly #load = this.reloadOnUpdate(new Loader<Read>(this, async (signal) => await this.#read(signal), true), NEWS_MS);

  constructor() {
    super();
    listenTo(this, window, { popstate: () => this.#walked() });
  }

  override connectedCallback() {
    super.connectedCallback();
    this.span = spanOf(location.search);
    void this.#load.run();
  }

  #walked() {
    if (!location.pathname.endsWith('/overview')) return;
    const span = spanOf(location.search);
    if (span === this.span) return;
    this.span = span;
    void this.#load.run();
  }

  #choose(span: Span) {
    if (span === this.span) return;
    history.pushState({ scroll: 0 }, '', location.pathname + (span === 30 ? '' : `?days=${span}`));
    this.span = span;
    void this.#load.run();
  }

  async #read(signal: AbortSignal): Promise<Read> {
    const { api } = this.context;
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const statistics = async (days: number) =>
      await api.getStatistics({ since: dayBefore(days - 1), till: dayBefore(0), time_zone: timeZone }, { signal });
    const days = this.span;
    const [today, span] = await Promise.all([statistics(1), statistics(days)]);
    return { today, span, days, isFirstDay: span.total.count === 0 && (await this.#hasNothing(signal)) };
  }

  async #hasNothing(signal: AbortSignal) {
    const { api } = this.context;
    const [fiat, crypto] = await Promise.all([
      api.listTransactions({ per_page: 1 }, { signal }),
      api.listCryptoTransactions({ per_page: 1 }, { signal }),
    ]);
    return fiat.transactions.length === 0 && crypto.transactions.length === 0;
  }

  override render() {
    const isFirstDay = this.#load.value?.isFirstDay === true;
    return html`<header class="page-head">
        <h1 tabindex="-1">${this.text('shell.pages.overview')}</h1>
        ${isFirstDay ? nothing : this.#spans()}
      </header>
      ${loadView(this.#load, this.i18n, {
        skeleton: () =>
          html`<div class="overview">
            <div class="tiles">${[1, 2, 3, 4].map(() => html`<div class="panel tile"><wa-skeleton class="bone bone-tile"></wa-skeleton><wa-skeleton class="bone"></wa-skeleton></div>`)}</div>
            <div class="panel overview-bone"></div>
          </div>`,
        empty: (read) => (read.isFirstDay ? this.#firstDay() : null),
        content: ({ today, span, days }) =>
          html`<div class="overview">
            ${this.#waiting(span)} ${this.#tiles(this.text('overview.today'), today)}
            ${this.#tiles(this.text('overview.last_days', { count: days }), span)}
            ${span.total.count === 0 ? this.#quiet() : html`<overview-figures .span=${span}></overview-figures>`}
          </div>`,
      })}`;
  }

  #spans() {
    return segmentedControl({
      ...{ legend: this.text('overview.span'), name: 'days', selected: String(this.span) },
      options: spans.map((span) => ({ value: String(span), text: this.text('overview.days', { count: span }) })),
      onChoose: (span) => this.#choose(Number(span) as Span),
    });
  }

  // What waits

  #waiting({ waiting }: Statistics) {
    const { merchantPath } = this.context;
    const list = (filter: string) =>
      hasScope(this.context, 'approval:write') ? merchantPath('decisions') : `${merchantPath('transactions')}?${filter}`;
    const things = [
      ['crypto_decisions', 'inbox', list('kind=crypto&status=approved_required')],
      ['partly_paid', 'split', list('status=transaction_status_waiting')],
      ['failed_callbacks', 'webhook', merchantPath('integration')],
    ] as const;
    const waits = things.filter(([name]) => waiting[name] > 0);
    return html`<section class="section" aria-labelledby="waiting-heading">
      <h2 class="section-heading" id="waiting-heading">${this.text('overview.waiting.title')}</h2>
      ${
        waits.length === 0
          ? html`<p class="all-done">${icon('circle-check')}${this.text('overview.waiting.nothing')}</p>`
          : html`<ul class="waits">
              ${waits.map(
                ([name, sign, address]) => html`<li>
                  <a class="panel wait" href=${address}>
                    <span class="row-sign">${icon(sign)}</span>
                    <span class="row-words">
                      <span class="wait-count">${this.#counted(waiting[name])}</span>
                      <span class="row-text">${this.text(`overview.waiting.${name}`, { count: waiting[name] })}</span>
                    </span>
                    ${icon('chevron-right')}
                  </a>
                </li>`,
              )}
            </ul>`
      }
    </section>`;
  }

  /** What waits is counted to a thousand. */
  #counted(count: number) {
    const { format } = this.context;
    return count >= 1000 ? `${format.number(1000)}+` : format.number(count);
  }

  // Figures

  #tiles(heading: string, { total }: Statistics) {
    const { format } = this.context;
    const { currency, amount, left_out: leftOut } = total.paid_in_additional_currency;
    const tiles = [
      ['volume', format.money(amount, currency)],
      ['count', format.number(total.count)],
      ['paid', format.number(total.paid_count)],
      ['share', total.paid_share === null ? '–' : format.percent(total.paid_share)],
    ] as const;
    return html`<section class="section" aria-label=${heading}>
      <h2 class="section-heading">${heading}</h2>
      <dl class="tiles">
        ${tiles.map(
          ([name, value]) => html`<div class="panel tile">
            <dt>${this.text(`overview.tile.${name}`)}</dt>
            <dd>${value}</dd>
            ${name === 'share' ? html`<dd class="tile-note">${this.text('overview.tile.share_note')}</dd>` : nothing}
          </div>`,
        )}
      </dl>
      ${leftOut === 0 ? nothing : html`<p class="hint">${this.text('overview.left_out', { count: leftOut })}</p>`}
    </section>`;
  }

  // Nothing yet

  #quiet() {
    return emptyState('chart-column', this.text('overview.quiet.title'), this.text('overview.quiet.text'));
  }

  #firstDay() {
    const { merchantPath } = this.context;
    const steps = [
      ...(hasScope(this.context, 'link:write') ? [['link', 'circle-plus', merchantPath('new-link')]] : []),
      ...(hasScope(this.context, 'callback:read') ? [['callback', 'webhook', merchantPath('integration')]] : []),
      ['docs', 'file-text', '/reference'],
    ] as [string, string, string][];
    return html`<div class="first-day">
      <p class="page-lead">${this.text('overview.first.lead')}</p>
      <ol class="first-steps">
        ${steps.map(
          ([name, sign, address]) => html`<li>
            <a class="panel wait" href=${address}>
              <span class="row-sign">${icon(sign)}</span>
              <span class="row-words">
                <span class="row-title">${this.text(`overview.first.${name}.title`)}</span>
                <span class="row-text">${this.text(`overview.first.${name}.text`)}</span>
              </span>
              ${icon('chevron-right')}
            </a>
          </li>`,
        )}
      </ol>
    </div>`;
  }
}

function spanOf(search: string): Span {
  const asked = Number(new URLSearchParams(search).get('days'));
  return spans.find((span) => span === asked) ?? 30;
}

/** A day of the reader's, as `2026-03-10`. */
function dayBefore(days: number): string {
  const at = new Date(Date.now());
  at.setHours(12, 0, 0, 0);
  at.setTime(at.getTime() - days * DAY_MS);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
