import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Acquirer, AcquirerAccount } from '../../../client/api.ts';
import { fieldErrorMessage } from '../../checkout/elements/field-error.ts';
import { currencyCodes } from '../../../src/shared/currencies.ts';
import { AccountElement } from '../account-element.ts';
import { textField } from '../fields.ts';
import { button, iconButton, selectField } from '../parts.ts';
import { nameOfMethod } from '../transactions/methods.ts';

export type Route = AcquirerAccount['routes'][number];
const EVERY = '*';

/**
 * The payment methods that an account accepts: method, country, currency and priority, limited to what its acquirer offers.
 *
 * @fires routes-change - with the new routes
 */
@customElement('routes-editor')
export class RoutesEditor extends AccountElement {
  @property({ attribute: false }) capabilities: Acquirer['capabilities'] = [];
  @property({ attribute: false }) routes: readonly Route[] = [];

  @state() private fieldErrors: ReadonlyMap<number, string> = new Map();

  /** Marks duplicate methods and invalid priorities. Returns true if there are none. */
  validate(): boolean {
    const keys = this.routes.map((route) => [route.payment_method, route.country, route.currency].join(' '));
    this.fieldErrors = new Map(
      this.routes.flatMap(({ priority }, index) => {
        if (keys.indexOf(keys[index] ?? '') !== index) return [[index, this.text('acquirers.route_repeated')] as const];
        const isValid = Number.isInteger(priority) && priority >= 1 && priority <= 1000;
        return isValid ? [] : [[index, this.text('acquirers.priority_invalid')] as const];
      }),
    );
    return this.fieldErrors.size === 0;
  }

  #change(routes: readonly Route[]) {
    this.fieldErrors = new Map();
    this.emit('routes-change', routes);
  }

  get #methods(): string[] {
    return [...new Set(this.capabilities.map(({ payment_method: method }) => method))];
  }

  #countriesOf(method: string): string[] {
    const capabilities = this.capabilities.filter((each) => each.payment_method === method);
    if (capabilities.some(({ countries }) => countries === null))
      return this.context.format.countries.map((each) => each.alpha3);
    return [...new Set(capabilities.flatMap(({ countries }) => countries ?? []))];
  }

  #currenciesOf(method: string, country: string): string[] | null {
    const capabilities = this.capabilities.filter(
      ({ payment_method: each, countries }) =>
        each === method && (country === EVERY || countries === null || countries.includes(country)),
    );
    if (capabilities.some(({ currencies }) => currencies === null)) return null;
    return [...new Set(capabilities.flatMap(({ currencies }) => currencies ?? []))];
  }

  #edit(index: number, change: Partial<Route>) {
    this.#change(
      this.routes.map((route, each) => {
        if (each !== index) return route;
        const edited = { ...route, ...change };
        const countries = this.#countriesOf(edited.payment_method);
        if (edited.country !== EVERY && !countries.includes(edited.country)) edited.country = EVERY;
        const currencies = this.#currenciesOf(edited.payment_method, edited.country);
        if (edited.currency !== EVERY && currencies && !currencies.includes(edited.currency)) edited.currency = EVERY;
        return edited;
      }),
    );
  }

  async #add() {
    const used = new Set(this.routes.map((route) => route.payment_method));
    const method = this.#methods.find((each) => !used.has(each)) ?? this.#methods[0] ?? '';
    this.#change([...this.routes, { payment_method: method, country: EVERY, currency: EVERY, priority: 1 }]);
    await this.updateComplete;
    this.querySelector<HTMLElement>(`#route-${this.routes.length - 1}-method`)?.focus();
  }

  #addAll() {
    const routed = new Set(this.routes.map((route) => route.payment_method));
    const missing = this.#methods.filter((method) => !routed.has(method));
    this.#change([
      ...this.routes,
      ...missing.map((method) => ({ payment_method: method, country: EVERY, currency: EVERY, priority: 1 })),
    ]);
  }

  override render() {
    const unrouted = this.#methods.filter((method) => this.routes.every((route) => route.payment_method !== method));
    return html`${
      this.routes.length === 0
        ? html`<p class="section-text">${this.text('acquirers.no_routes')}</p>`
        : html`<ul class="routes">
              ${this.routes.map((route, index) => this.#row(route, index))}
            </ul>`
    }
      <div class="row-actions">
        ${button(this.text('acquirers.add_route'), () => void this.#add(), { icon: 'plus' })}
        ${unrouted.length > 1 ? button(this.text('acquirers.add_all'), () => this.#addAll(), { kind: 'quiet' }) : nothing}
      </div>`;
  }

  #row(route: Route, index: number) {
    const { format } = this.context;
    const id = `route-${index}`;
    const fieldError = this.fieldErrors.get(index) ?? null;
    const { payment_method: method, country, currency, priority } = route;
    const methods = [...new Set([...this.#methods, method])];
    const currencies = this.#currenciesOf(method, country) ?? [...new Set([currency, ...currencyCodes])];
    return html`<li class="route">
      ${selectField({
        ...{ id: `${id}-method`, label: this.text('acquirers.method'), value: method },
        options: methods.map((each) => [each, nameOfMethod(each, this.i18n)]),
        change: (value) => this.#edit(index, { payment_method: value }),
      })}
      ${selectField({
        ...{ id: `${id}-country`, label: this.text('acquirers.country'), value: country },
        options: [
          [EVERY, this.text('acquirers.every_country')],
          ...this.#countriesOf(method).map((each) => [each, format.country(each)] as const),
        ],
        change: (value) => this.#edit(index, { country: value }),
      })}
      ${selectField({
        ...{ id: `${id}-currency`, label: this.text('acquirers.currency'), value: currency },
        options: [
          [EVERY, this.text('acquirers.every_currency')],
          ...currencies.filter((each) => each !== EVERY).map((each) => [each, format.currency(each)] as const),
        ],
        change: (value) => this.#edit(index, { currency: value }),
      })}
      ${textField({
        ...{ id: `${id}-priority`, name: 'priority', label: this.text('acquirers.priority'), inputmode: 'numeric' },
        ...{
          className: 'field-number',
          maxlength: 4,
          dir: 'ltr',
          value: Number.isNaN(priority) ? '' : String(priority),
        },
        onInput: (value) => this.#edit(index, { priority: /^\d+$/.test(value.trim()) ? Number(value) : Number.NaN }),
      })}
      ${iconButton('trash-2', this.nameInRow('acquirers.remove', nameOfMethod(method, this.i18n)), () =>
        this.#change(this.routes.filter((_route, each) => each !== index)),
      )}
      <div class="route-error" role="status">${fieldErrorMessage(`${id}-error`, fieldError)}</div>
    </li>`;
  }
}
