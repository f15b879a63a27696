import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import { currencyCodes } from '../../../src/shared/currencies.ts';
import { AccountElement } from '../account-element.ts';
import { segmentedControl } from '../choices.ts';
import { textField } from '../fields.ts';
import { button, selectField } from '../parts.ts';
import { type FilterName, type Kind, type Narrowed, orderNames } from './filters.ts';
import { methodCodes, nameOfMethod } from './methods.ts';
import { cryptoStatuses, fiatStatuses, statusWords } from './status.ts';

const TYPED_MS = 300;

/** A change of the filters; `isTyped` while the reader types. */
export interface Narrowing {
  change: Partial<Narrowed>;
  isTyped: boolean;
}

/**
 * The search and the filters of the list of transactions.
 *
 * @fires narrow - `detail` is a `Narrowing`
 * @fires enter-list - the reader goes from the search to the list
 */
@customElement('transaction-filters')
export class TransactionFilters extends AccountElement {
  @property({ attribute: false }) narrowed!: Narrowed;

  @state() private areShown = false;
  #typed = 0;

  override disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#typed);
  }

  protected override updated(changed: PropertyValues) {
    if (!changed.has('narrowed')) return;
    clearTimeout(this.#typed);
    this.#showSearch();
  }

  #narrow(change: Partial<Narrowed>, isTyped = false) {
    this.emit<Narrowing>('narrow', { change, isTyped });
  }

  get #searchField() {
    return this.querySelector<HTMLInputElement>('#transaction-search');
  }

  /** What has just been typed counts as well, whether or not it was waited for. */
  get #filtersAsTyped(): Narrowed['filters'] {
    return { ...this.narrowed.filters, search: this.#searchField?.value.trim() ?? '' };
  }

  #filter(name: FilterName, value: string, isTyped = false) {
    this.#narrow({ filters: { ...this.#filtersAsTyped, [name]: value.trim() } }, isTyped);
  }

  /** The field keeps what somebody types into it, as long as that is what is searched for. */
  #showSearch() {
    const field = this.#searchField;
    const { search = '' } = this.narrowed.filters;
    if (field && field.value.trim() !== search) field.value = search;
  }

  #searched(value: string) {
    clearTimeout(this.#typed);
    this.#typed = window.setTimeout(() => this.#filter('search', value, true), TYPED_MS);
  }

  override render() {
    return html`<section class="section" aria-label=${this.text('transactions.narrow')}>
      ${this.#bar()} ${this.areShown ? this.#filters() : this.#chips()}
    </section>`;
  }

  #bar() {
    const { kind } = this.narrowed;
    const kinds: readonly Kind[] = ['fiat', 'crypto'];
    const set = this.#setFilters.length;
    return html`<div class="list-bar">
      ${segmentedControl({
        ...{ legend: this.text('transactions.kinds.label'), name: 'kind', selected: kind },
        options: kinds.map((value) => ({ value, text: this.text(`transactions.kinds.${value}`) })),
        onChoose: (value) => this.#narrow({ kind: value as Kind, filters: {}, order: 'newest' }),
      })}
      ${textField({
        ...{ id: 'transaction-search', name: 'search', type: 'search', isLabelHidden: true, className: 'list-search' },
        ...{ label: this.text('transactions.search.label'), placeholder: this.text(`transactions.search.${kind}`) },
        maxlength: kind === 'fiat' ? 64 : 128,
        onInput: (value) => this.#searched(value),
        onKey: (event) => event.key === 'ArrowDown' && this.emit('enter-list', event),
      })}
      ${button(
        html`${this.text('transactions.filters')}${set === 0 ? nothing : html` <span class="count">${set}</span>`}`,
        () => (this.areShown = !this.areShown),
        { icon: 'filter', isOpen: this.areShown },
      )}
    </div>`;
  }

  get #setFilters(): [FilterName, string][] {
    const { search: _search, ...filters } = this.narrowed.filters;
    return Object.entries(filters).filter(([, value]) => value !== '') as [FilterName, string][];
  }

  /** What it is narrowed to, each to be taken away. */
  #chips() {
    const set = this.#setFilters;
    if (set.length === 0) return nothing;
    return html`<ul class="chips">
      ${set.map(([name, value]) => {
        const i18n = `${this.text(`transactions.filter.${name}`)}: ${this.#valueWords(name, value)}`;
        return html`<li>
          ${button(
            html`${i18n}<span class="visually-hidden">${this.text('transactions.take_away')}</span>`,
            () => this.#filter(name, ''),
            { icon: 'x', className: 'chip' },
          )}
        </li>`;
      })}
      <li>
        ${button(this.text('transactions.clear'), () => this.#narrow({ filters: {} }), { kind: 'quiet', className: 'chip' })}
      </li>
    </ul>`;
  }

  #valueWords(name: FilterName, value: string): string {
    const { format } = this.context;
    if (name === 'status') return this.#knownStatus(value) ? statusWords(value as never, this.i18n) : value;
    if (name === 'payment_method') return nameOfMethod(value, this.i18n);
    if (name === 'code') return cryptoCurrencies[value as keyof typeof cryptoCurrencies]?.name ?? value;
    if (name === 'country') return format.country(value);
    return value;
  }

  #knownStatus(value: string) {
    return ([...fiatStatuses, ...cryptoStatuses] as readonly string[]).includes(value);
  }

  #filters() {
    const { kind, filters, order } = this.narrowed;
    const { format } = this.context;
    const select = (name: FilterName, options: readonly (readonly [string, string])[]) =>
      this.#select(name, filters[name] ?? '', [['', this.text('transactions.any')], ...options]);
    const statuses = kind === 'fiat' ? fiatStatuses : cryptoStatuses;
    const status = select(
      'status',
      statuses.map((code) => [code, statusWords(code, this.i18n)]),
    );
    if (kind === 'crypto') {
      const coins = Object.entries(cryptoCurrencies).map(([code, { name }]) => [code, name] as const);
      return html`<div class="panel filters" id="transaction-filters">${status} ${select('code', coins)} ${this.#clear()}</div>`;
    }
    const methods = methodCodes.map((code) => [code, nameOfMethod(code, this.i18n)] as const);
    const currencies = currencyCodes.map((code) => [code, format.currency(code)] as const);
    const countries = format.countries.map(({ alpha3, name }) => [alpha3, name] as const);
    const orders = orderNames.map((code) => [code, this.text(`transactions.order.${code}`)] as const);
    return html`<div class="panel filters" id="transaction-filters">
      ${status} ${select('payment_method', methods)} ${this.#day('since')} ${this.#day('till')}
      ${select('currency', currencies)} ${select('country', countries)} ${this.#select('order', order, orders)}
      ${this.#clear()}
    </div>`;
  }

  #clear() {
    if (this.#setFilters.length === 0) return nothing;
    return button(this.text('transactions.clear'), () => this.#narrow({ filters: {} }), {
      kind: 'quiet',
      className: 'filters-clear',
    });
  }

  #select(name: FilterName | 'order', value: string, options: readonly (readonly [string, string])[]) {
    return selectField({
      ...{ id: `filter-${name}`, label: this.text(`transactions.filter.${name}`), options, value },
      change: (chosen) => {
        if (name === 'order') this.#narrow({ order: chosen as Narrowed['order'], filters: this.#filtersAsTyped });
        else this.#filter(name, chosen);
      },
    });
  }

  #day(name: 'since' | 'till') {
    return textField({
      ...{ id: `filter-${name}`, name, label: this.text(`transactions.filter.${name}`), type: 'date' },
      value: this.narrowed.filters[name] ?? '',
      onChange: (value) => this.#filter(name, value),
    });
  }
}
