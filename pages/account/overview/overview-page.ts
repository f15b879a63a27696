import { html, nothing, svg, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { Statistics } from '../../../client/api.ts';
import { AccountPage } from '../account-page.ts';
import { loadView } from '../account-state.ts';
import { may } from '../context.ts';
import { icon } from '../icons.ts';
import { Load } from '../load.ts';
import { methodMark, nameOfMethod } from '../transactions/methods.ts';
import type { Bar } from './bar-plot.ts';
import './bar-plot.ts';
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

  readonly #load = this.reloadOnNews(new Load<Read>(this, async (signal) => await this.#read(signal), true), NEWS_MS);

  override connectedCallback() {
    super.connectedCallback();
    this.span = spanOf(location.search);
    addEventListener('popstate', this.#walked);
    void this.#load.run();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('popstate', this.#walked);
  }

  readonly #walked = () => {
    if (!location.pathname.endsWith('/overview')) return;
    const span = spanOf(location.search);
    if (span === this.span) return;
    this.span = span;
    void this.#load.run();
  };

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
      ${loadView(this.#load, this.words, {
        skeleton: () =>
          html`<div class="overview">
            <div class="tiles">${[1, 2, 3, 4].map(() => html`<div class="panel tile"><span class="bone bone-tile"></span><span class="bone"></span></div>`)}</div>
            <div class="panel overview-bone"></div>
          </div>`,
        empty: (read) => (read.isFirstDay ? this.#firstDay() : null),
        shown: ({ today, span, days }) =>
          html`<div class="overview">
            ${this.#waiting(span)} ${this.#tiles(this.text('overview.today'), today)}
            ${this.#tiles(this.text('overview.last_days', { count: days }), span)}
            ${span.total.count === 0 ? this.#quiet() : this.#plots(span)}
          </div>`,
      })}`;
  }

  #spans() {
    return html`<div class="segments" role="group" aria-label=${this.text('overview.span')}>
      ${spans.map(
        (span) => html`<button
          class="segment"
          type="button"
          aria-pressed=${span === this.span}
          @click=${() => this.#choose(span)}
        >
          ${this.text('overview.days', { count: span })}
        </button>`,
      )}
    </div>`;
  }

  // What waits

  #waiting({ waiting }: Statistics) {
    const { here } = this.context;
    const things = [
      [
        'crypto_decisions',
        'inbox',
        may(this.context, 'approval:write')
          ? here('decisions')
          : `${here('transactions')}?kind=crypto&status=approved_required`,
      ],
      [
        'partly_paid',
        'split',
        may(this.context, 'approval:write')
          ? here('decisions')
          : `${here('transactions')}?status=transaction_status_waiting`,
      ],
      ['failed_callbacks', 'webhook', here('integration')],
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

  #plots(span: Statistics) {
    return html`<div class="plots">
      ${this.#days(span)} ${this.#hours(span)} ${this.#methods(span)} ${this.#countries(span)} ${this.#failures(span)}
      ${this.#currencies(span)}
    </div>`;
  }

  #days({ days, total }: Statistics) {
    const { format } = this.context;
    const { currency } = total.paid_in_additional_currency;
    const money = (amount: number) => format.money(amount, currency);
    const day = (date: string) => format.dayText(`${date}T12:00:00`);
    const bars: Bar[] = days.map(({ date, count, paid_count: paid, paid_amount: amount }) => ({
      label: format.dayOfMonth(`${date}T12:00:00`),
      words: `${day(date)}: ${money(amount)}, ${this.text('overview.of', { paid, count })}`,
      value: amount,
    }));
    const best = most(days, ({ paid_amount: amount }) => amount);
    const label = this.text('overview.days_label', {
      day: best === null ? '–' : day(best.date),
      amount: money(best?.paid_amount ?? 0),
    });
    return this.#plot('by_day', 'wide-plot', {
      heading: this.text('overview.by_day', { currency }),
      picture: html`<bar-plot .bars=${bars} .label=${label} .written=${(value: number) => format.shortNumber(value)}></bar-plot>`,
      heads: [this.text('overview.column.day'), ...this.#countHeads, this.text('overview.column.amount')],
      rows: [...days]
        .reverse()
        .map(({ date, count, paid_count: paid, paid_amount: amount }) => [
          day(date),
          format.number(count),
          format.number(paid),
          money(amount),
        ]),
    });
  }

  #hours({ hours }: Statistics) {
    const { format } = this.context;
    const bars: Bar[] = hours.map(({ hour, count, paid_count: paid }) => ({
      label: format.hour(hour),
      words: `${format.hour(hour)}: ${this.text('overview.of', { paid, count })}`,
      value: count,
    }));
    const best = most(hours, ({ count }) => count);
    const label = this.text('overview.hours_label', {
      hour: best === null ? '–' : format.hour(best.hour),
      count: best?.count ?? 0,
    });
    return this.#plot('by_hour', 'wide-plot', {
      heading: this.text('overview.by_hour'),
      picture: html`<bar-plot
        .bars=${bars}
        .label=${label}
        .isWhole=${true}
        .written=${(value: number) => format.shortNumber(value)}
      ></bar-plot>`,
      heads: [this.text('overview.column.hour'), ...this.#countHeads],
      rows: hours.map(({ hour, count, paid_count: paid }) => [
        format.hour(hour),
        format.number(count),
        format.number(paid),
      ]),
    });
  }

  get #countHeads() {
    return [this.text('overview.column.count'), this.text('overview.column.paid')];
  }

  /** A picture, and what it is drawn from. */
  #plot(
    name: string,
    className: string,
    {
      heading,
      picture,
      heads,
      rows,
    }: { heading: string; picture: TemplateResult; heads: readonly string[]; rows: readonly (readonly string[])[] },
  ) {
    return html`<section class="panel plot-panel ${className}" aria-labelledby="plot-${name}">
      <h3 class="plot-heading" id="plot-${name}">${heading}</h3>
      ${picture}
      <details class="plot-table">
        <summary>${this.text('overview.as_table')}<span class="visually-hidden">: ${heading}</span></summary>
        <div class="table-place" tabindex="0" role="group" aria-label=${heading}>${table(heads, rows)}</div>
      </details>
    </section>`;
  }

  #methods({ methods, total }: Statistics) {
    const { format } = this.context;
    const { currency } = total.paid_in_additional_currency;
    return this.#ranks(
      'by_method',
      methods.map(({ payment_method: code, count, paid_count: paid, paid_amount: amount }) => ({
        name: html`<a class="with-mark rank-link" href="${this.context.here('transactions')}?payment_method=${encodeURIComponent(code)}">
          ${methodMark(code)}${nameOfMethod(code, this.words)}
        </a>`,
        count,
        more: [format.number(paid), format.money(amount, currency)],
      })),
      [this.text('overview.column.paid'), this.text('overview.column.amount')],
    );
  }

  #countries({ countries, total }: Statistics) {
    const { format } = this.context;
    const { currency } = total.paid_in_additional_currency;
    return this.#ranks(
      'by_country',
      countries.map(({ country, count, paid_count: paid, paid_amount: amount }) => ({
        name: html`<a class="rank-link" href="${this.context.here('transactions')}?country=${country}">${format.country(country)}</a>`,
        count,
        more: [format.number(paid), format.money(amount, currency)],
      })),
      [this.text('overview.column.paid'), this.text('overview.column.amount')],
    );
  }

  #failures({ failures, total }: Statistics) {
    const { format } = this.context;
    const words = (reason: string) => {
      const key = ['decline', 'event'].find((each) => this.words.has(`account.transactions.${each}.${reason}`));
      return key === undefined ? reason.replaceAll('_', ' ') : this.text(`transactions.${key}.${reason}`);
    };
    return this.#ranks(
      'by_reason',
      failures.map(({ reason, count }) => ({
        name: html`<span>${words(reason)}</span>`,
        count,
        more: [total.failed_count === 0 ? '–' : format.percent(count / total.failed_count)],
      })),
      [this.text('overview.column.share')],
    );
  }

  #currencies({ currencies }: Statistics) {
    const { format } = this.context;
    return this.#ranks(
      'by_currency',
      currencies.map(({ currency, count, paid_amount: paid, refunded_amount: refunded }) => ({
        name: html`<a class="rank-link" href="${this.context.here('transactions')}?currency=${currency}">${format.currency(currency)}</a>`,
        count,
        more: [format.money(paid, currency), format.money(refunded, currency)],
      })),
      [this.text('overview.column.received'), this.text('overview.column.refunded')],
      this.text('overview.column.received'),
    );
  }

  /** A table that is a picture too: each row has a bar as long as its count. */
  #ranks(
    name: string,
    rows: readonly { name: TemplateResult; count: number; more: readonly string[] }[],
    heads: readonly string[],
    /** The one of them that stands beside the name where there is room for one only. */
    main = heads.at(-1),
  ) {
    const { format } = this.context;
    const heading = this.text(`overview.${name}`);
    const longest = Math.max(1, ...rows.map(({ count }) => count));
    return html`<section class="panel plot-panel" aria-labelledby="plot-${name}">
      <h3 class="plot-heading" id="plot-${name}">${heading}</h3>
      ${
        rows.length === 0
          ? html`<p class="section-text">${this.text('overview.none')}</p>`
          : html`<div class="table-place" tabindex="0" role="group" aria-label=${heading}>
              <table class="figures ranks">
                <thead>
                  <tr>
                    <th scope="col">${this.text(`overview.column.${name}`)}</th>
                    <th scope="col">${this.text('overview.column.count')}</th>
                    ${heads.map((head) => html`<th scope="col">${head}</th>`)}
                  </tr>
                </thead>
                <tbody>
                  ${rows.map(
                    ({ name: first, count, more }) => html`<tr>
                      <th scope="row">
                        ${first}
                        <svg class="rank-bar" aria-hidden="true">
                          ${svg`<rect width="${(count / longest) * 100}%" height="100%" rx="3"></rect>`}
                        </svg>
                      </th>
                      <td data-label=${this.text('overview.column.count')}>${format.number(count)}</td>
                      ${more.map((figure, index) => {
                        const head = heads[index] ?? '';
                        return html`<td class=${head === main ? 'rank-main' : ''} data-label=${head}>${figure}</td>`;
                      })}
                    </tr>`,
                  )}
                </tbody>
              </table>
            </div>`
      }
    </section>`;
  }

  // Nothing yet

  #quiet() {
    return emptyState('chart-column', this.text('overview.quiet.title'), this.text('overview.quiet.text'));
  }

  #firstDay() {
    const { here } = this.context;
    const steps = [
      ...(may(this.context, 'link:write') ? [['link', 'circle-plus', here('new-link')]] : []),
      ...(may(this.context, 'callback:read') ? [['callback', 'webhook', here('integration')]] : []),
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

function table(heads: readonly string[], rows: readonly (readonly string[])[]): TemplateResult {
  return html`<table class="figures">
    <thead>
      <tr>
        ${heads.map((head) => html`<th scope="col">${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([first, ...others]) => html`<tr>
          <th scope="row">${first}</th>
          ${others.map((figure) => html`<td>${figure}</td>`)}
        </tr>`,
      )}
    </tbody>
  </table>`;
}

/** The one that has most; the first of several, null of none. */
function most<T>(all: readonly T[], of: (each: T) => number): T | null {
  return all.reduce<T | null>((best, each) => (best === null || of(each) > of(best) ? each : best), null);
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
