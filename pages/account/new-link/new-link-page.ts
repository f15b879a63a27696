import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { CountryAlpha3, LinkCreated, TransactionDetail } from '../../../client/api.ts';
import type { PaylatchError } from '../../../client/error.ts';
import { decimalSeparator } from '../../../src/shared/amount-input.ts';
import type { CurrencyCode } from '../../../src/shared/currencies.ts';
import { AccountPage } from '../account-page.ts';
import { likelyCountry } from '../countries.ts';
import { Loader } from '../loader.ts';
import { button, pageHead, problemView } from '../parts.ts';
import { toProblem } from '../problems.ts';
import { type AmountError, type Fee, amountToPay, parseAmountInput } from './amounts.ts';
import { type Brand, noBrand } from './brand.ts';
import { feeChoices, isEnabled, type Method, methodChoices, methodsPlaceholder, readMethods } from './link-choices.ts';
import {
  type FieldName,
  initialValues,
  type FieldErrors,
  type ItemValues,
  rememberedValues,
  rememberValues,
  type FieldValues,
} from './link-fields.ts';
import { amountErrorText, errorsAfterChange, serviceErrors, findErrors } from './link-errors.ts';
import { errorSummary } from './error-summary.ts';
import { parseItems } from './link-items.ts';
import { readLinkPreferences } from './link-preferences.ts';
import { createRequestBuilder } from './link-request.ts';
import { linkField, linkSections, type SectionName } from './link-sections.ts';
import { linkSelect } from './link-select.ts';
import './created-link.ts';
import './link-preview.ts';

/** Creates a payment link: offers the currencies and methods of a country, and explains what is missing. */
@customElement('new-link-page')
export class NewLinkPage extends AccountPage {
  @state() private fields: FieldValues = initialValues();
  @state() private fieldErrors: FieldErrors = {};
  @state() private problem: PaylatchError | null = null;
  @state() private lifetimeMinutes: number | null = null;
  @state() private isBusy = false;
  @state() private items: readonly ItemValues[] = [];
  @state() private openSections: ReadonlySet<SectionName> = new Set();
  @state() private brand: Brand = noBrand;
  @state() private created: { link: LinkCreated; detail: TransactionDetail | null } | null = null;

  readonly #request = createRequestBuilder();
  /** The user has entered an amount, which the items no longer change. */
  #hasOwnAmount = false;

  /** Methods of the country in each of its currencies. */
  readonly #methodLoader = new Loader<readonly Method[]>(this, async (signal) => await this.#readMethods(signal), true);

  override connectedCallback() {
    super.connectedCallback();
    this.fields = { ...this.fields, ...rememberedValues(this.context.merchant?.id ?? 0) };
    if (this.fields.country === '') this.fields = { ...this.fields, country: likelyCountry(navigator.language) };
    this.brand = { ...noBrand, name: this.context.merchant?.name ?? '' };
    void this.#methodLoader.restart();
    void this.#readPreferences();
  }

  /** Sets the amount to the sum of the items until the user enters another amount. */
  #followItems() {
    const { locale } = this.i18n;
    const total = parseItems(this.items, this.#currency, locale)?.total ?? '0';
    if (!this.#hasOwnAmount && Number(total) > 0)
      this.#set('amount', total.replace('.', decimalSeparator(locale)), false);
  }

  // Countries, currencies and methods

  async #readMethods(signal: AbortSignal): Promise<readonly Method[]> {
    const methods = await readMethods(this.context, this.fields.country as CountryAlpha3 | '', signal);
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

  /** Keeps the chosen currency and method if they are offered; otherwise chooses the first. */
  #chooseOffered(methods: readonly Method[]) {
    const enabled = methods.filter(isEnabled);
    const currencies = methods.map(({ currency }): string => currency);
    const { currency, payment_method: method } = this.fields;
    const nextCurrency = currencies.includes(currency) ? currency : (enabled[0]?.currency ?? currencies[0] ?? '');
    const inCurrency = enabled.filter((each) => each.currency === nextCurrency);
    const chosen = inCurrency.find((each) => each.payment_method === method) ?? inCurrency[0];
    const capture = chosen?.manual_capture ? this.fields.capture : '';
    this.fields = { ...this.fields, currency: nextCurrency, payment_method: chosen?.payment_method ?? '', capture };
    this.#set('amount', this.fields.amount, this.#hasOwnAmount);
    this.#followItems();
  }

  get #method() {
    return this.#methods.find(({ payment_method: code }) => code === this.fields.payment_method);
  }

  /** The fee of the chosen method; null if none is chosen. */
  get #fee(): Fee | null {
    const method = this.#method;
    if (method?.fee_fix === undefined || method.fee_percent === undefined) return null;
    return { fix: method.fee_fix, percent: method.fee_percent };
  }

  async #readPreferences() {
    ({ lifetimeMinutes: this.lifetimeMinutes, ...this.brand } = await readLinkPreferences(this.context));
  }

  // Fields and their errors

  #set(name: FieldName, value: string, isOwn = value.trim() !== '') {
    this.fields = { ...this.fields, [name]: value };
    this.fieldErrors = Object.fromEntries(Object.entries(this.fieldErrors).filter(([each]) => each !== name));
    if (name === 'country') void this.#methodLoader.restart();
    if (name === 'currency') this.#chooseOffered(this.#methodLoader.value ?? []);
    if (name === 'payment_method' && !this.#method?.manual_capture) this.fields = { ...this.fields, capture: '' };
    if (name !== 'amount') return;
    this.#hasOwnAmount = isOwn;
    this.#checkAmount();
  }

  get #amount(): number | AmountError {
    return parseAmountInput(this.fields.amount, this.#currency, this.i18n.locale);
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
    this.problem = null;
    this.fieldErrors = findErrors(this.fields, this.#amount, this.items, this.#currency, this.i18n);
    if (Object.keys(this.fieldErrors).length === 0) await this.#send(this.fields);
    if (this.created) return;
    await this.updateComplete;
    this.querySelector<HTMLElement>('.error-summary')?.focus();
  }

  async #send(values: FieldValues) {
    const body = this.#request(values, Number(this.#amount), this.items, this.#currency, this.i18n.locale);
    this.isBusy = true;
    try {
      const { api, merchant } = this.context;
      const link = (await api.createTransaction(body)) as LinkCreated;
      const detail = await api.getTransaction({ transaction_id: link.transaction_id }).catch(() => null);
      rememberValues(merchant?.id ?? 0, values);
      this.created = { link, detail };
      this.context.announce(this.text('new_link.created'));
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
    [this.items, this.#hasOwnAmount] = [[], false];
    this.fieldErrors = {};
    this.created = null;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('#link-amount')?.focus());
  }

  // Templates

  override render() {
    const { created } = this;
    return html`${pageHead(this.text(created ? 'new_link.created_title' : 'shell.pages.new_link'))}
      ${
        created
          ? html`<created-link
              .link=${created.link}
              .detail=${created.detail}
              .brand=${this.brand}
              @create-another=${() => this.#startAnother()}
            ></created-link>`
          : html`<div class="new-link-layout">${this.#form()} ${this.#preview()}</div>`
      }`;
  }

  #form() {
    const { problem } = this.#methodLoader;
    return html`<form class="new-link" autocomplete="off" novalidate @submit=${(event: SubmitEvent) => void this.#submit(event)}>
      ${errorSummary({
        ...{ fieldErrors: this.fieldErrors, problem: this.problem, i18n: this.i18n },
        nameOf: (name) => this.#fieldName(name),
        findField: (name) => this.querySelector(`#link-${name}, [name="${name}"]`),
      })}
      ${problem ? problemView(problem, () => void this.#methodLoader.restart()) : nothing}
      <section class="panel">
        <div class="panel-body">
          <div class="amount-pair">
            ${linkField(this.#fieldSet, 'amount', {
              ...{ required: true, inputmode: 'decimal', dir: 'ltr', label: this.#fieldName('amount') },
            })}
            ${this.#currencySelect()}
          </div>
          ${linkField(this.#fieldSet, 'description', {
            ...{ required: true, maxlength: 255, hint: this.text('new_link.description_hint') },
          })}
        </div>
      </section>
      <section class="panel link-sections" aria-label=${this.text('new_link.more')}>${this.#sections()}</section>
      ${button(this.text('new_link.create'), null, { kind: 'primary', isBusy: this.isBusy, className: 'wide' })}
    </form>`;
  }

  get #fieldSet() {
    const { context, fields: values, fieldErrors } = this;
    return { context, values, fieldErrors, set: (name: FieldName, value: string) => this.#set(name, value) };
  }

  #sections() {
    const { lifetimeMinutes, items, openSections } = this;
    const changeItems = (changed: readonly ItemValues[]) => {
      [this.items, this.fieldErrors] = [changed, errorsAfterChange(this.fieldErrors, items, changed)];
      this.#followItems();
    };
    return linkSections({
      ...{ ...this.#fieldSet, lifetimeMinutes, items, openSections, changeItems },
      ...{ currency: this.#currency, amount: this.#amount, canCaptureLater: this.#method?.manual_capture === true },
      toggle: (name, isOpen) => {
        const others = [...openSections].filter((each) => each !== name);
        this.openSections = new Set(isOpen ? [...others, name] : others);
      },
      methods: () => html`${this.#countrySelect()} ${this.#methodChoices()}`,
      fees: () => feeChoices(this.#amount, this.#currency, this.#fee, this.#choiceField('type_of_calculation')),
    });
  }

  #preview() {
    const { payment_method: chosen, description, capture } = this.fields;
    const isFeeOnTop = this.fields.type_of_calculation === 'forward_with_fee';
    const offered = this.#methods.filter((method) => isEnabled(method) && (capture === '' || method.manual_capture));
    const codes = [chosen, ...offered.map(({ payment_method: code }) => code)].filter((code) => code !== '');
    return html`<link-preview
      .brand=${this.brand}
      .currency=${this.fields.currency}
      .amount=${amountToPay(this.#amount, this.#currency, this.#fee, isFeeOnTop)}
      .description=${description}
      .items=${parseItems(this.items, this.#currency, this.i18n.locale)?.items ?? []}
      .methods=${[...new Set(codes)]}
      .country=${this.fields.country}
    ></link-preview>`;
  }

  /** Label of a field; the amount's label includes the currency once it is known. */
  #fieldName(name: FieldName): string {
    const { currency } = this.fields;
    const key = `account.new_link.fields.${name === 'amount' && currency === '' ? 'amount_plain' : name}`;
    return this.i18n.text(this.i18n.has(key) ? key : `fields.${name.replace('payer_', '')}`, { currency });
  }

  #countrySelect() {
    const options = this.context.format.countries.map(({ alpha3, name }) => [alpha3, name] as const);
    const hint = this.text('new_link.country_hint');
    return linkSelect(this.#fieldSet, 'country', [['', this.text('new_link.choose_country')], ...options], hint);
  }

  #currencySelect() {
    const options = this.#currencies.map((code) => [code, this.context.format.currency(code)] as const);
    return linkSelect(this.#fieldSet, 'currency', options.length === 0 ? [['', '–']] : options);
  }

  #choiceField(name: 'payment_method' | 'type_of_calculation') {
    const choose = (value: string) => this.#set(name, value);
    const { country, [name]: chosen } = this.fields;
    return { context: this.context, country, chosen, fieldError: this.fieldErrors[name] ?? null, choose };
  }

  #methodChoices() {
    const placeholder = methodsPlaceholder(this.#methodLoader, this.fields.country, this.i18n);
    return methodChoices(this.#methods, placeholder, this.#choiceField('payment_method'));
  }
}
