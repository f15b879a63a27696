import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { Statistics } from '../../../client/api.ts';
import { AccountPage } from '../account-page.ts';
import { segmentedControl } from '../choices.ts';
import { loadView } from '../account-state.ts';
import { hasScope } from '../context.ts';
import { icon } from '../icons.ts';
import { listenTo } from '../listeners.ts';
import { Loader } from '../loader.ts';
import './overview-figures.ts';
import { emptyState } from '../parts.ts';

const periods = [7, 30, 90] as const;
type Period = (typeof periods)[number];

interface OverviewData {
  today: Statistics;
  /** Statistics of the last `days`. Differs from the selected period until new statistics are loaded. */
  statistics: Statistics;
  days: Period;
  /** The merchant has no transactions yet. */
  isNewMerchant: boolean;
}

const REFRESH_DELAY_MS = 1500;
const DAY_MS = 86_400_000;

/** Pending work, and statistics of payments. */
@customElement('overview-page')
export class OverviewPage extends AccountPage {
  @state() private period: Period = 30;

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
    this.period = periodFrom(location.search);
    void this.#loader.run();
  }

  #handlePopState() {
    if (!location.pathname.endsWith('/overview')) return;
    const period = periodFrom(location.search);
    if (period === this.period) return;
    this.period = period;
    void this.#loader.run();
  }

  #choosePeriod(period: Period) {
    if (period === this.period) return;
    history.pushState({ scroll: 0 }, '', location.pathname + (period === 30 ? '' : `?days=${period}`));
    this.period = period;
    void this.#loader.run();
  }

  async #read(signal: AbortSignal): Promise<OverviewData> {
    const { api } = this.context;
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const readStatistics = async (days: number) =>
      await api.getStatistics({ since: localDate(days - 1), till: localDate(0), time_zone: timeZone }, { signal });
    const days = this.period;
    const [today, statistics] = await Promise.all([readStatistics(1), readStatistics(days)]);
    return {
      today,
      statistics,
      days,
      isNewMerchant: statistics.total.count === 0 && (await this.#hasNoTransactions(signal)),
    };
  }

  async #hasNoTransactions(signal: AbortSignal) {
    const { api } = this.context;
    const [fiat, crypto] = await Promise.all([
      api.listTransactions({ per_page: 1 }, { signal }),
      api.listCryptoTransactions({ per_page: 1 }, { signal }),
    ]);
    return fiat.transactions.length === 0 && crypto.transactions.length === 0;
  }

  override render() {
    const isNewMerchant = this.#loader.value?.isNewMerchant === true;
    return html`<header class="page-head">
        <h1 tabindex="-1">${this.text('shell.pages.overview')}</h1>
        ${isNewMerchant ? nothing : this.#periodControl()}
      </header>
      ${loadView(this.#loader, this.i18n, {
        skeleton: () =>
          html`<div class="overview">
            <div class="tiles">${[1, 2, 3, 4].map(() => html`<div class="panel tile"><wa-skeleton class="skeleton-line skeleton-tile"></wa-skeleton><wa-skeleton class="skeleton-line"></wa-skeleton></div>`)}</div>
            <div class="panel skeleton-plot"></div>
          </div>`,
        empty: (data) => (data.isNewMerchant ? this.#gettingStarted() : null),
        content: ({ today, statistics, days }) =>
          html`<div class="overview">
            ${this.#pendingSection(statistics)} ${this.#tiles(this.text('overview.today'), today)}
            ${this.#tiles(this.text('overview.last_days', { count: days }), statistics)}
            ${statistics.total.count === 0 ? this.#noPayments() : html`<overview-figures .statistics=${statistics}></overview-figures>`}
          </div>`,
      })}`;
  }

  #periodControl() {
    return segmentedControl({
      ...{ legend: this.text('overview.span'), name: 'days', selected: String(this.period) },
      options: periods.map((period) => ({
        value: String(period),
        text: this.text('overview.days', { count: period }),
      })),
      onChoose: (period) => this.#choosePeriod(Number(period) as Period),
    });
  }

  // Pending work

  #pendingSection({ waiting }: Statistics) {
    const { merchantPath } = this.context;
    const listUrl = (filter: string) =>
      hasScope(this.context, 'approval:write')
        ? merchantPath('decisions')
        : `${merchantPath('transactions')}?${filter}`;
    const items = [
      ['crypto_reviews', 'inbox', listUrl('kind=crypto&status=approved_required')],
      ['payment_reviews', 'split', listUrl('status=transaction_status_waiting')],
      ['failed_callbacks', 'webhook', merchantPath('integration')],
    ] as const;
    const pending = items.filter(([name]) => waiting[name] > 0);
    return html`<section class="section" aria-labelledby="waiting-heading">
      <h2 class="section-heading" id="waiting-heading">${this.text('overview.waiting.title')}</h2>
      ${
        pending.length === 0
          ? html`<p class="pending-empty">${icon('circle-check')}${this.text('overview.waiting.nothing')}</p>`
          : html`<ul class="pending-list">
              ${pending.map(
                ([name, iconName, address]) => html`<li>
                  <a class="panel link-card" href=${address}>
                    <span class="row-icon">${icon(iconName)}</span>
                    <span class="row-content">
                      <span class="pending-count">${this.#formatPendingCount(waiting[name])}</span>
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

  /** The service counts pending work up to 1,000. */
  #formatPendingCount(count: number) {
    const { format } = this.context;
    return count >= 1000 ? `${format.number(1000)}+` : format.number(count);
  }

  // Figures

  #tiles(heading: string, { total }: Statistics) {
    const { format } = this.context;
    const { currency, amount, excluded_count: leftOut } = total.paid_in_additional_currency;
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
      ${leftOut === 0 ? nothing : html`<p class="hint">${this.text('overview.excluded_count', { count: leftOut })}</p>`}
    </section>`;
  }

  // Empty states

  #noPayments() {
    return emptyState('chart-column', this.text('overview.quiet.title'), this.text('overview.quiet.text'));
  }

  #gettingStarted() {
    const { merchantPath } = this.context;
    const steps = [
      ...(hasScope(this.context, 'link:write') ? [['link', 'circle-plus', merchantPath('new-link')]] : []),
      ...(hasScope(this.context, 'callback:read') ? [['callback', 'webhook', merchantPath('integration')]] : []),
      ['docs', 'file-text', '/reference'],
    ] as [string, string, string][];
    return html`<div class="getting-started">
      <p class="page-lead">${this.text('overview.first.lead')}</p>
      <ol class="getting-started-steps">
        ${steps.map(
          ([name, iconName, address]) => html`<li>
            <a class="panel link-card" href=${address}>
              <span class="row-icon">${icon(iconName)}</span>
              <span class="row-content">
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

function periodFrom(search: string): Period {
  const days = Number(new URLSearchParams(search).get('days'));
  return periods.find((span) => span === days) ?? 30;
}

/** A date in the user's time zone, as `2026-03-10`. */
function localDate(days: number): string {
  const date = new Date(Date.now());
  date.setHours(12, 0, 0, 0);
  date.setTime(date.getTime() - days * DAY_MS);
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
