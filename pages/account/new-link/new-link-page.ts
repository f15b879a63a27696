import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type {
  CountryAlpha3,
  CreateTransactionInput,
  LinkCreated,
  ListPaymentMethodsAnswer,
  TransactionDetail,
} from '../../../client/api.ts';
import type { CurrencyCode } from '../../../src/shared/currencies.ts';
import { minorUnitsOf } from '../../../src/shared/currencies.ts';
import { fieldMistake } from '../../checkout/elements/field-mistake.ts';
import { AccountPage } from '../account-page.ts';
import { currenciesOf, likelyCountry } from '../countries.ts';
import { may } from '../context.ts';
import { textField } from '../fields.ts';
import { icon } from '../icons.ts';
import { methodMark, nameOfMethod } from '../transactions/methods.ts';
import { type AmountMistake, type Fee, readAmount, splitOf } from './amounts.ts';
import { rememberedWays, rememberWays } from './remembered.ts';
import './made-link.ts';
import type { PaylatchError } from '../../../client/error.ts';
import { asProblem, fieldDetail, problemWords } from '../problems.ts';
import { button } from '../parts.ts';

type Way = ListPaymentMethodsAnswer['payment_methods'][number];

type FieldName =
  | 'country'
  | 'currency'
  | 'payment_method'
  | 'amount'
  | 'description'
  | 'transaction_id'
  | 'success_redirect_url'
  | 'fail_redirect_url'
  | 'type_of_calculation';
type Values = Record<FieldName, string>;
type Mistakes = Partial<Record<FieldName, string>>;

const fieldNames: readonly FieldName[] = [
  ...(['country', 'currency', 'payment_method', 'amount', 'type_of_calculation', 'description'] as const),
  ...(['transaction_id', 'success_redirect_url', 'fail_redirect_url'] as const),
];

/** A payment link, made step by step: what fits each other is offered, and why something does not is said. */
@customElement('new-link-page')
export class NewLinkPage extends AccountPage {
  @state() private fields: Values = this.#fresh();
  @state() private mistakes: Mistakes = {};
  @state() private trouble: PaylatchError | null = null;
  /** Of the country, in each of its currencies; null while they are fetched. */
  @state() private ways: readonly Way[] | null = null;
  @state() private waysTrouble: PaylatchError | null = null;
  @state() private lifetimeMinutes: number | null = null;
  @state() private isBusy = false;
  @state() private made: { link: LinkCreated; detail: TransactionDetail | null } | null = null;

  #asked = 0;

  override connectedCallback() {
    super.connectedCallback();
    const { merchant } = this.context;
    this.fields = { ...this.fields, ...rememberedWays(merchant?.id ?? 0) };
    if (this.fields.country === '') this.fields = { ...this.fields, country: likelyCountry(navigator.language) };
    void this.#findWays();
    void this.#readLifetime();
  }

  #fresh(): Values {
    const random = [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => (byte % 36).toString(36)).join('');
    const day = new Date().toISOString().slice(2, 10).replaceAll('-', '');
    return {
      ...{ country: '', currency: '', payment_method: '', amount: '', description: '' },
      ...{ success_redirect_url: '', fail_redirect_url: '', type_of_calculation: 'forward_without_fee' },
      transaction_id: `link-${day}-${random}`,
    };
  }

  // What fits each other

  async #findWays() {
    const { country } = this.fields;
    const asked = ++this.#asked;
    this.ways = null;
    this.waysTrouble = null;
    if (country === '') return;
    try {
      const answers = await Promise.all(
        currenciesOf(country).map(
          async (currency) =>
            await this.context.api.listPaymentMethods({ country: country as CountryAlpha3, currency }),
        ),
      );
      if (asked !== this.#asked) return;
      this.ways = answers.flatMap(({ payment_methods: ways }) => ways);
      this.#settle();
    } catch (error) {
      if (asked === this.#asked) this.waysTrouble = asProblem(error);
    }
  }

  get #currencies(): string[] {
    return [...new Set(this.ways?.map(({ currency }) => currency))];
  }

  get #methods(): Way[] {
    const offered = this.ways?.filter(({ currency }) => currency === this.fields.currency) ?? [];
    return offered.toSorted((one, other) => Number(isOn(other)) - Number(isOn(one)));
  }

  /** Keeps what still fits; else the first that does. */
  #settle() {
    const on = this.ways?.filter(isOn) ?? [];
    const currencies = this.#currencies;
    const { currency, payment_method: method } = this.fields;
    const nextCurrency = currencies.includes(currency) ? currency : (on[0]?.currency ?? currencies[0] ?? '');
    const inCurrency = on.filter((way) => way.currency === nextCurrency);
    const kept = inCurrency.find((way) => way.payment_method === method) ?? inCurrency[0];
    this.fields = { ...this.fields, currency: nextCurrency, payment_method: kept?.payment_method ?? '' };
    this.#checkAmount(false);
  }

  /** What the chosen way costs; null while none is chosen. */
  get #fee(): Fee | null {
    const { currency, payment_method: method } = this.fields;
    const way = this.ways?.find((each) => each.currency === currency && each.payment_method === method);
    if (way?.fee_fix === undefined || way.fee_percent === undefined) return null;
    return { fix: way.fee_fix, percent: way.fee_percent };
  }

  async #readLifetime() {
    if (!may(this.context, 'preference:read')) return;
    const { api } = this.context;
    const found = await api.listPreferences().catch(() => null);
    const set = found?.merchantPreferences.find(({ key }) => key === 'link-lifetime-minutes');
    const minutes = Number(set?.value ?? Number.NaN);
    if (Number.isFinite(minutes)) this.lifetimeMinutes = minutes;
  }

  // What is typed

  #set(name: FieldName, value: string) {
    this.fields = { ...this.fields, [name]: value };
    this.mistakes = Object.fromEntries(Object.entries(this.mistakes).filter(([each]) => each !== name));
    if (name === 'country') void this.#findWays();
    if (name === 'currency') this.#settle();
    if (name === 'amount') this.#checkAmount(false);
  }

  get #amount(): number | AmountMistake {
    return readAmount(this.fields.amount, this.#currency);
  }

  get #currency(): CurrencyCode {
    return (this.fields.currency || 'USD') as CurrencyCode;
  }

  /** While it is typed only what cannot become right any more is a mistake. */
  #checkAmount(isWhole: boolean) {
    const amount = this.#amount;
    const early: readonly unknown[] = ['too_many_decimals', 'not_a_number', 'too_large'];
    if (typeof amount === 'string' && (isWhole || early.includes(amount)))
      this.mistakes = { ...this.mistakes, amount: this.#amountWords(amount) };
  }

  #amountWords(mistake: AmountMistake): string {
    const decimals = minorUnitsOf(this.#currency);
    const key = mistake === 'too_many_decimals' && decimals === 0 ? 'no_decimals' : mistake;
    return this.text(`new_link.amount_mistakes.${key}`, { currency: this.fields.currency, count: decimals });
  }

  #mistakesOf(values: Values): Mistakes {
    const missing = fieldNames.filter((name) => values[name].trim() === '' && name !== 'amount');
    const mistakes: Mistakes = Object.fromEntries(missing.map((name) => [name, this.text(`new_link.missing.${name}`)]));
    for (const name of ['success_redirect_url', 'fail_redirect_url'] as const)
      if (mistakes[name] === undefined && !/^https?:\/\//i.test(values[name].trim()))
        mistakes[name] = this.text('new_link.address_mistake');
    // These follow from the country, and are asked for once it is there.
    if (mistakes.country !== undefined)
      for (const name of ['currency', 'payment_method'] as const) delete mistakes[name];
    const amount = this.#amount;
    return typeof amount === 'string' ? { ...mistakes, amount: this.#amountWords(amount) } : mistakes;
  }

  async #submit(event: SubmitEvent) {
    event.preventDefault();
    if (this.isBusy) return;
    const values = this.fields;
    this.trouble = null;
    this.mistakes = this.#mistakesOf(values);
    if (Object.keys(this.mistakes).length === 0) await this.#send(values);
    if (this.made) return;
    await this.updateComplete;
    this.querySelector<HTMLElement>('.mistake-summary')?.focus();
  }

  async #send(values: Values) {
    const trimmed = Object.fromEntries(fieldNames.map((name) => [name, values[name].trim()]));
    const body = { ...trimmed, amount: this.#amount, transaction_type: 'link' };
    this.isBusy = true;
    try {
      const { api, merchant } = this.context;
      const link = (await api.createTransaction(body as CreateTransactionInput)) as LinkCreated;
      const detail = await api.getTransaction({ transaction_id: link.transaction_id }).catch(() => null);
      rememberWays(merchant?.id ?? 0, values);
      this.made = { link, detail };
      this.context.say(this.text('new_link.made_said'));
      await this.updateComplete;
      scrollTo(0, 0);
      this.querySelector<HTMLElement>('h1')?.focus();
    } catch (error) {
      this.#takeProblem(asProblem(error));
    }
    this.isBusy = false;
  }

  /** A mistake stands at the field that it is about; what is about none stands above. */
  #takeProblem(problem: PaylatchError) {
    const found = fieldNames.flatMap((name) => {
      const detail = fieldDetail(problem, name);
      return detail === null ? [] : [[name, detail] as const];
    });
    this.mistakes = Object.fromEntries(found);
    if (problem.code === 'transaction_id_conflict')
      this.mistakes = { ...this.mistakes, transaction_id: this.text('new_link.reference_taken') };
    if (Object.keys(this.mistakes).length === 0) this.trouble = problem;
  }

  #another() {
    const { country, currency, payment_method, type_of_calculation, success_redirect_url, fail_redirect_url } =
      this.fields;
    const kept = { country, currency, payment_method, type_of_calculation, success_redirect_url, fail_redirect_url };
    this.fields = { ...this.#fresh(), ...kept };
    this.mistakes = {};
    this.made = null;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('#link-amount')?.focus());
  }

  // What is drawn

  override render() {
    const title = this.made ? 'new_link.made_title' : 'shell.pages.new_link';
    return html`<header class="page-head"><h1 tabindex="-1">${this.text(title)}</h1></header>
      ${this.made ? this.#madeLink(this.made) : this.#form()}`;
  }

  #madeLink({ link, detail }: NonNullable<typeof this.made>) {
    return html`<made-link
      .link=${link}
      .detail=${detail}
      @make-another=${() => this.#another()}
    ></made-link>`;
  }

  #form() {
    const { fields, mistakes } = this;
    const text = (name: FieldName, more: Partial<Parameters<typeof textField>[0]> = {}) =>
      textField({
        ...{ id: `link-${name}`, name, label: this.text(`new_link.fields.${name}`), value: fields[name] },
        ...{ mistake: mistakes[name] ?? null, required: true },
        onInput: (value) => this.#set(name, value),
        ...more,
      });
    const decimals = minorUnitsOf(this.#currency);
    return html`<form class="new-link" autocomplete="off" novalidate @submit=${(event: SubmitEvent) => void this.#submit(event)}>
      ${this.#summary()}
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
          ${this.#feeChoices()}
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
        <p class="hint">${this.#lifetime()}</p>
        ${button(this.text('new_link.make'), null, { kind: 'main', isBusy: this.isBusy, className: 'wide' })}
      </div>
    </form>`;
  }

  #lifetime() {
    const { lifetimeMinutes: minutes } = this;
    if (minutes === null) return this.text('new_link.lifetime_usual');
    const [unit, size] =
      minutes % 1440 === 0
        ? (['day', 1440] as const)
        : minutes % 60 === 0
          ? (['hour', 60] as const)
          : (['minute', 1] as const);
    const locale = `${this.words.locale}-u-nu-latn`;
    const time = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(minutes / size);
    return this.text('new_link.lifetime', { time });
  }

  /** The amount is in a currency as soon as there is one. */
  #fieldName(name: FieldName): string {
    const { currency } = this.fields;
    const key = name === 'amount' && currency === '' ? 'amount_plain' : name;
    return this.text(`new_link.fields.${key}`, { currency });
  }

  #summary() {
    const names = fieldNames.filter((name) => this.mistakes[name] !== undefined);
    if (this.trouble) {
      const { heading, text } = problemWords(this.trouble, this.words);
      return html`<div class="mistake-summary" tabindex="-1" role="alert">
        <p class="mistake-heading">${icon('triangle-alert')}${heading}</p>
        <p>${text}</p>
      </div>`;
    }
    // One that is seen while it is typed stands at its field alone.
    if (names.length === 0 || (names.length === 1 && names[0] === 'amount')) return nothing;
    const go = (event: Event, name: FieldName) => {
      event.preventDefault();
      const field = this.querySelector<HTMLElement>(`#link-${name}, [name="${name}"]:not(:disabled)`);
      field?.focus();
    };
    return html`<div class="mistake-summary" tabindex="-1" role="alert">
      <p class="mistake-heading">${icon('triangle-alert')}${this.text('new_link.mistakes', { count: names.length })}</p>
      <ul>
        ${names.map(
          (name) =>
            html`<li>
              <a href="#link-${name}" @click=${(event: Event) => go(event, name)}
                >${this.#fieldName(name)}: ${this.mistakes[name]}</a
              >
            </li>`,
        )}
      </ul>
    </div>`;
  }

  #countrySelect() {
    const options = this.context.format.countries.map(({ alpha3, name }) => [alpha3, name] as const);
    return this.#select(
      'country',
      [['', this.text('new_link.choose')], ...options],
      this.text('new_link.country_hint'),
    );
  }

  #currencySelect() {
    const options = this.#currencies.map((code) => [code, this.context.format.currency(code)] as const);
    const hint = options.length === 0 ? '' : this.text('new_link.currency_hint', { list: this.#currencies.join(', ') });
    const none = this.fields.country === '' ? this.text('new_link.country_first') : '–';
    return this.#select('currency', options.length === 0 ? [['', none]] : options, hint);
  }

  #select(name: 'country' | 'currency', options: readonly (readonly [string, string])[], hint: string) {
    const mistake = this.mistakes[name] ?? null;
    const id = `link-${name}`;
    const value = this.fields[name];
    return html`<div class="labelled">
      <label for=${id}>${this.text(`new_link.fields.${name}`)}</label>
      <div class="select">
        <select
          class="field"
          id=${id}
          name=${name}
          autocomplete="off"
          aria-required="true"
          aria-invalid=${mistake === null ? nothing : 'true'}
          aria-describedby="${id}-mistake ${id}-hint"
          @change=${(event: Event) => this.#set(name, (event.target as HTMLSelectElement).value)}
        >
          ${options.map(([each, label]) => html`<option value=${each} ?selected=${each === value}>${label}</option>`)}
        </select>
        ${icon('chevron-down')}
      </div>
      ${fieldMistake(`${id}-mistake`, mistake)}
      <p class="hint" id="${id}-hint">${hint}</p>
    </div>`;
  }

  #methodChoices() {
    const mistake = this.mistakes.payment_method ?? null;
    return html`<fieldset class="choices" aria-describedby=${mistake === null ? nothing : 'link-payment_method-mistake'}>
      <legend class="label">${this.text('new_link.fields.payment_method')}</legend>
      ${this.#methodList()} ${fieldMistake('link-payment_method-mistake', mistake)}
    </fieldset>`;
  }

  #methodList() {
    if (this.waysTrouble)
      return html`<account-state
        .problem=${this.waysTrouble}
        .isAside=${true}
        @try-again=${() => void this.#findWays()}
      ></account-state>`;
    if (this.fields.country === '') return html`<p class="hint">${this.text('new_link.country_first')}</p>`;
    if (this.ways === null) return html`<p class="choice" aria-busy="true"><span class="bone"></span></p>`;
    const methods = this.#methods;
    const none = methods.some(isOn)
      ? nothing
      : html`<p class="hint" role="status">${this.text('new_link.no_method')}</p>`;
    return html`${none}
    ${methods.map(
      (way) =>
        html`<label class="choice" ?data-off=${!isOn(way)}>
          <input
            type="radio"
            name="payment_method"
            value=${way.payment_method}
            .checked=${way.payment_method === this.fields.payment_method}
            ?disabled=${!isOn(way)}
            @change=${() => this.#set('payment_method', way.payment_method)}
          />
          <span class="choice-words">
            <span>${nameOfMethod(way.payment_method, this.words)}</span>
            ${isOn(way) ? nothing : html`<small dir="auto">${way.message ?? this.text('new_link.method_off')}</small>`}
          </span>
          ${methodMark(way.payment_method)}
        </label>`,
    )}`;
  }

  #feeWords({ fix, percent }: Fee) {
    const { format } = this.context;
    const places = {
      fix: format.money(String(fix), this.#currency),
      percent: new Intl.NumberFormat(this.words.locale, { style: 'percent', maximumFractionDigits: 4 }).format(
        percent / 100,
      ),
    };
    if (fix === 0 && percent === 0) return this.text('new_link.fee_none');
    if (fix === 0 || percent === 0)
      return this.text('new_link.fee_single', { fee: fix === 0 ? places.percent : places.fix });
    return this.text('new_link.fee', places);
  }

  #feeChoices() {
    const amount = this.#amount;
    const fee = this.#fee;
    const mistake = this.mistakes.type_of_calculation ?? null;
    return html`<fieldset class="choices">
      <legend class="label">${this.text('new_link.fields.type_of_calculation')}</legend>
      ${(['forward_without_fee', 'forward_with_fee'] as const).map((calculation) => {
        const isOnTop = calculation === 'forward_with_fee';
        const split = fee === null || typeof amount === 'string' ? null : splitOf(amount, this.#currency, fee, isOnTop);
        const money = (value: string) => this.context.format.money(value, this.#currency);
        return html`<label class="choice">
          <input
            type="radio"
            name="type_of_calculation"
            value=${calculation}
            .checked=${this.fields.type_of_calculation === calculation}
            @change=${() => this.#set('type_of_calculation', calculation)}
          />
          <span class="choice-words">
            <span>${this.text(`new_link.${calculation}`)}</span>
            <small>
              ${
                split === null
                  ? this.text(`new_link.${calculation}_text`)
                  : this.text('new_link.split', { gets: money(split.gets), pays: money(split.pays) })
              }
            </small>
          </span>
        </label>`;
      })}
      ${fee === null ? nothing : html`<p class="hint">${this.#feeWords(fee)}</p>`}
      ${fieldMistake('link-type_of_calculation-mistake', mistake)}
    </fieldset>`;
  }
}

function isOn({ status }: Way): boolean {
  return status === 'enable';
}
