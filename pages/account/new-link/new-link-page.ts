import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { CountryAlpha3, CreateTransactionInput, LinkCreated, TransactionDetail } from '../../../client/api.ts';
import type { PaylatchError } from '../../../client/error.ts';
import { type CurrencyCode, minorUnitsOf } from '../../../src/shared/currencies.ts';
import { fieldErrorMessage } from '../../checkout/elements/field-error.ts';
import { AccountPage } from '../account-page.ts';
import { hasScope } from '../context.ts';
import { currenciesOf, likelyCountry } from '../countries.ts';
import { textField } from '../fields.ts';
import { Loader } from '../loader.ts';
import { button, selectField } from '../parts.ts';
import { toProblem } from '../problems.ts';
import { type AmountError, type Fee, parseAmountInput } from './amounts.ts';
import { feeChoices, isEnabled, lifetimeText, type Method, methodChoices } from './link-choices.ts';
import {
  type FieldName,
  fieldNames,
  initialValues,
  type FieldErrors,
  rememberedValues,
  rememberValues,
  type FieldValues,
} from './link-fields.ts';
import { amountErrorText, serviceErrors, findErrors } from './link-errors.ts';
import { errorSummary } from './error-summary.ts';
import './created-link.ts';

/** Creates a payment link: offers the currencies and methods of a country, and explains what is missing. */
@customElement('new-link-page')
export class NewLinkPage extends AccountPage {
  @state() private fields: FieldValues = initialValues();
  @state() private fieldErrors: FieldErrors = {};
  @state() private problem: PaylatchError | null = null;
  @state() private lifetimeMinutes: number | null = null;
  @state() private isBusy = false;
  @state() private created: { link: LinkCreated; detail: TransactionDetail | null } | null = null;

  /** Methods of the country in each of its currencies. */
  readonly #methodLoader = new Loader<readonly Method[]>(this, async (signal) => await this.#readMethods(signal), true);

  override connectedCallback() {
    super.connectedCallback();
    const rememberedFields = rememberedValues(this.context.merchant?.id ?? 0);
    this.fields = { ...this.fields, ...rememberedFields };
    if (this.fields.country === '') this.fields = { ...this.fields, country: likelyCountry(navigator.language) };
    void this.#methodLoader.restart();
    void this.#readLifetime();
  }

  // Countries, currencies and methods

  async #readMethods(signal: AbortSignal): Promise<readonly Method[]> {
    const country = this.fields.country as CountryAlpha3 | '';
    if (country === '') return [];
    const { api } = this.context;
    const responses = await Promise.all(
      currenciesOf(country).map(async (currency) => await api.listPaymentMethods({ country, currency }, { signal })),
    );
    const methods = responses.flatMap(({ payment_methods: each }) => each);
    if (!signal.aborted) this.#chooseOffered(methods);
    return methods;
  }

  get #currencies(): string[] {
    return [...new Set(this.#methodLoader.value?.map(({ currency }) => currency))];
  }

  get #methods(): Method[] {
    const methods = this.#methodLoader.value?.filter(({ currency }) => currency === this.fields.currency) ?? [];
    return methods.toSorted((one, placeholder) => Number(isEnabled(placeholder)) - Number(isEnabled(one)));
  }

  /** Keeps the chosen currency and method if they are offered; else chooses the first. */
  #chooseOffered(methods: readonly Method[]) {
    const enabled = methods.filter(isEnabled);
    const currencies = methods.map(({ currency }): string => currency);
    const { currency, payment_method: method } = this.fields;
    const nextCurrency = currencies.includes(currency) ? currency : (enabled[0]?.currency ?? currencies[0] ?? '');
    const inCurrency = enabled.filter((each) => each.currency === nextCurrency);
    const chosen = inCurrency.find((each) => each.payment_method === method) ?? inCurrency[0];
    this.fields = { ...this.fields, currency: nextCurrency, payment_method: chosen?.payment_method ?? '' };
    this.#checkAmount();
  }

  /** The fee of the chosen method; null if none is chosen. */
  get #fee(): Fee | null {
    const method = this.#methods.find(({ payment_method: code }) => code === this.fields.payment_method);
    if (method?.fee_fix === undefined || method.fee_percent === undefined) return null;
    return { fix: method.fee_fix, percent: method.fee_percent };
  }

  async #readLifetime() {
    if (!hasScope(this.context, 'preference:read')) return;
    const preferences = await this.context.api.listPreferences().catch(() => null);
    const lifetime = preferences?.merchantPreferences.find(({ key }) => key === 'link-lifetime-minutes');
    const minutes = Number(lifetime?.value ?? Number.NaN);
    if (Number.isFinite(minutes)) this.lifetimeMinutes = minutes;
  }

  // Fields and their errors

  #set(name: FieldName, value: string) {
    this.fields = { ...this.fields, [name]: value };
    this.fieldErrors = Object.fromEntries(Object.entries(this.fieldErrors).filter(([each]) => each !== name));
    if (name === 'country') void this.#methodLoader.restart();
    if (name === 'currency') this.#chooseOffered(this.#methodLoader.value ?? []);
    if (name === 'amount') this.#checkAmount();
  }

  get #amount(): number | AmountError {
    return parseAmountInput(this.fields.amount, this.#currency);
  }

  get #currency(): CurrencyCode {
    return (this.fields.currency || 'USD') as CurrencyCode;
  }

  /** While the amount is typed, reports only an error that more digits cannot correct. */
  #checkAmount() {
    const amount = this.#amount;
    if (amount === 'too_many_decimals' || amount === 'not_a_number' || amount === 'too_large')
      this.fieldErrors = { ...this.fieldErrors, amount: amountErrorText(amount, this.#currency, this.i18n) };
  }

  async #submit(event: SubmitEvent) {
    event.preventDefault();
    if (this.isBusy) return;
    const values = this.fields;
    this.problem = null;
    this.fieldErrors = findErrors(values, this.#amount, this.#currency, this.i18n);
    if (Object.keys(this.fieldErrors).length === 0) await this.#send(values);
    if (this.created) return;
    await this.updateComplete;
    this.querySelector<HTMLElement>('.error-summary')?.focus();
  }

  async #send(values: FieldValues) {
    const trimmed = Object.fromEntries(fieldNames.map((name) => [name, values[name].trim()]));
    const body = { ...trimmed, amount: this.#amount, transaction_type: 'link' };
    this.isBusy = true;
    try {
      const { api, merchant } = this.context;
      const link = (await api.createTransaction(body as CreateTransactionInput)) as LinkCreated;
      const detail = await api.getTransaction({ transaction_id: link.transaction_id }).catch(() => null);
      rememberValues(merchant?.id ?? 0, values);
      this.created = { link, detail };
      this.context.announce(this.text('new_link.made_said'));
      await this.updateComplete;
      scrollTo(0, 0);
      this.querySelector<HTMLElement>('h1')?.focus();
    } catch (error) {
      this.#showProblem(toProblem(error));
    }
    this.isBusy = false;
  }

  /** Shows an error next to its field; any other problem is shown above the form. */
  #showProblem(problem: PaylatchError) {
    this.fieldErrors = serviceErrors(problem, this.i18n);
    if (Object.keys(this.fieldErrors).length === 0) this.problem = problem;
  }

  #startAnother() {
    this.fields = initialValues(this.fields);
    this.fieldErrors = {};
    this.created = null;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('#link-amount')?.focus());
  }

  // Templates

  override render() {
    const { created } = this;
    const form = () => this.#form();
    return html`<header class="page-head">
        <h1 tabindex="-1">${this.text(created ? 'new_link.made_title' : 'shell.pages.new_link')}</h1>
      </header>
      ${
        created
          ? html`<created-link .link=${created.link} .detail=${created.detail} @create-another=${() => this.#startAnother()}></created-link>`
          : form()
      }`;
  }

  #form() {
    const { fields, fieldErrors } = this;
    const text = (name: FieldName, more: Partial<Parameters<typeof textField>[0]> = {}) =>
      textField({
        ...{ id: `link-${name}`, name, label: this.text(`new_link.fields.${name}`), value: fields[name] },
        ...{ fieldError: fieldErrors[name] ?? null, required: true },
        onInput: (value) => this.#set(name, value),
        ...more,
      });
    const decimals = minorUnitsOf(this.#currency);
    return html`<form class="new-link" autocomplete="off" novalidate @submit=${(event: SubmitEvent) => void this.#submit(event)}>
      ${errorSummary({
        ...{ fieldErrors: this.fieldErrors, problem: this.problem, i18n: this.i18n },
        nameOf: (name) => this.#fieldName(name),
        focusField: (name) => this.querySelector<HTMLElement>(`#link-${name}, [name="${name}"]`)?.focus(),
      })}
      <section class="panel">
        <div class="panel-body">
          <h2 class="section-heading">${this.text('new_link.how')}</h2>
          <div class="field-pair">${this.#countrySelect()} ${this.#currencySelect()}</div>
          ${this.#methodChoices()}
        </div>
      </section>
      <section class="panel">
        <div class="panel-body">
          <h2 class="section-heading">${this.text('new_link.what')}</h2>
          ${text('amount', {
            id: 'link-amount',
            inputmode: 'decimal',
            dir: 'ltr',
            label: this.#fieldName('amount'),
            ...(fields.currency !== '' && {
              hint: this.text(decimals === 0 ? 'new_link.amount_hint_none' : 'new_link.amount_hint', {
                count: decimals,
              }),
            }),
          })}
          ${feeChoices(this.#amount, this.#currency, this.#fee, this.#choiceField('type_of_calculation'))}
          ${text('description', { maxlength: 255, hint: this.text('new_link.description_hint') })}
        </div>
      </section>
      <section class="panel">
        <div class="panel-body">
          <h2 class="section-heading">${this.text('new_link.after')}</h2>
          ${text('success_redirect_url', {
            ...{ type: 'url', inputmode: 'url', dir: 'ltr', placeholder: 'https://shop.example/paid' },
            hint: this.text('new_link.success_hint'),
          })}
          ${text('fail_redirect_url', { type: 'url', inputmode: 'url', dir: 'ltr', placeholder: 'https://shop.example/not-paid' })}
          ${text('transaction_id', { maxlength: 64, hint: this.text('new_link.reference_hint') })}
        </div>
      </section>
      <div class="new-link-end">
        <p class="hint">${lifetimeText(this.lifetimeMinutes, this.i18n)}</p>
        ${button(this.text('new_link.make'), null, { kind: 'primary', isBusy: this.isBusy, className: 'wide' })}
      </div>
    </form>`;
  }

  /** Label of a field; the amount's label includes the currency once it is known. */
  #fieldName(name: FieldName): string {
    const { currency } = this.fields;
    const key = name === 'amount' && currency === '' ? 'amount_plain' : name;
    return this.text(`new_link.fields.${key}`, { currency });
  }

  #countrySelect() {
    const options = this.context.format.countries.map(({ alpha3, name }) => [alpha3, name] as const);
    const hint = this.text('new_link.country_hint');
    return this.#select('country', [['', this.text('new_link.choose')], ...options], hint);
  }

  #currencySelect() {
    const options = this.#currencies.map((code) => [code, this.context.format.currency(code)] as const);
    const hint = options.length === 0 ? '' : this.text('new_link.currency_hint', { list: this.#currencies.join(', ') });
    const none = this.fields.country === '' ? this.text('new_link.country_first') : '–';
    return this.#select('currency', options.length === 0 ? [['', none]] : options, hint);
  }

  #select(name: 'country' | 'currency', options: readonly (readonly [string, string])[], hint: string) {
    const fieldError = this.fieldErrors[name] ?? null;
    const id = `link-${name}`;
    return selectField({
      ...{ id, name, label: this.text(`new_link.fields.${name}`), options, value: this.fields[name] },
      ...{ isRequired: true, isInvalid: fieldError !== null },
      change: (value) => this.#set(name, value),
      after: html`${fieldErrorMessage(`${id}-error`, fieldError)}<p class="hint" id="${id}-hint">${hint}</p>`,
    });
  }

  #choiceField(name: 'payment_method' | 'type_of_calculation') {
    const choose = (value: string) => this.#set(name, value);
    return { context: this.context, chosen: this.fields[name], fieldError: this.fieldErrors[name] ?? null, choose };
  }

  #methodChoices() {
    const { problem, value } = this.#methodLoader;
    const tryAgain = () => void this.#methodLoader.restart();
    const placeholder = problem
      ? html`<account-state .problem=${problem} .isInline=${true} @try-again=${tryAgain}></account-state>`
      : this.fields.country === ''
        ? html`<p class="hint">${this.text('new_link.country_first')}</p>`
        : value === null
          ? html`<p class="choice" aria-busy="true"><wa-skeleton class="skeleton-line"></wa-skeleton></p>`
          : null;
    return methodChoices(this.#methods, placeholder, this.#choiceField('payment_method'));
  }
}
