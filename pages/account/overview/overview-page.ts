import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { Statistics, TransactionListItem } from '../../../client/api.ts';
import { AccountPage } from '../account-page.ts';
import { segmentedControl } from '../choices.ts';
import { loadView } from '../account-state.ts';
import { hasScope } from '../context.ts';
import { icon } from '../icons.ts';
import { listenTo } from '../listeners.ts';
import { Loader } from '../loader.ts';
import { pageHead } from '../parts.ts';
import { toProblem } from '../problems.ts';
import './period-tiles.ts';
import { overviewSkeleton } from './skeleton.ts';
import { type DateRange, lengthOf } from '../dates.ts';
import {
  customPeriod,
  formatPeriod,
  lastDays,
  parsePeriod,
  type Period,
  periodLengths,
  previousPeriod,
} from './period.ts';

interface OverviewData {
  today: Statistics;
  statistics: Statistics;
  /** Statistics of the period of the same length just before. */
  previous: Statistics;
  /** The period of `statistics`. Differs from the selected one until new statistics are loaded. */
  period: Period;
  /** The newest transactions. */
  recent: readonly TransactionListItem[];
  /** The merchant has no transactions yet. */
  isNewMerchant: boolean;
}

const REFRESH_DELAY_MS = 1500;
const RECENT_COUNT = 5;

/** Pending work and payment statistics. */
@customElement('overview-page')
export class OverviewPage extends AccountPage {
  @state() private period: Period = lastDays(30);

  readonly #loader = this.reloadOnUpdate(
    new Loader<OverviewData>(this, async (signal) => await this.#read(signal), true),
    REFRESH_DELAY_MS,
  );

  constructor() {
    super();
    listenTo(this, window, { popstate: () => this.#handlePopState() });
  }

  override connectedCallback() {
    super.connectedCallback();
    this.period = parsePeriod(location.search);
    void this.#loader.run();
    // Below the fold.
    void import('./overview-figures.ts');
  }

  #handlePopState() {
    if (!location.pathname.endsWith('/overview')) return;
    const period = parsePeriod(location.search);
    if (formatPeriod(period) === formatPeriod(this.period)) return;
    this.period = period;
    void this.#loader.run();
  }

  #choosePeriod(period: Period) {
    this.period = period;
    if (formatPeriod(period) === location.search) return;
    history.pushState({ scroll: 0 }, '', location.pathname + formatPeriod(period));
    void this.#loader.run();
  }

  async #read(signal: AbortSignal): Promise<OverviewData> {
    const { api } = this.context;
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const readStatistics = async ({ since, till }: DateRange) => {
      const read = async (zone?: string) =>
        await api.getStatistics({ since, till, ...(zone !== undefined && { time_zone: zone }) }, { signal });
      return await read(timeZone).catch(async (error: unknown) => {
        // The browser may know a time zone that the service does not.
        if (toProblem(error).errors.some(({ code }) => code === 'unknown_time_zone')) return await read();
        throw error;
      });
    };
    // A relative period ends today, also in a tab that was opened earlier.
    const period = this.period.isCustom ? this.period : lastDays(lengthOf(this.period));
    const [today, statistics, previous, newest] = await Promise.all([
      readStatistics(lastDays(1)),
      readStatistics(period),
      readStatistics(previousPeriod(period)),
      api.listTransactions({ per_page: RECENT_COUNT }, { signal }),
    ]);
    const recent = newest.transactions;
    const isNewMerchant = statistics.total.count === 0 && recent.length === 0 && (await this.#hasNoCrypto(signal));
    return { today, statistics, previous, period, recent, isNewMerchant };
  }

  async #hasNoCrypto(signal: AbortSignal) {
    return (await this.context.api.listCryptoTransactions({ per_page: 1 }, { signal })).transactions.length === 0;
  }

  override render() {
    const isNewMerchant = this.#loader.value?.isNewMerchant === true;
    return html`${pageHead(this.text('shell.pages.overview'), isNewMerchant ? nothing : this.#periodControl())}
      ${loadView(this.#loader, this.i18n, {
        skeleton: () =>
          overviewSkeleton((key) => this.text(`overview.${key}`), this.#periodText(this.period), RECENT_COUNT),
        empty: (data) => (data.isNewMerchant ? this.#gettingStarted() : null),
        content: ({ today, statistics, previous, period, recent }) =>
          html`<div class="overview">
            <p class="today">${this.#todayText(today)}</p>
            ${this.#pendingSection(statistics)}
            <section class="section" aria-labelledby="period-heading">
              <div class="section-head">
                <h2 class="section-heading" id="period-heading">${this.#periodText(period)}</h2>
                <p class="hint">${this.text(`overview.change.${previous.total.count === 0 ? 'none' : 'previous'}`)}</p>
              </div>
              <period-tiles .statistics=${statistics} .previous=${previous}></period-tiles>
            </section>
            <overview-figures .statistics=${statistics} .recent=${recent}></overview-figures>
          </div>`,
      })}`;
  }

  #periodText(period: Period) {
    const { format } = this.context;
    if (!period.isCustom) return this.text('overview.last_days', { count: lengthOf(period) });
    return format.dayRange(period.since, period.till);
  }

  #periodControl() {
    const { period } = this;
    if (period.isCustom) void import('./period-dates.ts');
    return html`<div class="period">
      ${segmentedControl({
        ...{ legend: this.text('overview.period'), name: 'days' },
        selected: period.isCustom ? 'custom' : String(lengthOf(period)),
        options: [
          ...periodLengths.map((days) => ({ value: String(days), text: this.text('overview.days', { count: days }) })),
          { value: 'custom', text: this.text('overview.custom') },
        ],
        onChoose: (days) =>
          this.#choosePeriod(days === 'custom' ? { ...period, isCustom: true } : lastDays(Number(days))),
      })}
      ${
        period.isCustom
          ? html`<period-dates
              .range=${period}
              @dates-change=${({ detail }: CustomEvent<DateRange>) => this.#choosePeriod(customPeriod(detail))}
            ></period-dates>`
          : nothing
      }
    </div>`;
  }

  #todayText({ total }: Statistics) {
    const { currency, amount } = total.paid_in_additional_currency;
    const volume = this.context.format.money(amount, currency);
    const paid = this.text('overview.paid_count', { paid: total.paid_count, count: total.count });
    return html`<strong>${this.text('overview.today')}</strong> ${volume} · ${paid}`;
  }

  // Pending work

  #pendingSection({ waiting }: Statistics) {
    const { merchantPath } = this.context;
    const listUrl = (filter: string) =>
      hasScope(this.context, 'approval:write') ? merchantPath('reviews') : `${merchantPath('transactions')}?${filter}`;
    const items = [
      ['crypto_reviews', 'inbox', listUrl('kind=crypto&status=approved_required')],
      ['payment_reviews', 'split', listUrl('awaiting_review=true')],
      ['failed_callbacks', 'webhook', merchantPath('webhooks')],
    ] as const;
    const pending = items.filter(([name]) => waiting[name] > 0);
    return html`<section class="section" aria-labelledby="waiting-heading">
      <h2 class="section-heading" id="waiting-heading">${this.text('overview.attention.title')}</h2>
      ${
        pending.length === 0
          ? html`<p class="pending-empty">${icon('circle-check')}${this.text('overview.attention.empty')}</p>`
          : html`<ul class="pending-list">
              ${pending.map(
                ([name, iconName, address]) => html`<li>
                  <a class="panel link-card" href=${address}>
                    <span class="row-icon">${icon(iconName)}</span>
                    <span class="row-content">
                      <span class="pending-count">${this.#formatPendingCount(waiting[name])}</span>
                      <span class="row-text">${this.text(`overview.attention.${name}`, { count: waiting[name] })}</span>
                    </span>
                    ${icon('chevron-right')}
                  </a>
                </li>`,
              )}
            </ul>`
      }
    </section>`;
  }

  /** The service counts pending work up to 1,000. */
  #formatPendingCount(count: number) {
    const { format } = this.context;
    return count >= 1000 ? `${format.number(1000)}+` : format.number(count);
  }

  // Empty state

  #gettingStarted() {
    const { merchantPath } = this.context;
    const steps = [
      ...(hasScope(this.context, 'link:write') ? [['link', 'circle-plus', merchantPath('new-link')]] : []),
      ...(hasScope(this.context, 'callback:read') ? [['callback', 'webhook', merchantPath('webhooks')]] : []),
      ['docs', 'file-text', '/reference'],
    ] as [string, string, string][];
    return html`<div class="getting-started">
      <p class="page-lead">${this.text('overview.get_started.lead')}</p>
      <ol class="getting-started-steps">
        ${steps.map(
          ([name, iconName, address]) => html`<li>
            <a class="panel link-card" href=${address}>
              <span class="row-icon">${icon(iconName)}</span>
              <span class="row-content">
                <span class="row-title">${this.text(`overview.get_started.${name}.title`)}</span>
                <span class="row-text">${this.text(`overview.get_started.${name}.text`)}</span>
              </span>
              ${icon('chevron-right')}
            </a>
          </li>`,
        )}
      </ol>
    </div>`;
  }
}
