import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type {
  ListPaymentMethodsResponse,
  ListPaymentMethodsInput,
  SetPaymentMethodsInput,
} from '../../../client/api.ts';
import { currencyCodes, minorUnitsOf } from '../../../src/shared/currencies.ts';
import catalog from '../../../src/shared/method-catalog.json' with { type: 'json' };
import { decimalSeparator } from '../../../src/shared/amount-input.ts';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { amountText } from '../amounts.ts';
import { focusInvalidField, textField } from '../fields.ts';
import { Loader } from '../loader.ts';
import { methodLogo, nameOfMethod } from '../transactions/methods.ts';
import { parseTypedAmount } from '../typed-amount.ts';
import { UnsavedChanges } from '../unsaved-changes.ts';
import '../web-awesome.ts';
import '@awesome.me/webawesome/dist/components/switch/switch.js';
import { toProblem } from '../problems.ts';
import { emptyState, pageHead, selectField, tag } from '../parts.ts';

/** Countries with local methods, two others, and their home currencies. */
const homeCurrencies: Readonly<Record<string, string>> = { USA: 'USD', FRA: 'EUR', ...catalog.homeCurrencies };

type Method = ListPaymentMethodsResponse['payment_methods'][number];
/** Changes to a method; an empty fee is unchanged. */
interface Edit {
  status?: 'enable' | 'disable';
  fix?: string;
  percent?: string;
}

/** For managers: a merchant's payment methods and fees. */
@customElement('methods-page')
export class MethodsPage extends AccountPage {
  @state() private country = 'USA';
  @state() private currency = 'USD';
  @state() private edits: ReadonlyMap<string, Edit> = new Map();
  /** The fee field that the user has emptied last: it stays empty for the next key. */
  @state() private emptied = '';
  @state() private fieldErrors: ReadonlyMap<string, string> = new Map();
  @state() private isSaving = false;

  readonly #loader = new Loader<readonly Method[]>(this, async (signal) => {
    const query = { country: this.country, currency: this.currency } as ListPaymentMethodsInput;
    const response = await this.context.api.listPaymentMethods(query, { signal });
    return response.payment_methods;
  });
  readonly #unsavedChanges = new UnsavedChanges(this, {
    count: () => this.edits.size,
    save: async () => await this.#save(),
    discard: () => this.#discard(),
  });

  async #select(select: { value: string }, choice: { country?: string; currency?: string }) {
    if (!(await this.canLeave())) {
      select.value = choice.country === undefined ? this.currency : this.country;
      return;
    }
    this.country = choice.country ?? this.country;
    this.currency = choice.currency ?? homeCurrencies[this.country] ?? this.currency;
    this.#discard();
    await this.#loader.restart();
  }

  #discard() {
    this.edits = new Map();
    this.emptied = '';
    this.fieldErrors = new Map();
  }

  #editMethod({ payment_method: method, status }: Method, change: Edit) {
    const next: Edit = { ...this.edits.get(method), ...change };
    // A value that is reset during a save differs from the saved one afterward.
    if (next.status === status && !this.isSaving) delete next.status;
    if (next.fix === '') delete next.fix;
    if (next.percent === '') delete next.percent;
    const edits = new Map(this.edits);
    if (Object.keys(next).length === 0) edits.delete(method);
    else edits.set(method, next);
    this.edits = edits;
    const fieldErrors = new Map(this.fieldErrors);
    for (const name of ['fix', 'percent']) fieldErrors.delete(`${method} ${name}`);
    this.fieldErrors = fieldErrors;
  }

  /** The fixed fee as a number; null if the input is not an amount of the currency. */
  #parseFix(input: string): number | null {
    const minor = parseTypedAmount(input, this.currency, this.i18n.locale);
    return minor === null ? null : Number(amountText(minor, this.currency));
  }

  #statusOf({ payment_method: method, status }: Method): Method['status'] {
    return this.edits.get(method)?.status ?? status;
  }

  async #save() {
    const methods = this.#loader.value ?? [];
    const changed = methods.filter(({ payment_method: method }) => this.edits.has(method));
    this.fieldErrors = new Map(
      changed.flatMap(({ payment_method: method }) =>
        (['fix', 'percent'] as const).flatMap((name) => {
          const input = this.edits.get(method)?.[name];
          const isValid =
            input === undefined ||
            (name === 'fix' ? this.#parseFix(input) !== null : /^\d{1,2}([.,]\d{1,4})?$/.test(input));
          return isValid ? [] : [[`${method} ${name}`, this.text(`merchants.error_${name}`)] as const];
        }),
      ),
    );
    if (this.fieldErrors.size === 0) await this.#send(changed);
    await this.updateComplete;
    focusInvalidField(this);
  }

  async #send(changed: readonly Method[]) {
    if (this.isSaving) return;
    this.isSaving = true;
    const { api, announce } = this.context;
    const { edits, currency } = this;
    const entries = changed.map((method) => {
      const { fix, percent } = edits.get(method.payment_method) ?? {};
      return {
        payment_method: method.payment_method,
        currency,
        status: this.#statusOf(method),
        ...(fix === undefined ? {} : { fee_fix: this.#parseFix(fix) ?? 0 }),
        ...(percent === undefined ? {} : { fee_percent: Number(percent.replace(',', '.')) }),
      };
    });
    try {
      await api.setPaymentMethods({ payment_methods: entries as SetPaymentMethodsInput['payment_methods'] });
      if (currency === this.currency) this.#keepNewerEdits(edits, entries);
      announce(this.text('settings.saved'));
      void this.#loader.run();
    } catch (error) {
      const problem = toProblem(error);
      const fields = { fee_fix: 'fix', fee_percent: 'percent' };
      this.fieldErrors = new Map(
        problem.errors.flatMap(({ pointer, detail }) => {
          const [, index = '', field = ''] = /^\/payment_methods\/(\d+)\/(\w+)$/.exec(pointer) ?? [];
          const method = changed[Number(index)]?.payment_method;
          const name = fields[field as keyof typeof fields] as string | undefined;
          return method === undefined || name === undefined ? [] : [[`${method} ${name}`, detail] as const];
        }),
      );
      announce(this.fieldErrors.size === 0 ? this.problemSentence(problem) : this.text('settings.not_saved'));
    }
    this.isSaving = false;
  }

  /** Applies the saved values and keeps edits made during the save. */
  #keepNewerEdits(saved: ReadonlyMap<string, Edit>, entries: readonly Partial<Method>[]) {
    const { value: methods } = this.#loader;
    const savedEntry = (code: string) => entries.find(({ payment_method: method }) => method === code);
    if (methods) this.#loader.set(methods.map((method) => ({ ...method, ...savedEntry(method.payment_method) })));
    this.edits = new Map(
      [...this.edits].flatMap(([method, edit]) => {
        const savedEdit = saved.get(method);
        const newerEdits = Object.entries(edit).filter(([name, value]) => value !== savedEdit?.[name as keyof Edit]);
        return newerEdits.length === 0 ? [] : [[method, Object.fromEntries(newerEdits)] as const];
      }),
    );
  }

  #name(method: string): string {
    return nameOfMethod(method, this.i18n);
  }

  override render() {
    return html`${pageHead(this.text('shell.pages.methods'), nothing, this.text('merchants.methods_text'))}
      ${this.#filters()}
      ${loadView(this.#loader, this.i18n, {
        skeleton: () => skeletonRows(6),
        empty: (methods) => (methods.length > 0 ? null : emptyState('credit-card', this.text('merchants.no_methods'))),
        content: (methods) => this.#table(methods),
      })}
      ${this.#unsavedChanges.bar(this.isSaving)}`;
  }

  #filters() {
    const { format } = this.context;
    const countries = format.countries.map(({ alpha3, name }) => [alpha3, name] as const);
    return html`<div class="method-choices">
      ${selectField({
        ...{ id: 'method-country', label: this.text('merchants.country'), options: countries, value: this.country },
        change: (country, select) => void this.#select(select, { country }),
      })}
      ${selectField({
        ...{ id: 'method-currency', label: this.text('merchants.currency'), value: this.currency },
        options: currencyCodes.map((code) => [code, format.currency(code)]),
        change: (currency, select) => void this.#select(select, { currency }),
      })}
    </div>`;
  }

  #table(methods: readonly Method[]) {
    return html`<table class="panel methods-table">
      <thead>
        <tr>
          <th scope="col">${this.text('merchants.method')}</th>
          <th scope="col">${this.text('merchants.enabled')}</th>
          <th class="fee" scope="col">${this.text('merchants.fee_fix')}</th>
          <th class="fee" scope="col">${this.text('merchants.fee_percent')}</th>
        </tr>
      </thead>
      <tbody>
        ${methods.map((method) => this.#row(method))}
      </tbody>
    </table>`;
  }

  #row(method: Method) {
    const { payment_method: code } = method;
    const name = this.#name(code);
    const isOn = this.#statusOf(method) === 'enable';
    return html`<tr data-method=${code}>
      <th scope="row">
        <span class="row-title with-logo">${methodLogo(code)}${name}</span>
        ${this.edits.has(code) ? tag(this.text('settings.changed'), 'warn') : nothing}
        <code class="row-text" dir="ltr">${code}</code>
      </th>
      <td data-label=${this.text('merchants.enabled')}>
        <wa-switch
          .checked=${isOn}
          @change=${(event: Event) =>
            this.#editMethod(method, { status: (event.target as HTMLInputElement).checked ? 'enable' : 'disable' })}
        >
          <span class="visually-hidden">${name}</span>
          <span aria-hidden="true">${this.text(isOn ? 'settings.on' : 'settings.off')}</span>
        </wa-switch>
      </td>
      ${this.#feeCell(method, 'fix', this.currency)} ${this.#feeCell(method, 'percent', '%')}
    </tr>`;
  }

  #feeCell(method: Method, name: 'fix' | 'percent', unit: string) {
    const { payment_method: code } = method;
    const label = this.text(`merchants.fee_${name}`);
    const field = `${code} ${name}`;
    const decimals = name === 'fix' ? minorUnitsOf(this.currency) : 2;
    const saved = feeText(method[`fee_${name}`], decimals, this.i18n.locale);
    return html`<td class="fee" data-label=${label}>
      ${textField({
        ...{ id: `fee-${code}-${name}`, name: `${code}-${name}`, inputmode: 'decimal', dir: 'ltr' },
        ...{ label: `${label} (${unit}): ${this.#name(code)}`, isLabelHidden: true, className: 'field-number' },
        placeholder: this.text('merchants.unchanged'),
        end: html`<span slot="end" aria-hidden="true">${unit}</span>`,
        value: this.emptied === field ? '' : (this.edits.get(code)?.[name] ?? saved),
        fieldError: this.fieldErrors.get(field) ?? null,
        onInput: (value) => {
          this.emptied = value.trim() === '' ? field : '';
          this.#editMethod(method, { [name]: value.trim() });
        },
      })}
    </td>`;
  }
}

/** A fee with at least the decimals of its currency, so that the amounts of a column are in line. */
function feeText(fee: number | undefined, decimals: number, locale: string): string {
  if (fee === undefined) return '';
  const text = String(fee);
  const [, fraction = ''] = text.split('.');
  return (fraction.length < decimals ? fee.toFixed(decimals) : text).replace('.', decimalSeparator(locale));
}
