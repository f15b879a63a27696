import { html, nothing, type TemplateResult } from 'lit';
import { chains, cryptoCurrencies, type CryptoCurrencyCode } from '../../../src/shared/crypto-currency.ts';
import { brandColours, formatHex, PAPER, parseHex } from '../../checkout/elements/brand-colours.ts';
import { contrastOf } from '../../checkout/elements/contrast.ts';
import { fieldMistake } from '../../checkout/elements/field-mistake.ts';
import type { TextValues, I18n } from '../../checkout/elements/i18n.ts';
import type { Format } from '../format.ts';
import { icon } from '../icons.ts';
import { listIn, partsOf, type PreferenceKeyEntry, type PreferenceValue, textName, wholeCoins } from './preferences.ts';
import '../web-awesome.ts';
import '@awesome.me/webawesome/dist/components/switch/switch.js';
import './country-list-field.ts';
import './origin-list-field.ts';

/** A setting as it stands on the page. */
export interface Setting {
  entry: PreferenceKeyEntry;
  /** What it would be once it is saved. */
  value: PreferenceValue;
  label: string;
  mistake: string | null;
  isReadOnly: boolean;
  words: I18n;
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
const smallestUnits: Readonly<Record<string, string>> = { btc: 'satoshi', eth: 'wei', ltc: 'litoshi' };
const feeUnits = { bitcoin: 'sat/vB', ethereum: 'gwei' } as const;

export function settingText(words: I18n, key: string, values?: TextValues): string {
  return words.text(`account.settings.${key}`, values);
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
        .codes=${listIn(setting.value)}
        .isReadOnly=${setting.isReadOnly}
        @list-change=${(event: CustomEvent<string[]>) => setting.set(listValue(event.detail))}
      ></country-list-field>${mistakeOf(setting)}`;
    case 'origin_list':
      return html`<origin-list-field
        .label=${setting.label}
        .origins=${listIn(setting.value)}
        .isReadOnly=${setting.isReadOnly}
        @list-change=${(event: CustomEvent<string[]>) => setting.set(listValue(event.detail))}
      ></origin-list-field>${mistakeOf(setting)}`;
    case 'colour':
      return colourControl(setting);
    default:
      return inputControl(setting);
  }
}

/** A list as the API takes it: a JSON array in a string; none at all is not set. */
export function listValue(list: readonly string[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list);
}

const idOf = ({ entry }: Setting) => `setting-${entry.key}`;

function mistakeOf(setting: Setting) {
  return fieldMistake(`${idOf(setting)}-mistake`, setting.mistake);
}

/** What holds: the value, or the default while there is none. */
const holding = ({ value, entry }: Setting) => value ?? entry.default;

function switchControl(setting: Setting) {
  const { words, isReadOnly, label, set } = setting;
  const isOn = holding(setting) === true;
  return html`<wa-switch
      id=${idOf(setting)}
      .checked=${isOn}
      ?disabled=${isReadOnly}
      @change=${(event: Event) => set((event.target as HTMLInputElement).checked)}
    >
      <span class="visually-hidden">${label}</span>
      <span aria-hidden="true">${settingText(words, isOn ? 'on' : 'off')}</span>
    </wa-switch>
    ${mistakeOf(setting)}`;
}

/** A choice in words, where there are any for it. */
export function choiceText({ entry, words, format }: Pick<Setting, 'entry' | 'words' | 'format'>, choice: string) {
  const key = `account.settings.choices.${textName(entry.key)}.${choice}`;
  if (words.has(key)) return words.text(key);
  return /^[A-Z]{3}$/.test(choice) ? format.currency(choice) : choice;
}

function selectControl(setting: Setting) {
  const { entry, words, isReadOnly, mistake, value, set } = setting;
  const unset =
    entry.default === null
      ? settingText(words, 'not_set')
      : settingText(words, 'default', { value: choiceText(setting, String(entry.default)) });
  return html`<div class="labelled">
    ${labelOf(setting)}
    <div class="select">
    <select
      class="field"
      id=${idOf(setting)}
      ?disabled=${isReadOnly}
      aria-invalid=${mistake === null ? nothing : 'true'}
      aria-describedby=${`${idOf(setting)}-meaning`}
      @change=${(event: Event) => set((event.target as HTMLSelectElement).value || null)}
    >
      <option value="" ?selected=${value === null}>${unset}</option>
      ${(entry.choices ?? []).map(
        (choice) => html`<option value=${choice} ?selected=${choice === value}>${choiceText(setting, choice)}</option>`,
      )}
    </select>${icon('chevron-down')}
    </div>
    ${mistakeOf(setting)}
  </div>`;
}

function radioControl(setting: Setting) {
  const { entry, isReadOnly, set } = setting;
  const chosen = holding(setting);
  return html`<fieldset class="choices" aria-describedby=${`${idOf(setting)}-meaning`} ?disabled=${isReadOnly}>
      <legend class="visually-hidden">${setting.label}</legend>
      ${(entry.choices ?? []).map(
        (choice) => html`<label class="choice">
          <input
            type="radio"
            name=${idOf(setting)}
            value=${choice}
            .checked=${choice === chosen}
            @change=${() => set(choice)}
          />
          <span>${choiceText(setting, choice)}</span>
        </label>`,
      )}
    </fieldset>
    ${mistakeOf(setting)}`;
}

function labelOf(setting: Setting) {
  return html`<label class="visually-hidden" for=${idOf(setting)}>${setting.label}</label>`;
}

function inputControl(setting: Setting) {
  const { entry, value, isReadOnly, mistake, words } = setting;
  const { type } = entry;
  const isNumber = type === 'integer' || type === 'decimal' || type === 'amount';
  const unit = unitOf(setting);
  const aside = asideOf(setting);
  const described = [`${idOf(setting)}-meaning`, mistake === null ? null : `${idOf(setting)}-mistake`];
  const preset = entry.default === null ? '' : String(entry.default);
  return html`<div class="labelled">
    ${labelOf(setting)}
    <div class="measured">
      <input
        class="field ${isNumber ? 'field-number' : ''}"
        id=${idOf(setting)}
        name=${entry.key}
        type=${type === 'url' ? 'url' : 'text'}
        inputmode=${type === 'integer' || type === 'amount' ? 'numeric' : type === 'decimal' ? 'decimal' : nothing}
        dir=${type === 'text' ? 'auto' : 'ltr'}
        maxlength=${type === 'text' ? (entry.max_length ?? nothing) : nothing}
        placeholder=${preset}
        autocomplete="off"
        spellcheck=${type === 'text' ? nothing : 'false'}
        .value=${value === null ? '' : String(value)}
        ?readonly=${isReadOnly}
        aria-invalid=${mistake === null ? nothing : 'true'}
        aria-describedby=${described.filter((each) => each !== null).join(' ')}
        @input=${(event: Event) => setting.set(typedValue(entry, (event.target as HTMLInputElement).value))}
      />
      ${unit === null ? nothing : html`<span class="measured-unit">${unit}</span>`}
    </div>
    ${aside === null ? nothing : html`<p class="hint tabular">${settingText(words, 'equals', { value: aside })}</p>`}
    ${mistakeOf(setting)}
  </div>`;
}

function unitOf({ entry, words }: Setting): string | null {
  const { name, code } = partsOf(entry.key);
  if (entry.type === 'amount' && entry.code !== undefined)
    return smallestUnits[entry.code] ?? settingText(words, 'smallest_unit', { code: entry.code.toUpperCase() });
  if (name === 'max-fee-limit-auto-withdrawal' && code) return feeUnits[chains[cryptoCurrencies[code].chain].family];
  const unit = units[textName(entry.key)];
  return unit === undefined ? null : settingText(words, `units.${unit}`);
}

/** The same in other words: whole coins, days. */
function asideOf(setting: Setting): string | null {
  const { entry, format, words } = setting;
  const held = holding(setting);
  if (entry.type === 'amount' && entry.code !== undefined) {
    const coins = wholeCoins(String(held), entry.code as CryptoCurrencyCode);
    return coins === null ? null : format.coins(coins, entry.code);
  }
  if (units[textName(entry.key)] !== 'minutes' || typeof held !== 'number' || held < 60) return null;
  const [unit, minutes] = held % 1440 === 0 ? (['day', 1440] as const) : (['hour', 60] as const);
  const style = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(`${words.locale}-u-nu-latn`, style).format(held / minutes);
}

/** What was typed as the API takes it; what is no number stays as it is, for the service to say so. */
function typedValue({ type }: PreferenceKeyEntry, typed: string): PreferenceValue {
  const text = type === 'text' ? typed : typed.trim();
  if (text.trim() === '') return null;
  if (type === 'integer' && /^\d{1,15}$/.test(text)) return Number(text);
  if (type === 'decimal' && /^\d{1,12}([.,]\d{1,8})?$/.test(text)) return Number(text.replace(',', '.'));
  return text;
}

/** Words about a mistake in the reader's language, by the type; the service's own where it knows better. */
export function mistakeText(entry: PreferenceKeyEntry, detail: string, words: I18n): string {
  const { type, minimum, maximum, max_length: length } = entry;
  if (type === 'integer' || type === 'decimal')
    return settingText(words, `mistake_${type}`, { from: minimum ?? 0, to: maximum ?? 0 });
  if (type === 'text') return settingText(words, 'mistake_text', { count: length ?? 0 });
  if (type === 'amount' && entry.code !== undefined)
    return settingText(words, 'mistake_amount', {
      most: String(cryptoCurrencies[entry.code as CryptoCurrencyCode].mostUnits),
    });
  if (type === 'colour') return settingText(words, 'mistake_colour');
  return detail;
}

const HEX = /^#[0-9a-f]{6}$/i;

function colourControl(setting: Setting) {
  const { value, isReadOnly, mistake, words, set } = setting;
  const hex = typeof value === 'string' && HEX.test(value) ? value : null;
  return html`<div class="labelled">
    ${labelOf(setting)}
    <div class="colour">
      <input
        class="colour-well"
        type="color"
        aria-label=${settingText(words, 'pick_colour')}
        .value=${hex?.toLowerCase() ?? '#1f5f4a'}
        ?disabled=${isReadOnly}
        @input=${(event: Event) => set((event.target as HTMLInputElement).value)}
      />
      <input
        class="field"
        id=${idOf(setting)}
        type="text"
        dir="ltr"
        autocomplete="off"
        spellcheck="false"
        placeholder="#1f5f4a"
        maxlength="7"
        .value=${value === null ? '' : String(value)}
        ?readonly=${isReadOnly}
        aria-invalid=${mistake === null ? nothing : 'true'}
        aria-describedby=${`${idOf(setting)}-meaning`}
        @input=${(event: Event) => set((event.target as HTMLInputElement).value.trim() || null)}
      />
    </div>
    ${mistakeOf(setting)}
    ${
      hex === null
        ? nothing
        : html`<div class="colour-previews">
            ${(['light', 'dark'] as const).map((scheme) => colourPreview(hex, scheme, setting))}
          </div>`
    }
  </div>`;
}

/** A button as buyers will see it: in the colour that is made of this one, with the label that is read best on it. */
function colourPreview(hex: string, scheme: 'light' | 'dark', { words, format }: Setting) {
  const { accent, onAccent } = brandColours(hex, scheme);
  const paper = PAPER[scheme];
  const isMoved = formatHex(accent) !== hex.toLowerCase();
  const ratio = (value: number) => `${format.number(Math.floor(value * 10) / 10)}\u00a0:\u00a01`;
  return html`<div class="colour-preview">
    <div class="colour-paper" .style=${`background: ${formatHex(paper)}`}>
      <span class="colour-button" .style=${`background: ${formatHex(accent)}; color: ${formatHex(onAccent)}`}>
        ${settingText(words, 'sample_button')}
      </span>
    </div>
    <p class="hint tabular">
      ${settingText(words, `on_${scheme}`)} ${ratio(contrastOf(parseHex(hex), paper))}
      ${
        isMoved
          ? html`<br />${settingText(words, 'moved')} <span dir="ltr">${formatHex(accent)}</span> · ${ratio(contrastOf(accent, paper))}`
          : nothing
      }
      <br />${settingText(words, 'label_colour')} <span dir="ltr">${formatHex(onAccent)}</span> · ${ratio(contrastOf(onAccent, accent))}
    </p>
  </div>`;
}
