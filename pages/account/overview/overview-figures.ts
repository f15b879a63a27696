import { html, nothing, svg, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Statistics, TransactionListItem } from '../../../client/api.ts';
import { AccountElement } from '../account-element.ts';
import { expandableRow } from '../expandable-row.ts';
import { button, emptyState } from '../parts.ts';
import { methodLogo, nameOfMethod } from '../transactions/methods.ts';
import type { Bar } from './bar-chart.ts';
import './bar-chart.ts';
import { recentTransactions } from './recent-transactions.ts';

interface RankRow {
  name: TemplateResult;
  count: number;
  cells: readonly string[];
  /** Hidden in a collapsed ranking, even if its rank is high. */
  isEmpty?: boolean;
}

/** Number of rows in a collapsed ranking. */
const VISIBLE_ROW_COUNT = 6;

/** The newest transactions, and the statistics of a period as charts and tables. */
@customElement('overview-figures')
export class OverviewFigures extends AccountElement {
  @property({ attribute: false }) statistics!: Statistics;
  @property({ attribute: false }) recent: readonly TransactionListItem[] = [];
  /** Rankings that show all rows. */
  @state() private expandedRankings: ReadonlySet<string> = new Set();

  override render() {
    const { statistics } = this;
    const recent = recentTransactions(this.recent, this.context);
    if (statistics.total.count === 0) {
      const text = emptyState('chart-column', this.text('overview.empty.title'), this.text('overview.empty.text'));
      return html`<div class="overview">${recent} ${text}</div>`;
    }
    return html`<div class="plots">
      ${this.#dayChart(statistics)} ${recent} ${this.#hourChart(statistics)} ${this.#methodAndCountryTables(statistics)} ${this.#currencyTable(statistics)} ${this.#failureTable(statistics)}
    </div>`;
  }

  #dayChart({ days, total }: Statistics) {
    const { format } = this.context;
    const { currency } = total.paid_in_additional_currency;
    const money = (amount: number) => format.money(amount, currency);
    const day = (date: string) => format.dateText(`${date}T12:00:00`);
    const bars: Bar[] = days.map(({ date, count, paid_count: paid, paid_amount: amount }) => ({
      label: format.monthDay(`${date}T12:00:00`),
      description: `${day(date)}: ${money(amount)}, ${this.text('overview.paid_count', { paid, count })}`,
      value: amount,
    }));
    const highest = maxBy(days, ({ paid_amount: amount }) => amount);
    const label = this.text('overview.days_label', {
      day: highest === null ? '–' : day(highest.date),
      amount: money(highest?.paid_amount ?? 0),
    });
    return this.#chartPanel('by_day', {
      heading: this.text('overview.by_day', { currency }),
      chart: html`<bar-chart .bars=${bars} .label=${label} .formatValue=${(value: number) => format.compactNumber(value)}></bar-chart>`,
      columns: [this.text('overview.column.day'), ...this.#countColumns, this.text('overview.column.amount')],
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

  #hourChart({ hours }: Statistics) {
    const { format } = this.context;
    const bars: Bar[] = hours.map(({ hour, count, paid_count: paid }) => ({
      label: format.hour(hour),
      description: `${format.hour(hour)}: ${this.text('overview.paid_count', { paid, count })}`,
      value: count,
    }));
    const highest = maxBy(hours, ({ count }) => count);
    const label = this.text('overview.hours_label', {
      hour: highest === null ? '–' : format.hour(highest.hour),
      count: highest?.count ?? 0,
    });
    return this.#chartPanel('by_hour', {
      heading: this.text('overview.by_hour'),
      chart: html`<bar-chart
        .bars=${bars}
        .label=${label}
        .integersOnly=${true}
        .formatValue=${(value: number) => format.compactNumber(value)}
      ></bar-chart>`,
      columns: [this.text('overview.column.hour'), ...this.#countColumns],
      rows: hours.map(({ hour, count, paid_count: paid }) => [
        format.hour(hour),
        format.number(count),
        format.number(paid),
      ]),
    });
  }

  get #countColumns() {
    return [this.text('overview.column.count'), this.text('overview.column.paid')];
  }

  /** A chart, and a table of the same figures. */
  #chartPanel(
    name: string,
    {
      heading,
      chart,
      columns,
      rows,
    }: { heading: string; chart: TemplateResult; columns: readonly string[]; rows: readonly (readonly string[])[] },
  ) {
    return html`<section class="panel plot-panel chart-panel" aria-labelledby="plot-${name}">
      <h3 class="plot-heading" id="plot-${name}">${heading}</h3>
      ${chart}
      ${expandableRow({
        className: 'plot-table',
        head: html`${this.text('overview.as_table')}<span class="visually-hidden">: ${heading}</span>`,
        content: html`<div class="table-scroll" tabindex="0" role="group" aria-label=${heading}>${table(columns, rows)}</div>`,
      })}
    </section>`;
  }

  /** A link to the transactions of one row in the period. */
  #transactionsLink(filter: string, value: string, content: unknown) {
    const { days } = this.statistics;
    const query = new URLSearchParams({ [filter]: value, since: days[0]?.date ?? '', till: days.at(-1)?.date ?? '' });
    return html`<a class="rank-link with-logo" href=${`${this.context.merchantPath('transactions')}?${query}`}>${content}</a>`;
  }

  #methodAndCountryTables({ methods, countries, total }: Statistics) {
    const { format } = this.context;
    const { currency } = total.paid_in_additional_currency;
    const columns = [this.text('overview.column.paid'), this.text('overview.column.amount')];
    const toRankRow = (
      item: Statistics['methods'][number] | Statistics['countries'][number],
      name: TemplateResult,
    ): RankRow => ({
      name,
      count: item.count,
      cells: [format.number(item.paid_count), format.money(item.paid_amount, currency)],
    });
    const byMethod = methods.map((item) => {
      const { payment_method: code } = item;
      return toRankRow(
        item,
        this.#transactionsLink('payment_method', code, html`${methodLogo(code)}${nameOfMethod(code, this.i18n)}`),
      );
    });
    const byCountry = countries.map((item) =>
      toRankRow(item, this.#transactionsLink('country', item.country, format.country(item.country))),
    );
    return html`${this.#rankTable('by_method', byMethod, columns)} ${this.#rankTable('by_country', byCountry, columns)}`;
  }

  #failureTable({ failures, total }: Statistics) {
    const reasonText = (reason: string) => {
      const key = ['decline', 'event'].find((item) => this.i18n.has(`account.transactions.${item}.${reason}`));
      return key === undefined ? reason.replaceAll('_', ' ') : this.text(`transactions.${key}.${reason}`);
    };
    const rows = failures.map(({ reason, count }) => ({
      ...{ name: html`<span>${reasonText(reason)}</span>`, count },
      cells: [total.failed_count === 0 ? '–' : this.context.format.percent(count / total.failed_count)],
    }));
    return this.#rankTable('by_reason', rows, [this.text('overview.column.share')]);
  }

  #currencyTable({ currencies }: Statistics) {
    const { format } = this.context;
    const [received, refunded] = [this.text('overview.column.received'), this.text('overview.column.refunded')];
    const rows = currencies.map(({ currency, count, paid_amount: paid, refunded_amount: refunded }) => ({
      ...{
        name: this.#transactionsLink(
          'currency',
          currency,
          html`<span title=${format.currency(currency)}>${currency}</span>`,
        ),
        count,
      },
      isEmpty: paid === 0 && refunded === 0,
      cells: [format.money(paid, currency), format.money(refunded, currency)],
    }));
    return this.#rankTable('by_currency', rows, [received, refunded], received);
  }

  /** A table whose rows have bars in proportion to their count. */
  #rankTable(
    name: string,
    rows: readonly RankRow[],
    columns: readonly string[],
    /** The column next to the name on narrow screens. */
    mainColumn = columns.at(-1),
  ) {
    const { format } = this.context;
    const heading = this.text(`overview.${name}`);
    const longest = Math.max(1, ...rows.map(({ count }) => count));
    const filled = rows.filter(({ isEmpty = false }) => !isEmpty);
    const ranked = filled.length === 0 ? rows : filled;
    const shown = this.expandedRankings.has(name) ? rows : ranked.slice(0, VISIBLE_ROW_COUNT);
    const hiddenCount = rows.length - shown.length;
    const expand = () => (this.expandedRankings = new Set([...this.expandedRankings, name]));
    return html`<section class="panel plot-panel" aria-labelledby="plot-${name}">
      <h3 class="plot-heading" id="plot-${name}">${heading}</h3>
      ${
        rows.length === 0
          ? html`<p class="section-text">${this.text(name === 'by_reason' ? 'overview.no_failures' : 'overview.none')}</p>`
          : html`<div class="table-scroll" tabindex="0" role="group" aria-label=${heading}>
              <table class="figures ranks">
                <thead>
                  <tr>
                    <th scope="col">${this.text(`overview.column.${name}`)}</th>
                    <th scope="col">${this.text('overview.column.count')}</th>
                    ${columns.map((column) => html`<th scope="col">${column}</th>`)}
                  </tr>
                </thead>
                <tbody>
                  ${shown.map(
                    ({ name, count, cells }) => html`<tr>
                      <th scope="row">
                        ${name}
                        <svg class="rank-bar" aria-hidden="true">
                          ${svg`<rect width="${(count / longest) * 100}%" height="100%" rx="3"></rect>`}
                        </svg>
                      </th>
                      <td data-label=${this.text('overview.column.count')}>${format.number(count)}</td>
                      ${cells.map((cell, index) => {
                        const column = columns[index] ?? '';
                        return html`<td class=${column === mainColumn ? 'rank-main' : ''} data-label=${column}>${cell}</td>`;
                      })}
                    </tr>`,
                  )}
                </tbody>
              </table>
            </div>`
      }
      ${
        hiddenCount === 0
          ? nothing
          : button(this.text('overview.more', { count: hiddenCount }), expand, {
              kind: 'quiet',
              className: 'ranks-more',
              name: `${this.text('overview.more', { count: hiddenCount })}: ${heading}`,
            })
      }
    </section>`;
  }
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): TemplateResult {
  return html`<table class="figures">
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col">${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([name, ...others]) => html`<tr>
          <th scope="row">${name}</th>
          ${others.map((cell) => html`<td>${cell}</td>`)}
        </tr>`,
      )}
    </tbody>
  </table>`;
}

/** The first item with the highest value; null if there are no items. */
function maxBy<T>(items: readonly T[], valueOf: (item: T) => number): T | null {
  return items.reduce<T | null>(
    (highest, item) => (highest === null || valueOf(item) > valueOf(highest) ? item : highest),
    null,
  );
}
