import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import { currencyCodes } from '../../../src/shared/currencies.ts';
import { AccountElement } from '../account-element.ts';
import { icon } from '../icons.ts';
import { button, selectField } from '../parts.ts';
import { type FilterName, type Kind, type Narrowed, orderNames, writeNarrowed } from './filters.ts';
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

  #searched(event: Event) {
    const { value } = event.target as HTMLInputElement;
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
      <nav class="segments" aria-label=${this.text('transactions.kinds.label')}>
        ${kinds.map((each) => {
          const address =
            this.context.here('transactions') + writeNarrowed({ kind: each, order: 'newest', filters: {} });
          return html`<a
            class="segment"
            href=${address}
            aria-current=${each === kind ? 'true' : nothing}
            @click=${(event: MouseEvent) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
              event.preventDefault();
              this.#narrow({ kind: each, filters: {}, order: 'newest' });
            }}
            >${this.text(`transactions.kinds.${each}`)}</a
          >`;
        })}
      </nav>
      <label class="search">
        ${icon('search')}
        <span class="visually-hidden">${this.text('transactions.search.label')}</span>
        <input
          class="field"
          id="transaction-search"
          type="search"
          autocomplete="off"
          spellcheck="false"
          maxlength=${kind === 'fiat' ? 64 : 128}
          aria-keyshortcuts="/"
          placeholder=${this.text(`transactions.search.${kind}`)}
          @input=${(event: Event) => this.#searched(event)}
          @keydown=${(event: KeyboardEvent) => event.key === 'ArrowDown' && this.emit('enter-list', event)}
        />
      </label>
      <button
        class="button"
        type="button"
        aria-expanded=${this.areShown}
        aria-controls="transaction-filters"
        @click=${() => (this.areShown = !this.areShown)}
      >
        ${icon('filter')}${this.text('transactions.filters')}${set === 0 ? nothing : html`<span class="count">${set}</span>`}
      </button>
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
        const words = `${this.text(`transactions.filter.${name}`)}: ${this.#valueWords(name, value)}`;
        return html`<li>
          <button class="chip" type="button" @click=${() => this.#filter(name, '')}>
            <span class="chip-words">${words}</span>${icon('x')}
            <span class="visually-hidden">${this.text('transactions.take_away')}</span>
          </button>
        </li>`;
      })}
      <li><button class="chip chip-quiet" type="button" @click=${() => this.#narrow({ filters: {} })}>
        ${this.text('transactions.clear')}
      </button></li>
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
    return html`<div class="labelled">
      <label for="filter-${name}">${this.text(`transactions.filter.${name}`)}</label>
      <input
        class="field"
        id="filter-${name}"
        type="date"
        .value=${this.narrowed.filters[name] ?? ''}
        @change=${(event: Event) => this.#filter(name, (event.target as HTMLInputElement).value)}
      />
    </div>`;
  }
}
