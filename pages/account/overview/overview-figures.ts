import { html, svg, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Statistics } from '../../../client/api.ts';
import { AccountElement } from '../account-element.ts';
import { expandableRow } from '../unfolding.ts';
import { methodMark, nameOfMethod } from '../transactions/methods.ts';
import type { Bar } from './bar-plot.ts';
import './bar-plot.ts';

interface Rank {
  name: TemplateResult;
  count: number;
  more: readonly string[];
}

/** The statistics of a span as plots and tables. */
@customElement('overview-figures')
export class OverviewFigures extends AccountElement {
  @property({ attribute: false }) span!: Statistics;

  override render() {
    const { span } = this;
    return html`<div class="plots">
      ${this.#days(span)} ${this.#hours(span)} ${this.#payments(span)} ${this.#failures(span)} ${this.#currencies(span)}
    </div>`;
  }

  #days({ days, total }: Statistics) {
    const { format } = this.context;
    const { currency } = total.paid_in_additional_currency;
    const money = (amount: number) => format.money(amount, currency);
    const day = (date: string) => format.dateText(`${date}T12:00:00`);
    const bars: Bar[] = days.map(({ date, count, paid_count: paid, paid_amount: amount }) => ({
      label: format.monthDay(`${date}T12:00:00`),
      description: `${day(date)}: ${money(amount)}, ${this.text('overview.of', { paid, count })}`,
      value: amount,
    }));
    const best = most(days, ({ paid_amount: amount }) => amount);
    const label = this.text('overview.days_label', {
      day: best === null ? '–' : day(best.date),
      amount: money(best?.paid_amount ?? 0),
    });
    return this.#plot('by_day', 'wide-plot', {
      heading: this.text('overview.by_day', { currency }),
      picture: html`<bar-plot .bars=${bars} .label=${label} .written=${(value: number) => format.compactNumber(value)}></bar-plot>`,
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
      description: `${format.hour(hour)}: ${this.text('overview.of', { paid, count })}`,
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
        .written=${(value: number) => format.compactNumber(value)}
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
      ${expandableRow({
        className: 'plot-table',
        head: html`${this.text('overview.as_table')}<span class="visually-hidden">: ${heading}</span>`,
        content: html`<div class="table-place" tabindex="0" role="group" aria-label=${heading}>${table(heads, rows)}</div>`,
      })}
    </section>`;
  }

  /** A link to the transactions of one row. */
  #link(filter: string, value: string, content: unknown) {
    const address = `${this.context.merchantPath('transactions')}?${filter}=${encodeURIComponent(value)}`;
    return html`<a class="rank-link with-mark" href=${address}>${content}</a>`;
  }

  #payments({ methods, countries, total }: Statistics) {
    const { format } = this.context;
    const { currency } = total.paid_in_additional_currency;
    const heads = [this.text('overview.column.paid'), this.text('overview.column.amount')];
    const rank = (
      each: Statistics['methods'][number] | Statistics['countries'][number],
      name: TemplateResult,
    ): Rank => ({
      name,
      count: each.count,
      more: [format.number(each.paid_count), format.money(each.paid_amount, currency)],
    });
    const byMethod = methods.map((each) => {
      const { payment_method: code } = each;
      return rank(each, this.#link('payment_method', code, html`${methodMark(code)}${nameOfMethod(code, this.i18n)}`));
    });
    const byCountry = countries.map((each) =>
      rank(each, this.#link('country', each.country, format.country(each.country))),
    );
    return html`${this.#ranks('by_method', byMethod, heads)} ${this.#ranks('by_country', byCountry, heads)}`;
  }

  #failures({ failures, total }: Statistics) {
    const reasonText = (reason: string) => {
      const key = ['decline', 'event'].find((each) => this.i18n.has(`account.transactions.${each}.${reason}`));
      return key === undefined ? reason.replaceAll('_', ' ') : this.text(`transactions.${key}.${reason}`);
    };
    const rows = failures.map(({ reason, count }) => ({
      ...{ name: html`<span>${reasonText(reason)}</span>`, count },
      more: [total.failed_count === 0 ? '–' : this.context.format.percent(count / total.failed_count)],
    }));
    return this.#ranks('by_reason', rows, [this.text('overview.column.share')]);
  }

  #currencies({ currencies }: Statistics) {
    const { format } = this.context;
    const [received, refunded] = [this.text('overview.column.received'), this.text('overview.column.refunded')];
    const rows = currencies.map(({ currency, count, paid_amount: paid, refunded_amount: back }) => ({
      ...{ name: this.#link('currency', currency, format.currency(currency)), count },
      more: [format.money(paid, currency), format.money(back, currency)],
    }));
    return this.#ranks('by_currency', rows, [received, refunded], received);
  }

  /** A table that is a picture too: each row has a bar as long as its count. */
  #ranks(
    name: string,
    rows: readonly Rank[],
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
