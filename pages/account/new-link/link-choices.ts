import { html, nothing, type TemplateResult } from 'lit';
import type { CountryAlpha3, ListPaymentMethodsResponse } from '../../../client/api.ts';
import type { CurrencyCode } from '../../../src/shared/currencies.ts';
import { fieldErrorMessage } from '../../checkout/elements/field-error.ts';
import type { TextValues, I18n } from '../../checkout/elements/i18n.ts';
import type { AccountContext } from '../context.ts';
import { radioCards } from '../choices.ts';
import { methodLogo, nameOfMethod } from '../transactions/methods.ts';
import { type AmountError, type Fee, splitAmount } from './amounts.ts';

export type Method = ListPaymentMethodsResponse['payment_methods'][number];

export const isEnabled = ({ status }: Method): boolean => status === 'enable';

/** Reads the methods of a country in every currency that the merchant can use; none without a country. */
export async function readMethods(
  { api }: AccountContext,
  country: CountryAlpha3 | '',
  signal: AbortSignal,
): Promise<Method[]> {
  if (country === '') return [];
  return (await api.listPaymentMethods({ country }, { signal })).payment_methods;
}

interface ChoiceField {
  context: AccountContext;
  /** Alpha-3 code of the link's country. */
  country: string;
  chosen: string;
  fieldError: string | null;
  choose: (value: string) => void;
}

/** Methods of a country and currency; `placeholder` replaces them until they are loaded. */
export function methodChoices(
  methods: readonly Method[],
  placeholder: TemplateResult | null,
  { context: { i18n }, country, chosen, fieldError, choose }: ChoiceField,
): TemplateResult {
  const text = (key: string) => i18n.text(`account.new_link.${key}`);
  const noMethods = () => html`<p class="hint" role="status">${text('no_method')}</p>`;
  return radioCards({
    ...{ legend: text('fields.payment_method'), name: 'payment_method', selected: chosen, onChoose: choose },
    before: placeholder ?? (methods.some(isEnabled) ? nothing : noMethods()),
    options: (placeholder === null ? methods : []).map((method) => ({
      value: method.payment_method,
      isDisabled: !isEnabled(method),
      text: html`<span>${nameOfMethod(method.payment_method, i18n, country)}</span>
        ${isEnabled(method) ? nothing : html`<small dir="auto">${method.message ?? text('method_disabled')}</small>`}`,
      image: methodLogo(method.payment_method, country),
    })),
    after: html`${fieldErrorMessage('link-payment_method-error', fieldError)}
    ${methods.filter(isEnabled).length > 1 ? html`<p class="hint">${text('method_hint')}</p>` : nothing}`,
  });
}

/** Shown instead of the methods until they are loaded; null afterward. Empty if they cannot be loaded. */
export function methodsPlaceholder(
  { problem, value }: { problem: unknown; value: unknown },
  country: string,
  i18n: I18n,
): TemplateResult | null {
  if (problem) return html``;
  if (country === '') return html`<p class="hint">${i18n.text('account.new_link.country_first')}</p>`;
  if (value !== null) return null;
  return html`<p class="choice" aria-busy="true"><wa-skeleton class="skeleton-line"></wa-skeleton></p>`;
}

/** Selects whether the buyer or the merchant pays the fee, with the resulting amounts once known. */
export function feeChoices(
  amount: number | AmountError,
  currency: CurrencyCode,
  fee: Fee | null,
  { context: { i18n, format }, chosen, fieldError, choose }: ChoiceField,
): TemplateResult {
  const text = (key: string, values?: TextValues) => i18n.text(`account.new_link.${key}`, values);
  const money = (value: string) => format.money(value, currency);
  return radioCards({
    ...{ legend: text('fields.type_of_calculation'), name: 'type_of_calculation', selected: chosen, onChoose: choose },
    isLegendHidden: true,
    options: (['forward_without_fee', 'forward_with_fee'] as const).map((value) => {
      const isFeeOnTop = value === 'forward_with_fee';
      const split = fee === null || typeof amount === 'string' ? null : splitAmount(amount, currency, fee, isFeeOnTop);
      const splitText = split && text('split', { gets: money(split.netAmount), pays: money(split.buyerPays) });
      return { value, text: html`<span>${text(value)}</span><small>${splitText ?? text(`${value}_text`)}</small>` };
    }),
    after: html`${fee === null ? nothing : html`<p class="hint">${feeText(fee, currency)}</p>`}
    ${fieldErrorMessage('link-type_of_calculation-error', fieldError)}`,
  });

  function feeText({ fix, percent }: Fee, feeCurrency: CurrencyCode): string {
    const percentFormat = new Intl.NumberFormat(i18n.locale, { style: 'percent', maximumFractionDigits: 4 });
    const parts = { fix: format.money(String(fix), feeCurrency), percent: percentFormat.format(percent / 100) };
    if (fix === 0 && percent === 0) return text('fee_none');
    if (fix === 0 || percent === 0) return text('fee_single', { fee: fix === 0 ? parts.percent : parts.fix });
    return text('fee', parts);
  }
}

/** Text about the lifetime of the link; null if unknown. */
export function lifetimeText(minutes: number | null, i18n: I18n): string {
  if (minutes === null) return i18n.text('account.new_link.lifetime_default_text');
  const units = [['day', 1440] as const, ['hour', 60] as const, ['minute', 1] as const];
  const [unit, size] = units.find(([, minutesPerUnit]) => minutes % minutesPerUnit === 0) ?? (['minute', 1] as const);
  const locale = `${i18n.locale}-u-nu-latn`;
  const time = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(minutes / size);
  return i18n.text('account.new_link.lifetime', { time });
}
