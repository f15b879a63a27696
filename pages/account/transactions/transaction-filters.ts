import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import { currencyCodes } from '../../../src/shared/currencies.ts';
import { AccountElement } from '../account-element.ts';
import { segmentedControl } from '../choices.ts';
import { textField } from '../fields.ts';
import { button, selectField } from '../parts.ts';
import { dateField, periodSelect } from '../period-select.ts';
import {
  type FilterName,
  formatListQuery,
  type Kind,
  type ListQuery,
  sortOrderNames,
  parseListQuery,
  parseMetadata,
} from './filters.ts';
import { methodCodes, nameOfMethod } from './methods.ts';
import type { ColumnName } from './columns.ts';
import { columnChoice } from './column-choice.ts';
import { filterValueText } from './filter-value-text.ts';
import { deleteFilter, MAX_NAME_LENGTH, readSavedFilters, saveFilter, type SavedFilter } from './saved-filters.ts';
import { statusTabs } from './status-tabs.ts';
import type { TransactionCounts } from './transaction-list.ts';

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
 * @fires columns-change - `detail` is the list of hidden columns
 * @fires enter-list - the user moves from the search field to the list
 */
@customElement('transaction-filters')
export class TransactionFilters extends AccountElement {
  @property({ attribute: false }) listQuery!: ListQuery;
  @property({ attribute: false }) counts: TransactionCounts | null = null;
  @property({ attribute: false }) hiddenColumns: readonly ColumnName[] = [];
  /** Width of the table in rem; 0 until it is known. */
  @property({ attribute: false }) tableWidth = 0;

  @state() private isOpen = false;
  @state() private saved: readonly SavedFilter[] = [];
  @state() private reusableLink: { id: string; title: string } | null = null;
  #searchTimer = 0;

  override connectedCallback() {
    super.connectedCallback();
    this.saved = readSavedFilters(this.context.merchant?.id);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#searchTimer);
  }

  protected override updated(changed: PropertyValues) {
    if (!changed.has('listQuery')) return;
    clearTimeout(this.#searchTimer);
    this.#syncSearchField();
    void this.#readReusableLink();
  }

  /** Reads the title of the reusable link that filters the list; without one, its ID is shown. */
  async #readReusableLink() {
    const id = this.listQuery.filters.reusable_link_id;
    if (id === undefined || id === this.reusableLink?.id) return;
    const link = await this.context.api.getReusableLink({ id }).catch(() => null);
    if (link) this.reusableLink = { id, title: link.title };
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
    return html`<section class="section" aria-label=${this.text('transactions.search_filters')}>
      ${this.#toolbar()}
      ${statusTabs(this.listQuery, this.counts, this.context, (change) =>
        this.#emitChange({ filters: { ...this.#currentFilters, ...change } }),
      )}
      ${this.isOpen ? this.#filterPanel() : nothing} ${this.#chips()}
    </section>`;
  }

  #toolbar() {
    const { kind } = this.listQuery;
    const kinds: readonly Kind[] = ['fiat', 'crypto'];
    const active = this.#chipFilters.length;
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
      ${this.#periodSelect()}
      ${button(
        html`${this.text('transactions.filters')}${active === 0 ? nothing : html` <span class="count">${active}</span>`}`,
        () => (this.isOpen = !this.isOpen),
        { icon: 'filter', isOpen: this.isOpen },
      )}
    </div>`;
  }

  #periodSelect() {
    return periodSelect({
      ...{ i18n: this.i18n, dates: this.listQuery.filters, isLabelHidden: true },
      onChange: (dates) => this.#emitChange({ filters: { ...this.#currentFilters, ...dates } }),
      onCustom: () => (this.isOpen = true),
    });
  }

  get #activeFilters(): [FilterName, string][] {
    const { search: _search, ...filters } = this.listQuery.filters;
    return Object.entries(filters).filter(([, value]) => value !== '') as [FilterName, string][];
  }

  /** Filters that no other control shows. */
  get #chipFilters(): [FilterName, string][] {
    const onTabs = ['status', 'awaiting_review', 'authorization_status'];
    return this.#activeFilters.filter(([name]) => !onTabs.includes(name));
  }

  /** Saved filters, and the active ones, each with a button to remove it. */
  #chips() {
    // The panel has no control for a reusable link.
    const active = this.#chipFilters.filter(([name]) => !this.isOpen || name === 'reusable_link_id');
    const search = formatListQuery(this.listQuery);
    const isFiltered = Object.keys(this.listQuery.filters).length > 0;
    const current = this.saved.find((saved) => saved.search === search);
    if (active.length === 0 && !isFiltered && this.saved.length === 0) return nothing;
    return html`<ul class="chips">
      ${this.saved.map(
        (saved) => html`<li>
          ${button(saved.name, () => this.#emitChange(parseListQuery(saved.search)), {
            ...{ icon: 'star', className: `chip ${saved === current ? 'chip-current' : ''}` },
          })}
        </li>`,
      )}
      ${active.map(([name, value]) => {
        const valueText =
          name === 'reusable_link_id' && value === this.reusableLink?.id
            ? this.reusableLink.title
            : filterValueText(name, value, this.context);
        const label = html`${this.text(`transactions.filter.${name}`)}: <bdi>${valueText}</bdi>`;
        return html`<li>
          ${button(
            html`${label}<span class="visually-hidden">${this.text('transactions.remove_filter')}</span>`,
            () => this.#setFilter(name, ''),
            { icon: 'x', className: 'chip' },
          )}
        </li>`;
      })}
      ${
        isFiltered
          ? html`<li>
                ${
                  current
                    ? button(this.text('transactions.saved.delete'), () => this.#deleteFilter(current), {
                        kind: 'quiet',
                        className: 'chip',
                      })
                    : button(this.text('transactions.saved.save'), () => void this.#saveFilter(search), {
                        kind: 'quiet',
                        className: 'chip',
                      })
                }
              </li>
              <li>
                ${button(this.text('transactions.clear'), () => this.#emitChange({ filters: {} }), { kind: 'quiet', className: 'chip' })}
              </li>`
          : nothing
      }
    </ul>`;
  }

  async #saveFilter(search: string) {
    const field = textField({
      ...{ id: 'saved-filter-name', name: 'name', label: this.text('transactions.saved.name'), required: true },
      maxlength: MAX_NAME_LENGTH,
    });
    const values = await this.context.prompt({
      ...{ heading: this.text('transactions.saved.save'), text: this.text('transactions.saved.hint') },
      ...{ fields: html`${field}`, confirm: this.text('transactions.saved.confirm') },
    });
    const value = values?.get('name');
    const name = typeof value === 'string' ? value.trim() : '';
    if (name !== '') this.saved = saveFilter(this.context.merchant?.id, { name, search });
  }

  #deleteFilter({ name }: SavedFilter) {
    this.saved = deleteFilter(this.context.merchant?.id, name);
  }

  #filterPanel() {
    const { kind, filters, order } = this.listQuery;
    const { format } = this.context;
    const select = (name: FilterName, options: readonly (readonly [string, string])[]) =>
      this.#selectFilter(name, filters[name] ?? '', [['', this.text('transactions.any')], ...options]);
    const dates = html`${this.#dateField('since')} ${this.#dateField('till')}`;
    if (kind === 'crypto') {
      const coins = Object.entries(cryptoCurrencies).map(([code, { name }]) => [code, name] as const);
      return html`<div class="panel filters" id="transaction-filters">
        ${dates} ${select('code', coins)} ${this.#metadataField()} ${this.#columnChoice()}
      </div>`;
    }
    const methods = methodCodes.map((code) => [code, nameOfMethod(code, this.i18n)] as const);
    const currencies = currencyCodes.map((code) => [code, format.currency(code)] as const);
    const countries = format.countries.map(({ alpha3, name }) => [alpha3, name] as const);
    const sortOrderOptions = sortOrderNames.map((code) => [code, this.text(`transactions.order.${code}`)] as const);
    return html`<div class="panel filters" id="transaction-filters">
      ${dates} ${select('payment_method', methods)}
      ${select('currency', currencies)} ${select('country', countries)} ${this.#metadataField()} ${this.#selectFilter('order', order, sortOrderOptions)}
      ${this.#columnChoice()}
    </div>`;
  }

  #columnChoice() {
    const choose = (hidden: readonly ColumnName[]) => this.emit('columns-change', hidden);
    return columnChoice(this.listQuery.kind, this.hiddenColumns, this.tableWidth, this.i18n, choose);
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

  #metadataField() {
    return textField({
      ...{ id: 'filter-metadata', name: 'metadata', label: this.text('transactions.filter.metadata'), dir: 'auto' },
      ...{ placeholder: 'key=value', value: this.listQuery.filters.metadata ?? '' },
      onChange: (value) => {
        if (value.trim() === '' || parseMetadata(value)) this.#setFilter('metadata', value);
      },
    });
  }

  #dateField(name: 'since' | 'till') {
    return dateField(name, this.listQuery.filters, this.i18n, (date) => this.#setFilter(name, date));
  }
}
