import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { CountryAlpha3, CreateReusableLinkInput, ReusableLink } from '../../../client/api.ts';
import type { CurrencyCode } from '../../../src/shared/currencies.ts';
import { fieldErrorMessage } from '../../checkout/elements/field-error.ts';
import { AccountElement } from '../account-element.ts';
import { checkField, segmentedControl } from '../choices.ts';
import { likelyCountry } from '../countries.ts';
import { enterSubmits, focusInvalidField, textArea, textField } from '../fields.ts';
import { Loader } from '../loader.ts';
import { parseAmountInput } from '../new-link/amounts.ts';
import { noBrand } from '../new-link/brand.ts';
import { isEnabled, type Method, methodChoices, methodsPlaceholder, readMethods } from '../new-link/link-choices.ts';
import { amountErrorText } from '../new-link/link-errors.ts';
import { readLinkPreferences } from '../new-link/link-preferences.ts';
import { linkSection } from '../new-link/link-sections.ts';
import { button, notice, problemView, selectField } from '../parts.ts';
import { fieldDetail, toProblem } from '../problems.ts';
import { emptyValues, type FieldName, servicePaths, type TextName, toggled, valuesOf } from './reusable-link-values.ts';
import '../new-link/link-preview.ts';

const moreFields = ['stock', 'quantity', 'success'] as const;

/**
 * Creates or changes a reusable link.
 *
 * @fires link-saved - a `ReusableLink`
 */
@customElement('reusable-link-form')
export class ReusableLinkForm extends AccountElement {
  /** Null to create one. */
  @property({ attribute: false }) link: ReusableLink | null = null;

  @state() private values: Record<FieldName, string> = emptyValues();
  @state() private isCustom = false;
  @state() private asked: ReadonlySet<'email' | 'name'> = new Set();
  @state() private fieldErrors: Partial<Record<FieldName, string>> = {};
  @state() private problemText: string | null = null;
  @state() private isMoreOpen = false;
  @state() private isBusy = false;

  readonly #methodLoader = new Loader<readonly Method[]>(this, async (signal) => await this.#readMethods(signal), true);

  readonly #brandLoader = new Loader(this, async () => await readLinkPreferences(this.context));

  override connectedCallback() {
    super.connectedCallback();
    this.values = this.link
      ? valuesOf(this.link, this.i18n.locale)
      : { ...emptyValues(), country: likelyCountry(navigator.language) };
    this.isCustom = this.link !== null && this.link.amount === null;
    this.asked = new Set(this.link?.ask ?? []);
    void this.#methodLoader.restart();
  }

  async #readMethods(signal: AbortSignal): Promise<readonly Method[]> {
    const methods = await readMethods(this.context, this.values.country as CountryAlpha3 | '', signal);
    if (!signal.aborted) this.#chooseOffered(methods);
    return methods;
  }

  /** Keeps the chosen currency and method if they are offered; otherwise chooses the first. */
  #chooseOffered(methods: readonly Method[]) {
    const enabled = methods.filter(isEnabled);
    const { currency, payment_method: code } = this.values;
    const isOffered = this.link !== null || methods.some((each) => each.currency === currency);
    const nextCurrency = isOffered ? currency : (enabled[0]?.currency ?? '');
    const inCurrency = enabled.filter((each) => each.currency === nextCurrency);
    const chosen = inCurrency.find((each) => each.payment_method === code) ?? inCurrency[0];
    this.values = { ...this.values, currency: nextCurrency, payment_method: chosen?.payment_method ?? '' };
  }

  #set(name: FieldName, value: string) {
    this.values = { ...this.values, [name]: value };
    this.fieldErrors = Object.fromEntries(Object.entries(this.fieldErrors).filter(([each]) => each !== name));
    if (name === 'country') void this.#methodLoader.restart();
    if (name === 'currency') this.#chooseOffered(this.#methodLoader.value ?? []);
  }

  async #save(event: Event) {
    event.preventDefault();
    if (this.isBusy) return;
    this.problemText = null;
    const input = this.#readInput();
    if (Object.keys(this.fieldErrors).length === 0) await this.#send(input);
    await this.updateComplete;
    focusInvalidField(this);
  }

  /** Reads the body of the request, and sets the errors of its fields. */
  #readInput(): CreateReusableLinkInput {
    const errors: Partial<Record<FieldName, string>> = {};
    const value = (name: FieldName) => this.values[name].trim();
    const currency = (value('currency') || 'USD') as CurrencyCode;
    for (const name of ['country', 'currency', 'payment_method'] as const)
      if (value(name) === '') errors[name] = this.text(`new_link.missing.${name}`);
    if (value('title') === '') errors.title = this.text('reusable_links.title_missing');
    const amount = (name: 'amount' | 'minimum' | 'maximum' | 'suggested') => {
      const parsed = parseAmountInput(value(name), currency, this.i18n.locale);
      if (typeof parsed === 'number') return parsed;
      errors[name] = amountErrorText(parsed, currency, this.i18n);
      return 0;
    };
    const wholeNumber = (name: 'stock' | 'quantity', minimum: number) => {
      if (value(name) === '') return null;
      if (/^\d{1,6}$/.test(value(name)) && Number(value(name)) >= minimum) return Number(value(name));
      errors[name] = this.text('reusable_links.whole_number');
      return null;
    };
    const maximum = this.isCustom ? null : wholeNumber('quantity', 1);
    const { quantity = null } = this.link ?? {};
    const input = {
      title: value('title'),
      description: value('description').replace(/\s+/g, ' ') || null,
      image_url: value('image') || null,
      ...{ country: value('country'), currency, payment_method: value('payment_method') },
      amount: this.isCustom ? null : amount('amount'),
      custom_amount: this.isCustom
        ? {
            ...{ minimum: amount('minimum'), maximum: amount('maximum') },
            suggested: value('suggested') === '' ? null : amount('suggested'),
          }
        : null,
      quantity:
        maximum === null || maximum === 1 ? null : { minimum: Math.min(quantity?.minimum ?? 1, maximum), maximum },
      stock: wholeNumber('stock', 0),
      ask: [...this.asked],
      success_redirect_url: value('success') || null,
    };
    this.fieldErrors = errors;
    return input as CreateReusableLinkInput;
  }

  async #send(input: CreateReusableLinkInput) {
    const { api } = this.context;
    this.isBusy = true;
    try {
      const { currency: _, ...changes } = input;
      const saved = this.link
        ? await api.updateReusableLink({ ...changes, id: this.link.id })
        : await api.createReusableLink(input);
      this.emit('link-saved', saved);
    } catch (error) {
      const problem = toProblem(error);
      const names = Object.keys(this.values) as FieldName[];
      this.fieldErrors = Object.fromEntries(
        names.flatMap((name) => {
          const detail = fieldDetail(problem, servicePaths[name] ?? name);
          return detail === null ? [] : [[name, detail] as const];
        }),
      );
      if (Object.keys(this.fieldErrors).length === 0) this.problemText = this.problemSentence(problem);
    }
    this.isBusy = false;
  }

  override render() {
    const { currency } = this.values;
    const { problem: loadProblem } = this.#methodLoader;
    const field = (name: TextName, more: Partial<Parameters<typeof textField>[0]> = {}) => ({
      ...{ id: `reusable-${name}`, name, label: this.text(`reusable_links.${name}`) },
      ...{ value: this.values[name], fieldError: this.fieldErrors[name] ?? null },
      onInput: (value: string) => this.#set(name, value),
      ...more,
    });
    const money = (name: TextName, more: { isOptional?: boolean; hint?: string } = {}) => {
      const { isOptional = false, ...others } = more;
      const label = this.text(`reusable_links.${name}`);
      return textField(
        field(name, {
          ...{ inputmode: 'decimal', dir: 'ltr', required: !isOptional, ...others },
          label: currency === '' ? label : `${label} (${currency})`,
        }),
      );
    };
    const integerInput = { inputmode: 'numeric', dir: 'ltr', maxlength: 6 } as const;
    const hint = this.text('reusable_links.optional');
    const url = { type: 'url', inputmode: 'url', dir: 'ltr', maxlength: 2048 } as const;
    return html`<div class="new-link-layout">
      <form class="new-link" autocomplete="off" novalidate @submit=${(event: Event) => void this.#save(event)}>
        ${this.problemText === null ? nothing : notice({ icon: 'circle-alert', tone: 'bad', role: 'alert', text: this.problemText })}
        <section class="panel"><div class="panel-body">
          ${textField(field('title', { required: true, maxlength: 150, dir: 'auto' }))}
          ${segmentedControl({
            ...{
              legend: this.text('new_link.fields.amount_plain'),
              name: 'kind',
              selected: this.isCustom ? 'custom' : 'fixed',
            },
            options: ['fixed', 'custom'].map((value) => ({ value, text: this.text(`reusable_links.${value}`) })),
            onChoose: (value) => (this.isCustom = value === 'custom'),
          })}
          <div class="field-pair">
            ${
              this.isCustom
                ? html`${money('minimum')} ${money('maximum')} ${money('suggested', { isOptional: true, hint })}`
                : money('amount')
            }
            ${this.link ? nothing : this.#currencySelect()}
          </div>
          ${textArea({ ...field('description', { maxlength: 500, hint }), rows: 2 })}
          ${textField(field('image', { ...url, hint: this.text('reusable_links.image_hint') }))}
        </div></section>
        ${loadProblem ? problemView(loadProblem, () => void this.#methodLoader.restart()) : nothing}
        <section class="panel"><div class="panel-body">
          ${this.#countrySelect()}
          ${methodChoices(
            this.#methodsInCurrency,
            methodsPlaceholder(this.#methodLoader, this.values.country, this.i18n),
            {
              ...{ context: this.context, country: this.values.country, chosen: this.values.payment_method },
              fieldError: this.fieldErrors.payment_method ?? null,
              choose: (value) => this.#set('payment_method', value),
            },
          )}
        </div></section>
        <section class="panel">${linkSection({
          ...{ heading: this.text('new_link.more'), summary: this.#moreSummary() },
          isOpen: this.isMoreOpen || moreFields.some((name) => this.fieldErrors[name] !== undefined),
          onToggle: (isOpen) => (this.isMoreOpen = isOpen),
          content: html`<div class="field-pair">
            ${textField(field('stock', { ...integerInput, hint: this.text('reusable_links.stock_hint') }))}
            ${this.isCustom ? nothing : textField(field('quantity', { ...integerInput, hint: this.text('reusable_links.quantity_hint') }))}
          </div>
          <div>${(['email', 'name'] as const).map((name) =>
            checkField({
              text: this.text(`reusable_links.ask_${name}`),
              isChecked: this.asked.has(name),
              onChange: (isAsked) => (this.asked = toggled(this.asked, name, isAsked)),
            }),
          )}</div>
          ${textField(field('success', { ...url, hint: this.text('reusable_links.success_hint') }))}`,
        })}</section>
        ${enterSubmits}
        ${button(this.text(this.link ? 'reusable_links.save' : 'reusable_links.create'), null, { kind: 'primary', isBusy: this.isBusy, className: 'wide' })}
      </form>
      ${this.#preview()}
    </div>`;
  }

  /** The values of the closed section. */
  #moreSummary(): string {
    const filled = moreFields.filter((name) => this.values[name] !== '');
    const values = filled.map((name) => `${this.text(`reusable_links.${name}`)}: ${this.values[name]}`);
    const asked = [...this.asked].map((name) => this.text(`reusable_links.ask_${name}`));
    return [...values, ...asked].join(' · ') || this.text('new_link.nothing_entered');
  }

  get #methodsInCurrency(): readonly Method[] {
    return (this.#methodLoader.value ?? []).filter(({ currency }) => currency === this.values.currency);
  }

  #preview() {
    const { title, description, payment_method: chosen, amount, suggested, minimum } = this.values;
    const currency = (this.values.currency || 'USD') as CurrencyCode;
    const parsed = parseAmountInput(this.isCustom ? suggested.trim() || minimum : amount, currency, this.i18n.locale);
    const others = this.#methodsInCurrency.filter(isEnabled).map(({ payment_method: code }) => code);
    return html`<link-preview
      .brand=${this.#brandLoader.value ?? { ...noBrand, name: this.context.merchant?.name ?? '' }}
      .currency=${currency}
      .amount=${typeof parsed === 'number' ? parsed : null}
      .description=${title}
      .details=${description}
      .country=${this.values.country}
      .methods=${[chosen, ...others.filter((code) => code !== chosen)].filter((code) => code !== '')}
    ></link-preview>`;
  }

  #countrySelect() {
    const options = this.context.format.countries.map(({ alpha3, name }) => [alpha3, name] as const);
    return this.#select('country', [['', this.text('new_link.choose_country')], ...options]);
  }

  #currencySelect() {
    const currencies = [...new Set(this.#methodLoader.value?.map(({ currency }) => currency))];
    return this.#select(
      'currency',
      currencies.length === 0
        ? [['', '–']]
        : currencies.map((code) => [code, this.context.format.currency(code)] as const),
    );
  }

  #select(name: 'country' | 'currency', options: readonly (readonly [string, string])[]) {
    const fieldError = this.fieldErrors[name] ?? null;
    return selectField({
      ...{ id: `reusable-${name}`, name, label: this.text(`new_link.fields.${name}`), options },
      ...{ value: this.values[name], isRequired: true, isInvalid: fieldError !== null },
      change: (value) => this.#set(name, value),
      after: fieldErrorMessage(`reusable-${name}-error`, fieldError),
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'reusable-link-form': ReusableLinkForm;
  }
}
