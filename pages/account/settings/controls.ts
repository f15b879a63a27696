import { html, nothing, type TemplateResult } from 'lit';
import { cryptoCurrencies, type CryptoCurrencyCode, familyOf } from '../../../src/shared/crypto-currency.ts';
import { brandColors, formatHex, PAPER } from '../../checkout/elements/brand-colors.ts';
import { fieldErrorMessage } from '../../checkout/elements/field-error.ts';
import type { TextValues, I18n } from '../../checkout/elements/i18n.ts';
import type { Format } from '../format.ts';
import { radioCards } from '../choices.ts';
import { textField } from '../fields.ts';
import { selectField } from '../parts.ts';
import {
  parseList,
  splitKey,
  type PreferenceKeyEntry,
  type PreferenceValue,
  textKey,
  wholeCoins,
} from './preferences.ts';
import '../web-awesome.ts';
import '@awesome.me/webawesome/dist/components/switch/switch.js';
import './country-list-field.ts';
import { editOrigins, type OriginEdit } from './origin-list-field.ts';

/** A setting on the page. */
export interface Setting {
  entry: PreferenceKeyEntry;
  /** Edited or saved value. */
  value: PreferenceValue;
  label: string;
  /** Describes its control. */
  description: string;
  fieldError: string | null;
  isReadOnly: boolean;
  i18n: I18n;
  format: Format;
  set(value: PreferenceValue): void;
}

const units: Readonly<Record<string, string>> = {
  link_lifetime_minutes: 'minutes',
  wallet_reuse_delay_minutes: 'minutes',
  min_confirmation: 'blocks',
  processing_fee: 'percent',
  payment_tolerance_percent: 'percent',
};

export function settingText(i18n: I18n, key: string, values?: TextValues): string {
  return i18n.text(`account.settings.${key}`, values);
}

/** The control of a setting's own type. */
export function control(setting: Setting): TemplateResult {
  switch (setting.entry.type) {
    case 'boolean':
      return switchControl(setting);
    case 'choice':
      return (setting.entry.choices ?? []).length > 4 ? selectControl(setting) : radioControl(setting);
    case 'country_list':
      return html`<country-list-field
        .label=${setting.label}
        .codes=${parseList(setting.value)}
        .isReadOnly=${setting.isReadOnly}
        @list-change=${(event: CustomEvent<string[]>) => setting.set(formatList(event.detail))}
      ></country-list-field>${fieldErrorView(setting)}`;
    case 'origin_list':
      return html`<origin-list-field
        .label=${setting.label}
        .origins=${parseList(setting.value)}
        .isReadOnly=${setting.isReadOnly}
        @origin-edit=${({ detail }: CustomEvent<OriginEdit>) => setting.set(formatList(editOrigins(parseList(setting.value), detail)))}
      ></origin-list-field>${fieldErrorView(setting)}`;
    case 'color':
      return colorControl(setting);
    default:
      return hasTwoValues(setting.entry) ? twoValuesControl(setting) : inputControl(setting);
  }
}

/** Formats a list for the API: a JSON array in a string; null for an empty list. */
export function formatList(list: readonly string[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list);
}

const controlId = ({ entry }: Setting) => `setting-${entry.key}`;

function fieldErrorView(setting: Setting) {
  return fieldErrorMessage(`${controlId(setting)}-error`, setting.fieldError);
}

/** The value, or the default if there is none. */
const effectiveValue = ({ value, entry }: Setting) => value ?? entry.default;

function switchControl(setting: Setting) {
  const { i18n, isReadOnly, label, set } = setting;
  const isOn = effectiveValue(setting) === true;
  return html`<wa-switch
      id=${controlId(setting)}
      .checked=${isOn}
      ?disabled=${isReadOnly}
      @change=${(event: Event) => set((event.target as HTMLInputElement).checked)}
    >
      <span class="visually-hidden">${label}</span>
      <span aria-hidden="true">${settingText(i18n, isOn ? 'on' : 'off')}</span>
    </wa-switch>
    ${fieldErrorView(setting)}`;
}

/** The translated name of a choice, if there is one. */
function choiceText({ entry, i18n, format }: Pick<Setting, 'entry' | 'i18n' | 'format'>, choice: string) {
  const key = `account.settings.choices.${textKey(entry.key)}.${choice}`;
  if (i18n.has(key)) return i18n.text(key);
  return /^[A-Z]{3}$/.test(choice) ? format.currency(choice) : choice;
}

/** Formats a value as text. */
export function valueText(entry: PreferenceKeyEntry, value: PreferenceValue, i18n: I18n, format: Format): string {
  if (value === null) return settingText(i18n, 'not_set');
  if (typeof value === 'boolean') return settingText(i18n, value ? 'on' : 'off');
  if (entry.type === 'choice') return choiceText({ entry, i18n, format }, String(value));
  if (entry.type === 'origin_list' || entry.type === 'country_list') return parseList(value).join(', ');
  return typeof value === 'number' ? format.number(value) : value;
}

function selectControl(setting: Setting) {
  const { entry, i18n, label, isReadOnly, fieldError, value, set } = setting;
  const unset =
    entry.default === null
      ? settingText(i18n, 'not_set')
      : settingText(i18n, 'default', { value: choiceText(setting, String(entry.default)) });
  return selectField({
    ...{ id: controlId(setting), label, isLabelHidden: true, isReadOnly, isInvalid: fieldError !== null },
    value: value === null ? '' : String(value),
    options: [['', unset], ...(entry.choices ?? []).map((choice) => [choice, choiceText(setting, choice)] as const)],
    change: (choice) => set(choice || null),
    after: fieldErrorView(setting),
  });
}

function radioControl(setting: Setting) {
  const { entry, label, isReadOnly, set } = setting;
  return radioCards({
    ...{
      legend: label,
      isLegendHidden: true,
      name: controlId(setting),
      selected: effectiveValue(setting),
      onChoose: set,
      isReadOnly,
    },
    options: (entry.choices ?? []).map((choice) => ({ value: choice, text: choiceText(setting, choice) })),
    after: fieldErrorView(setting),
  });
}

const hasTwoValues = ({ type, minimum, maximum }: PreferenceKeyEntry) =>
  type === 'integer' && (maximum ?? 0) - (minimum ?? 0) === 1;

function twoValuesControl(setting: Setting) {
  const { entry, label, isReadOnly, set } = setting;
  const choices = [entry.minimum, entry.maximum].map(String);
  return radioCards({
    ...{ legend: label, isLegendHidden: true, name: controlId(setting), isReadOnly },
    ...{ selected: String(effectiveValue(setting)), onChoose: (choice) => set(Number(choice)) },
    options: choices.map((choice) => ({ value: choice, text: choiceText(setting, choice) })),
    after: fieldErrorView(setting),
  });
}

function inputControl(setting: Setting) {
  const { entry, value, label, isReadOnly, fieldError, i18n, description } = setting;
  const { type } = entry;
  const isNumber = type === 'integer' || type === 'decimal' || type === 'amount';
  const unit = unitOf(setting);
  const equivalent = equivalentText(setting);
  return html`${textField({
    ...{ id: controlId(setting), name: entry.key, label, isLabelHidden: true, isReadOnly, fieldError, description },
    ...{ type: type === 'url' ? 'url' : 'text', dir: type === 'text' ? 'auto' : 'ltr' },
    ...(isNumber && { inputmode: type === 'decimal' ? 'decimal' : 'numeric', className: 'field-number' }),
    ...(type === 'text' &&
      entry.max_length !== undefined &&
      entry.max_length !== null && { maxlength: entry.max_length }),
    placeholder: entry.default === null ? '' : String(entry.default),
    value: value === null ? '' : String(value),
    onInput: (typed) => setting.set(typedValue(entry, typed)),
    end: unit === null ? nothing : html`<span slot="end" class="field-unit">${unit}</span>`,
    ...(equivalent !== null && {
      hint: html`<span class="tabular">${settingText(i18n, 'equals', { value: equivalent })}</span>`,
    }),
  })}`;
}

function unitOf({ entry, i18n }: Setting): string | null {
  const { name, code } = splitKey(entry.key);
  if (entry.type === 'amount' && entry.code !== undefined)
    return (
      cryptoCurrencies[entry.code as CryptoCurrencyCode].smallestUnit ??
      settingText(i18n, 'smallest_unit', { code: entry.code.toUpperCase() })
    );
  if (name === 'max-fee-limit-auto-withdrawal' && code) return familyOf(cryptoCurrencies[code].chain).feeUnit;
  const unit = units[textKey(entry.key)];
  return unit === undefined ? null : settingText(i18n, `units.${unit}`);
}

/** The value in another unit: coins, days. */
function equivalentText(setting: Setting): string | null {
  const { entry, format, i18n } = setting;
  const effective = effectiveValue(setting);
  if (entry.type === 'amount' && entry.code !== undefined) {
    const coins = wholeCoins(String(effective), entry.code as CryptoCurrencyCode);
    return coins === null ? null : format.coins(coins, entry.code);
  }
  if (units[textKey(entry.key)] !== 'minutes' || typeof effective !== 'number' || effective < 60) return null;
  const [unit, minutes] = effective % 1440 === 0 ? (['day', 1440] as const) : (['hour', 60] as const);
  const style = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(`${i18n.locale}-u-nu-latn`, style).format(effective / minutes);
}

/** Parses input for the API. Invalid and unfinished numbers (`1.0`) stay text, for the service and the next key. */
function typedValue({ type }: PreferenceKeyEntry, typed: string): PreferenceValue {
  if (typed.trim() === '') return null;
  if (type === 'text') return typed;
  const text = type === 'decimal' ? typed.trim().replace(',', '.') : typed.trim();
  const number = { integer: /^\d{1,15}$/, decimal: /^\d{1,12}(\.\d{0,7}[1-9])?$/ }[type as 'integer' | 'decimal'];
  return number?.test(text) ? Number(text) : text;
}

/** Message about an error in the user's language, by type; otherwise the message of the service. */
export function fieldErrorText(entry: PreferenceKeyEntry, detail: string, i18n: I18n): string {
  const { type, minimum, maximum, max_length: length } = entry;
  if (type === 'integer' || type === 'decimal')
    return settingText(i18n, `error_${type}`, { from: minimum ?? 0, to: maximum ?? 0 });
  if (type === 'text') return settingText(i18n, 'error_text', { count: length ?? 0 });
  if (type === 'amount' && entry.code !== undefined)
    return settingText(i18n, 'error_amount', {
      most: String(cryptoCurrencies[entry.code as CryptoCurrencyCode].maxUnits),
    });
  if (type === 'color') return settingText(i18n, 'error_color');
  return detail;
}

const HEX = /^#[0-9a-f]{6}$/i;

function colorControl(setting: Setting) {
  const { value, label, isReadOnly, fieldError, i18n, set, description } = setting;
  const hex = typeof value === 'string' && HEX.test(value) ? value : null;
  return html`<div class="color">
      <input
        class="color-well"
        type="color"
        aria-label=${settingText(i18n, 'pick_color')}
        .value=${hex?.toLowerCase() ?? '#1f5f4a'}
        ?disabled=${isReadOnly}
        @input=${(event: Event) => set((event.target as HTMLInputElement).value)}
      />
      ${textField({
        ...{
          id: controlId(setting),
          name: setting.entry.key,
          label,
          isLabelHidden: true,
          isReadOnly,
          fieldError,
          description,
        },
        ...{ dir: 'ltr', placeholder: '#1f5f4a', maxlength: 7, value: value === null ? '' : String(value) },
        onInput: (typed) => set(typed.trim() || null),
      })}
    </div>
    ${
      hex === null
        ? nothing
        : html`<div class="color-previews">
            ${(['light', 'dark'] as const).map((scheme) => colorPreview(hex, scheme, setting))}
          </div>`
    }`;
}

/** Preview of a button on the payment page in this color, with its text color and border. */
function colorPreview(hex: string, scheme: 'light' | 'dark', { i18n }: Setting) {
  const { accent, accentEdge, onAccent } = brandColors(hex, scheme);
  return html`<div class="color-preview">
    <div class="color-paper" .style=${`background: ${formatHex(PAPER[scheme])}`}>
      <span class="color-button" .style=${`background: ${formatHex(accent)}; color: ${formatHex(onAccent)}; border: 1px solid ${formatHex(accentEdge)}`}>
        ${settingText(i18n, 'sample_button')}
      </span>
    </div>
    <p class="hint">${settingText(i18n, `on_${scheme}`)}</p>
  </div>`;
}
