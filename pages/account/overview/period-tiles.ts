import { html, nothing, svg } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Statistics } from '../../../client/api.ts';
import { AccountElement } from '../account-element.ts';
import { localDate } from '../dates.ts';
import { icon } from '../icons.ts';

type Day = Statistics['days'][number];

interface Tile {
  name: 'volume' | 'count' | 'paid' | 'success_rate';
  text: string;
  value: number | null;
  previous: number | null;
  /** The value of one day, for the sparkline; null if it has none. */
  ofDay: (day: Day) => number | null;
}

const SPARK_WIDTH = 120;
const SPARK_HEIGHT = 32;

/** The main figures of a period, with their change from the previous period and a sparkline. */
@customElement('period-tiles')
export class PeriodTiles extends AccountElement {
  @property({ attribute: false }) statistics!: Statistics;
  /** Statistics of the previous period of the same length. */
  @property({ attribute: false }) previous!: Statistics;

  get #tiles(): readonly Tile[] {
    const { format } = this.context;
    const { total } = this.statistics;
    const before = this.previous.total;
    const { currency, amount } = total.paid_in_additional_currency;
    const { currency: currencyBefore, amount: amountBefore } = before.paid_in_additional_currency;
    return [
      {
        ...{ name: 'volume', text: format.money(amount, currency), value: amount },
        ...{ previous: currency === currencyBefore ? amountBefore : null, ofDay: (day) => day.paid_amount },
      },
      {
        ...{ name: 'count', text: format.number(total.count), value: total.count, previous: before.count },
        ofDay: (day) => day.count,
      },
      {
        ...{ name: 'paid', text: format.number(total.paid_count), value: total.paid_count },
        ...{ previous: before.paid_count, ofDay: (day) => day.paid_count },
      },
      {
        ...{ name: 'success_rate', text: total.paid_share === null ? '–' : format.percent(total.paid_share) },
        ...{ value: total.paid_share, previous: before.paid_share },
        ofDay: (day) => (day.count === 0 ? null : day.paid_count / day.count),
      },
    ];
  }

  override render() {
    const { excluded_count: excluded } = this.statistics.total.paid_in_additional_currency;
    return html`<dl class="tiles">
        ${this.#tiles.map(
          (tile) => html`<div class="panel tile">
            <dt>${this.text(`overview.tile.${tile.name}`)}</dt>
            <dd class=${tile.text.length > 12 ? 'tile-long' : ''}>${tile.text}</dd>
            <dd class="tile-note">${this.previous.total.count === 0 ? nothing : this.#change(tile)}</dd>
            <dd class="tile-spark" aria-hidden="true">${this.#sparkline(tile)}</dd>
          </div>`,
        )}
      </dl>
      ${excluded === 0 ? nothing : html`<p class="hint">${this.text('overview.excluded_count', { count: excluded })}</p>`}`;
  }

  #change({ name, value, previous }: Tile) {
    const { format } = this.context;
    if (value === null || previous === null || (previous === 0 && name !== 'success_rate')) return '–';
    // A share changes by percentage points.
    const change = name === 'success_rate' ? value - previous : (value - previous) / previous;
    const rounded = Math.round(change * 1000);
    const tone = rounded > 0 ? 'up' : rounded < 0 ? 'down' : 'same';
    const amount = format.signedPercent(rounded / 1000);
    return html`<span class="change change-${tone}"
        >${tone === 'same' ? nothing : icon(tone === 'up' ? 'trending-up' : 'trending-down')}${amount}</span
      >`;
  }

  /** The complete days as a line, from zero to the highest value: today and later days would look like a drop. */
  #sparkline({ ofDay }: Tile) {
    const { days } = this.statistics;
    const values = days
      .filter(({ date }) => date < localDate(0))
      .map(ofDay)
      .filter((value) => value !== null);
    const highest = Math.max(...values, 0);
    if (values.length < 2 || highest === 0) return nothing;
    const points = values.map((value, index) => {
      const x = (index / (values.length - 1)) * SPARK_WIDTH;
      const y = SPARK_HEIGHT - 2 - (value / highest) * (SPARK_HEIGHT - 4);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    });
    return html`<svg viewBox="0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}" preserveAspectRatio="none">
      ${svg`<polyline points=${points.join(' ')} vector-effect="non-scaling-stroke"></polyline>`}
    </svg>`;
  }
}
