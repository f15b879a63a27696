import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import type { DateRange } from '../dates.ts';
import { textField } from '../fields.ts';
import { listenTo } from '../listeners.ts';

/**
 * The two date fields of a custom period, loaded on demand.
 *
 * @fires dates-change - `detail` is the new `DateRange`
 */
@customElement('period-dates')
export class PeriodDates extends AccountElement {
  @property({ attribute: false }) range!: DateRange;

  constructor() {
    super();
    listenTo(this, this, {
      focusout: ({ relatedTarget }: FocusEvent) => this.contains(relatedTarget as Node | null) || this.#apply(true),
    });
  }

  /** A date has other values while it is typed: its year, and the order of the dates until both fields are left. */
  #apply(isLeft = false) {
    const [since = '', till = ''] = Array.from(this.querySelectorAll('wa-input'), ({ value }) => value ?? '');
    const isTyped = since < '2000' || till < '2000' || (!isLeft && since > till);
    if (!isTyped) this.emit<DateRange>('dates-change', { since, till });
  }

  #dateField(name: 'since' | 'till') {
    return textField({
      ...{ id: `period-${name}`, name, label: this.text(`transactions.filter.${name}`), type: 'date' },
      value: this.range[name],
      onChange: () => this.#apply(),
    });
  }

  override render() {
    return html`${this.#dateField('since')} ${this.#dateField('till')}`;
  }
}
