import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import type { DateRange } from '../dates.ts';
import { textField } from '../fields.ts';

/**
 * The two date fields of a custom period, loaded on demand.
 *
 * @fires dates-change - `detail` is the new `DateRange`
 */
@customElement('period-dates')
export class PeriodDates extends AccountElement {
  @property({ attribute: false }) range!: DateRange;

  #dateField(name: 'since' | 'till') {
    return textField({
      ...{ id: `period-${name}`, name, label: this.text(`transactions.filter.${name}`), type: 'date' },
      value: this.range[name],
      onChange: (date) => date !== '' && this.emit<DateRange>('dates-change', { ...this.range, [name]: date }),
    });
  }

  override render() {
    return html`${this.#dateField('since')} ${this.#dateField('till')}`;
  }
}
