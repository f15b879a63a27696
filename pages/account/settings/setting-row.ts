import { html, nothing, type TemplateResult } from 'lit';
import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';
import type { AccountContext } from '../context.ts';
import { button, tag } from '../parts.ts';
import { control, type Setting, settingText, valueText } from './controls.ts';
import { lastChange } from './last-change.ts';
import type { PreferenceEdits } from './preference-edits.ts';
import { showsPreferenceKeys } from './shown-keys.ts';
import { splitKey, type PreferenceKeyEntry, textKey } from './preferences.ts';

/** The name of a setting; its key if there is no translation, because a later release added the setting. */
export function settingLabel(i18n: I18n, key: string): string {
  const localeKey = `account.settings.names.${textKey(key)}`;
  return i18n.has(localeKey) ? i18n.text(localeKey) : key;
}

export function settingHelp(i18n: I18n, { key, meaning }: PreferenceKeyEntry): string {
  const localeKey = `account.settings.help.${textKey(key)}`;
  const { code } = splitKey(key);
  if (!i18n.has(localeKey)) return meaning;
  return i18n.text(localeKey, { coin: code === null ? '' : cryptoCurrencies[code].name });
}

/** A setting with its help text, control and last change. */
export function settingRow(
  entry: PreferenceKeyEntry,
  edits: PreferenceEdits,
  context: AccountContext,
  names: ReadonlyMap<string, string> = new Map(),
): TemplateResult {
  const { i18n, format } = context;
  const { key, type } = entry;
  const value = edits.valueOf(entry);
  const isReadOnly = edits.isReadOnly(entry);
  const isManager = context.account?.person.isManager ?? false;
  const setting: Setting = {
    ...{ entry, value, i18n, isReadOnly, format, label: settingLabel(i18n, key) },
    description: settingHelp(i18n, entry),
    fieldError: edits.fieldErrors.get(key) ?? null,
    set: (next) => edits.set(entry, next),
  };
  // An emptied field clears it.
  const isText = entry.default === null && (type === 'text' || type === 'url');
  const isWide = type === 'country_list' || type === 'origin_list';
  return html`<div class="setting ${isWide ? 'setting-wide' : ''}" data-key=${key}>
    <div class="setting-description">
      <h3 class="setting-name">
        ${setting.label}
        ${entry.manager_only ? tag(settingText(i18n, isManager ? 'only_managers' : 'set_by_manager'), null, 'lock') : nothing}
        ${edits.values.has(key) ? tag(settingText(i18n, 'changed'), 'warn') : nothing}
      </h3>
      <p class="setting-help" id=${`setting-${key}-meaning`}>${setting.description}</p>
      ${entry.pending === null ? nothing : html`<p class="setting-note setting-pending">${pendingText(entry, entry.pending, context)}</p>`}
      ${showsPreferenceKeys() ? html`<p class="setting-note"><code dir="ltr">${key}</code></p>` : nothing}
      ${lastChange(entry, names, context)}
    </div>
    <div class="setting-control">
      ${control(setting)}
      ${
        value === null || isReadOnly || isText
          ? nothing
          : button(
              html`${
                entry.default === null
                  ? settingText(i18n, 'unset')
                  : settingText(i18n, 'reset', { value: valueText(entry, entry.default, i18n, format) })
              }<span class="visually-hidden">: ${setting.label}</span>`,
              () => edits.set(entry, null),
              { kind: 'quiet', className: 'button-link' },
            )
      }
    </div>
  </div>`;
}

function pendingText(
  entry: PreferenceKeyEntry,
  pending: NonNullable<PreferenceKeyEntry['pending']>,
  { i18n, format }: AccountContext,
): string {
  const value = valueText(entry, pending.current_value, i18n, format);
  return settingText(i18n, 'pending', { time: format.dateTimeText(pending.effective_at), value });
}
