import { html, nothing, type TemplateResult } from 'lit';
import {
  itemErrorNames,
  type ItemValues,
  lifetimes,
  payerCountryOf,
  payerFieldNames,
  stateFieldOf,
  type FieldErrors,
  type FieldName,
  type FieldValues,
} from './link-fields.ts';
import type { CurrencyCode } from '../../../src/shared/currencies.ts';
import type { AccountContext } from '../context.ts';
import { expandableRow } from '../expandable-row.ts';
import { textField } from '../fields.ts';
import { selectField } from '../parts.ts';
import { fieldErrorMessage } from '../../checkout/elements/field-error.ts';
import { nameOfMethod } from '../transactions/methods.ts';
import type { AmountError } from './amounts.ts';
import { lifetimeText } from './link-choices.ts';
import { itemsField } from './link-items.ts';
import { payerOf } from './link-request.ts';

export type SectionName = 'method' | 'fee' | 'items' | 'payer' | 'after' | 'expiry';

/** Fields of each section, to open it when one of them has an error. */
const sectionFields: Readonly<Record<SectionName, readonly (keyof FieldErrors)[]>> = {
  method: ['country', 'payment_method', 'capture'],
  fee: ['type_of_calculation'],
  items: itemErrorNames,
  payer: payerFieldNames,
  after: ['success_redirect_url', 'fail_redirect_url'],
  expiry: ['lifetime', 'transaction_id'],
};

const hasErrorIn = (section: SectionName, fieldErrors: FieldErrors): boolean =>
  sectionFields[section].some((name) => fieldErrors[name] !== undefined);

interface Section {
  heading: string;
  /** Current values, shown while the section is closed. */
  summary: string;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  content: unknown;
}

/** A section that expands. */
export function linkSection({ heading, summary, isOpen, onToggle, content }: Section): TemplateResult {
  return expandableRow({
    head: html`<span class="row-content"
      ><span class="row-title">${heading}</span><span class="row-text"><bdi>${summary}</bdi></span></span
    >`,
    className: 'link-section',
    ...{ isOpen, onToggle, content },
  });
}

export interface Fields {
  context: AccountContext;
  values: FieldValues;
  fieldErrors: FieldErrors;
  set: (name: FieldName, value: string) => void;
}

/** A text field of the form. */
export function linkField(
  { context: { i18n }, values, fieldErrors, set }: Fields,
  name: FieldName,
  more: Partial<Parameters<typeof textField>[0]> = {},
): TemplateResult {
  return textField({
    ...{ id: `link-${name}`, name, label: i18n.text(`account.new_link.fields.${name}`), value: values[name] },
    fieldError: fieldErrors[name] ?? null,
    onInput: (value) => set(name, value),
    ...more,
  });
}

/** Known details of the payer; the payment page does not ask for them again. */
function payerFields(fields: Fields, isOpen: boolean): TemplateResult {
  const { i18n } = fields.context;
  const types = { email: 'email', phone: 'tel' } as const;
  const state = stateFieldOf(payerCountryOf(fields.values));
  const shownFields = payerFieldNames.filter((name) => name !== 'state' || state !== undefined);
  return html`<p class="hint">${i18n.text('account.new_link.payer_hint')}</p>
    <div class="field-pair">
      ${shownFields.map((name) => {
        // Hundreds of options slow the page down.
        if (name === 'payer_country') return isOpen ? payerCountrySelect(fields) : nothing;
        return linkField(fields, name, {
          label: i18n.text(`fields.${name === 'state' && state ? state.label : name}`),
          maxlength: { phone: 32, postcode: 20, email: 254, address: 255 }[name as string] ?? 100,
          ...(name in types && { type: types[name as keyof typeof types], dir: 'ltr' as const }),
        });
      })}
    </div>`;
}

/** The payer's billing country, by default the link's country. */
function payerCountrySelect({ context: { i18n, format }, values, fieldErrors, set }: Fields): TemplateResult {
  const options = format.countries.map(({ alpha3, name }) => [alpha3, name] as const);
  return selectField({
    ...{ id: 'link-payer_country', name: 'payer_country', label: i18n.text('account.new_link.fields.payer_country') },
    options: [['', i18n.text('account.new_link.payer_country_default')], ...options],
    ...{ value: values.payer_country, isInvalid: fieldErrors.payer_country !== undefined },
    change: (value) => set('payer_country', value),
    after: fieldErrorMessage('link-payer_country-error', fieldErrors.payer_country ?? null),
  });
}

/** Redirect URLs after the payment; without them, the buyer stays on the payment page. */
function redirectFields(fields: Fields): TemplateResult {
  const url = { type: 'url', inputmode: 'url', dir: 'ltr' } as const;
  return html`<p class="hint">${fields.context.i18n.text('account.new_link.redirect_hint')}</p>
    ${linkField(fields, 'success_redirect_url', { ...url, placeholder: 'https://shop.example/paid' })}
    ${linkField(fields, 'fail_redirect_url', { ...url, placeholder: 'https://shop.example/not-paid' })}`;
}

/** `3 days`, in the user's language. */
function lifetimeName(minutes: number, locale: string): string {
  const [unit, size] = minutes % 1440 === 0 ? (['day', 1440] as const) : (['hour', 60] as const);
  return new Intl.NumberFormat(`${locale}-u-nu-latn`, { style: 'unit', unit, unitDisplay: 'long' }).format(
    minutes / size,
  );
}

/** Expiry and reference of the link. */
function expiryFields(fields: Fields, defaultMinutes: number | null): TemplateResult {
  const { context, values, fieldErrors, set } = fields;
  const text = (key: string) => context.i18n.text(`account.new_link.${key}`);
  const options = lifetimes.map((minutes) => [String(minutes), lifetimeName(minutes, context.i18n.locale)] as const);
  return html`${selectField({
    ...{ id: 'link-lifetime', name: 'lifetime', label: text('fields.lifetime'), value: values.lifetime },
    options: [['', text('lifetime_default')], ...options],
    isInvalid: fieldErrors.lifetime !== undefined,
    change: (value) => set('lifetime', value),
    after: html`${fieldErrorMessage('link-lifetime-error', fieldErrors.lifetime ?? null)}
      <p class="hint">${lifetimeText(values.lifetime === '' ? defaultMinutes : Number(values.lifetime), context.i18n)}</p>`,
  })}
  ${linkField(fields, 'transaction_id', { required: true, maxlength: 64, hint: text('reference_hint') })}`;
}

/** Selects whether an approved card is charged immediately, or authorized and captured later. */
function captureField({ context: { i18n }, values, fieldErrors, set }: Fields): TemplateResult {
  const text = (key: string) => i18n.text(`account.new_link.${key}`);
  return selectField({
    ...{ id: 'link-capture', name: 'capture', label: text('fields.capture'), value: values.capture },
    options: [
      ['', text('capture_automatic')],
      ['manual', text('capture_manual')],
    ],
    isInvalid: fieldErrors.capture !== undefined,
    change: (value) => set('capture', value),
    after: html`${fieldErrorMessage('link-capture-error', fieldErrors.capture ?? null)}
      ${values.capture === 'manual' ? html`<p class="hint">${text('capture_hint')}</p>` : nothing}`,
  });
}

/** The payer's details that are sent: `Ada Lovelace · ada@example.com · Japan`. */
function payerSummary(values: FieldValues, format: AccountContext['format']): string {
  const { first_name: first, last_name: last, country, ...others } = payerOf(values);
  const name = [first, last].filter(Boolean).join(' ');
  return [name, ...Object.values(others), country && format.country(country)].filter(Boolean).join(' · ');
}

interface Sections extends Fields {
  openSections: ReadonlySet<SectionName>;
  toggle: (name: SectionName, isOpen: boolean) => void;
  currency: CurrencyCode;
  amount: number | AmountError;
  items: readonly ItemValues[];
  changeItems: (items: readonly ItemValues[]) => void;
  lifetimeMinutes: number | null;
  /** Country and methods. */
  methods: () => unknown;
  /** True if the chosen method can be captured later. */
  canCaptureLater: boolean;
  fees: () => unknown;
}

/** All sections below the amount and the purpose. A closed one shows its current values. */
export function linkSections(form: Sections): TemplateResult[] {
  const { context, values, fieldErrors, items, lifetimeMinutes, currency, amount } = form;
  const text = (key: string) => context.i18n.text(`account.new_link.${key}`);
  const country = context.format.countries.find(({ alpha3 }) => alpha3 === values.country)?.name;
  const method =
    values.payment_method === '' ? undefined : nameOfMethod(values.payment_method, context.i18n, values.country);
  const minutes = values.lifetime === '' ? lifetimeMinutes : Number(values.lifetime);
  const lifetime = minutes === null ? text('lifetime_default') : lifetimeName(minutes, context.i18n.locale);
  const redirect = values.success_redirect_url.trim() || values.fail_redirect_url.trim();
  const methodFields = () => html`${form.methods()} ${form.canCaptureLater ? captureField(form) : nothing}`;
  const itemRows = () =>
    itemsField({
      ...{ context, values: items, currency, amount, change: form.changeItems },
      fieldErrors,
      // An empty amount follows the items.
      useTotal: () => {
        form.set('amount', '');
        form.changeItems(items);
      },
    });
  const sections: [name: SectionName, heading: string, summary: string, content: (isOpen: boolean) => unknown][] = [
    [
      'method',
      text('country_and_method'),
      [country, method].filter(Boolean).join(' · ') || text('choose_country'),
      methodFields,
    ],
    [
      'items',
      text('items'),
      items
        .map(({ name }) => name.trim())
        .filter(Boolean)
        .join(', ') || text('nothing_entered'),
      itemRows,
    ],
    [
      'payer',
      text('payer'),
      payerSummary(values, context.format) || text('nothing_entered'),
      (isOpen) => payerFields(form, isOpen),
    ],
    ['fee', text('fields.type_of_calculation'), text(values.type_of_calculation), form.fees],
    ['after', text('after_payment'), redirect || text('no_redirect'), () => redirectFields(form)],
    ['expiry', text('expiry'), `${lifetime} · ${values.transaction_id}`, () => expiryFields(form, lifetimeMinutes)],
  ];
  return sections.map(([name, heading, summary, content]) => {
    const isOpen =
      form.openSections.has(name) || hasErrorIn(name, fieldErrors) || (name === 'method' && values.country === '');
    return linkSection({
      ...{ heading, summary, isOpen, content: content(isOpen) },
      onToggle: (opens) => form.toggle(name, opens),
    });
  });
}
