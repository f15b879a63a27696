import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import { currencyCodes } from '../../../src/shared/currencies.ts';
import { AccountElement } from '../account-element.ts';
import { segmentedControl } from '../choices.ts';
import { textField } from '../fields.ts';
import { button, selectField } from '../parts.ts';
import { type FilterName, type Kind, type ListQuery, orderNames } from './filters.ts';
import { methodCodes, nameOfMethod } from './methods.ts';
import { cryptoStatuses, fiatStatuses, statusText } from './status.ts';

const SEARCH_DELAY_MS = 300;

/** A change of the filters; `isTyping` if the user is still typing. */
export interface FiltersChange {
  change: Partial<ListQuery>;
  isTyping: boolean;
}

/**
 * Search and filters of the list of transactions.
 *
 * @fires filters-change - `detail` is a `FiltersChange`
 * @fires enter-list - the user moves from the search field to the list
 */
@customElement('transaction-filters')
export class TransactionFilters extends AccountElement {
  @property({ attribute: false }) listQuery!: ListQuery;

  @state() private isOpen = false;
  #searchTimer = 0;

  override disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#searchTimer);
  }

  protected override updated(changed: PropertyValues) {
    if (!changed.has('listQuery')) return;
    clearTimeout(this.#searchTimer);
    this.#syncSearchField();
  }

  #emitChange(change: Partial<ListQuery>, isTyping = false) {
    this.emit<FiltersChange>('filters-change', { change, isTyping });
  }

  get #searchField() {
    return this.querySelector<HTMLInputElement>('#transaction-search');
  }

  /** The filters, with text that is typed but not searched yet. */
  get #currentFilters(): ListQuery['filters'] {
    return { ...this.listQuery.filters, search: this.#searchField?.value.trim() ?? '' };
  }

  #setFilter(name: FilterName, value: string, isTyping = false) {
    this.#emitChange({ filters: { ...this.#currentFilters, [name]: value.trim() } }, isTyping);
  }

  /** Sets the search field unless it already holds the search, so that typed spaces remain. */
  #syncSearchField() {
    const field = this.#searchField;
    const { search = '' } = this.listQuery.filters;
    if (field && field.value.trim() !== search) field.value = search;
  }

  #scheduleSearch(value: string) {
    clearTimeout(this.#searchTimer);
    this.#searchTimer = window.setTimeout(() => this.#setFilter('search', value, true), SEARCH_DELAY_MS);
  }

  override render() {
    return html`<section class="section" aria-label=${this.text('transactions.narrow')}>
      ${this.#toolbar()} ${this.isOpen ? this.#filterPanel() : this.#chips()}
    </section>`;
  }

  #toolbar() {
    const { kind } = this.listQuery;
    const kinds: readonly Kind[] = ['fiat', 'crypto'];
    const active = this.#activeFilters.length;
    return html`<div class="list-bar">
      ${segmentedControl({
        ...{ legend: this.text('transactions.kinds.label'), name: 'kind', selected: kind },
        options: kinds.map((value) => ({ value, text: this.text(`transactions.kinds.${value}`) })),
        onChoose: (value) => this.#emitChange({ kind: value as Kind, filters: {}, order: 'newest' }),
      })}
      ${textField({
        ...{ id: 'transaction-search', name: 'search', type: 'search', isLabelHidden: true, className: 'list-search' },
        ...{ label: this.text('transactions.search.label'), placeholder: this.text(`transactions.search.${kind}`) },
        maxlength: kind === 'fiat' ? 64 : 128,
        onInput: (value) => this.#scheduleSearch(value),
        onKey: (event) => event.key === 'ArrowDown' && this.emit('enter-list', event),
      })}
      ${button(
        html`${this.text('transactions.filters')}${active === 0 ? nothing : html` <span class="count">${active}</span>`}`,
        () => (this.isOpen = !this.isOpen),
        { icon: 'filter', isOpen: this.isOpen },
      )}
    </div>`;
  }

  get #activeFilters(): [FilterName, string][] {
    const { search: _search, ...filters } = this.listQuery.filters;
    return Object.entries(filters).filter(([, value]) => value !== '') as [FilterName, string][];
  }

  /** Active filters, each with a button to remove it. */
  #chips() {
    const active = this.#activeFilters;
    if (active.length === 0) return nothing;
    return html`<ul class="chips">
      ${active.map(([name, value]) => {
        const label = `${this.text(`transactions.filter.${name}`)}: ${this.#valueText(name, value)}`;
        return html`<li>
          ${button(
            html`${label}<span class="visually-hidden">${this.text('transactions.take_away')}</span>`,
            () => this.#setFilter(name, ''),
            { icon: 'x', className: 'chip' },
          )}
        </li>`;
      })}
      <li>
        ${button(this.text('transactions.clear'), () => this.#emitChange({ filters: {} }), { kind: 'quiet', className: 'chip' })}
      </li>
    </ul>`;
  }

  #valueText(name: FilterName, value: string): string {
    const { format } = this.context;
    if (name === 'status') return this.#isStatus(value) ? statusText(value as never, this.i18n) : value;
    if (name === 'payment_method') return nameOfMethod(value, this.i18n);
    if (name === 'code') return cryptoCurrencies[value as keyof typeof cryptoCurrencies]?.name ?? value;
    if (name === 'country') return format.country(value);
    return value;
  }

  #isStatus(value: string) {
    return ([...fiatStatuses, ...cryptoStatuses] as readonly string[]).includes(value);
  }

  #filterPanel() {
    const { kind, filters, order } = this.listQuery;
    const { format } = this.context;
    const select = (name: FilterName, options: readonly (readonly [string, string])[]) =>
      this.#selectFilter(name, filters[name] ?? '', [['', this.text('transactions.any')], ...options]);
    const statuses = kind === 'fiat' ? fiatStatuses : cryptoStatuses;
    const status = select(
      'status',
      statuses.map((code) => [code, statusText(code, this.i18n)]),
    );
    if (kind === 'crypto') {
      const coins = Object.entries(cryptoCurrencies).map(([code, { name }]) => [code, name] as const);
      return html`<div class="panel filters" id="transaction-filters">${status} ${select('code', coins)} ${this.#clearButton()}</div>`;
    }
    const methods = methodCodes.map((code) => [code, nameOfMethod(code, this.i18n)] as const);
    const currencies = currencyCodes.map((code) => [code, format.currency(code)] as const);
    const countries = format.countries.map(({ alpha3, name }) => [alpha3, name] as const);
    const orders = orderNames.map((code) => [code, this.text(`transactions.order.${code}`)] as const);
    return html`<div class="panel filters" id="transaction-filters">
      ${status} ${select('payment_method', methods)} ${this.#dateField('since')} ${this.#dateField('till')}
      ${select('currency', currencies)} ${select('country', countries)} ${this.#selectFilter('order', order, orders)}
      ${this.#clearButton()}
    </div>`;
  }

  #clearButton() {
    if (this.#activeFilters.length === 0) return nothing;
    return button(this.text('transactions.clear'), () => this.#emitChange({ filters: {} }), {
      kind: 'quiet',
      className: 'filters-clear',
    });
  }

  #selectFilter(name: FilterName | 'order', value: string, options: readonly (readonly [string, string])[]) {
    return selectField({
      ...{ id: `filter-${name}`, label: this.text(`transactions.filter.${name}`), options, value },
      change: (selected) => {
        if (name === 'order')
          this.#emitChange({ order: selected as ListQuery['order'], filters: this.#currentFilters });
        else this.#setFilter(name, selected);
      },
    });
  }

  #dateField(name: 'since' | 'till') {
    return textField({
      ...{ id: `filter-${name}`, name, label: this.text(`transactions.filter.${name}`), type: 'date' },
      value: this.listQuery.filters[name] ?? '',
      onChange: (value) => this.#setFilter(name, value),
    });
  }
}
