import { html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { cryptoCurrencies, cryptoCurrencyCodes, type CryptoCurrencyCode } from '../../../src/shared/crypto-currency.ts';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { hasScope } from '../context.ts';
import { focusInvalidField, textField } from '../fields.ts';
import { Loader } from '../loader.ts';
import { UnsavedChanges } from '../unsaved-changes.ts';
import { control, fieldErrorText, type Setting, valueText } from './controls.ts';
import {
  groups,
  isSameValue,
  integrationKeys,
  splitKey,
  type PreferenceKeyEntry,
  type PreferenceValue,
  textKey,
} from './preferences.ts';
import { lastChange, readNames } from './last-change.ts';
import { toProblem } from '../problems.ts';
import { button, emptyState, notice, section, tag } from '../parts.ts';
import { expandableRow } from '../expandable-row.ts';

interface SettingsData {
  keys: readonly PreferenceKeyEntry[];
  /** Names of users and tokens that the user may see, by their `updated_by` value. */
  names: ReadonlyMap<string, string>;
}

/** All settings of the merchant, saved together. */
@customElement('settings-page')
export class SettingsPage extends AccountPage {
  @state() private edits: ReadonlyMap<string, PreferenceValue> = new Map();
  @state() private fieldErrors: ReadonlyMap<string, string> = new Map();
  @state() private search = '';
  @state() private isSaving = false;

  readonly #loader = new Loader<SettingsData>(this, async (signal) => {
    const { api } = this.context;
    const [{ keys }, names] = await Promise.all([
      api.listPreferenceKeys({}, { signal }),
      readNames(this.context, signal),
    ]);
    return { keys, names };
  });
  readonly #unsavedChanges = new UnsavedChanges(this, {
    count: () => this.edits.size,
    save: async () => await this.#save(),
    discard: () => this.#discard(),
  });

  override async canLeave(): Promise<boolean> {
    return await this.#unsavedChanges.canLeave();
  }

  get #isManager(): boolean {
    return this.context.account?.person.isManager ?? false;
  }

  #isReadOnly({ manager_only: isManagerOnly }: PreferenceKeyEntry): boolean {
    return !hasScope(this.context, 'preference:write') || (isManagerOnly && !this.#isManager);
  }

  #valueOf({ key, value }: PreferenceKeyEntry): PreferenceValue {
    const edited = this.edits.get(key);
    return edited === undefined ? value : edited;
  }

  #edit(entry: PreferenceKeyEntry, value: PreferenceValue) {
    const edits = new Map(this.edits);
    // A value that is reset during a save differs from the saved one afterward.
    if (isSameValue(value, entry.value) && !this.isSaving) edits.delete(entry.key);
    else edits.set(entry.key, value);
    this.edits = edits;
    const fieldErrors = new Map(this.fieldErrors);
    if (fieldErrors.delete(entry.key)) this.fieldErrors = fieldErrors;
  }

  async #save() {
    if (this.isSaving) return;
    const { api, announce } = this.context;
    const preferences = [...this.edits].map(([key, value]) => ({ key, value }));
    this.isSaving = true;
    try {
      await api.setPreferences({ preferences });
      this.#applySaved(new Map(preferences.map(({ key, value }) => [key, value])));
      this.fieldErrors = new Map();
      announce(this.text('settings.saved'));
      void this.#loader.run();
    } catch (error) {
      const problem = toProblem(error);
      const entries = this.#loader.value?.keys ?? [];
      this.fieldErrors = new Map(
        preferences.flatMap(({ key }, index) => {
          const matching = problem.errors.find(({ pointer }) => pointer.startsWith(`/preferences/${index}/`));
          const entry = entries.find((each) => each.key === key);
          return matching && entry ? [[key, fieldErrorText(entry, matching.detail, this.i18n)] as const] : [];
        }),
      );
      announce(this.fieldErrors.size === 0 ? this.problemSentence(problem) : this.text('settings.not_saved'));
      if (this.fieldErrors.size > 0) this.search = '';
    }
    this.isSaving = false;
    this.#dropUnchangedEdits();
    await this.updateComplete;
    focusInvalidField(this);
  }

  #applySaved(saved: ReadonlyMap<string, PreferenceValue>) {
    const { value: data } = this.#loader;
    if (data === null) return;
    const keys = data.keys.map((entry) => {
      const value = saved.get(entry.key);
      return value === undefined ? entry : { ...entry, value };
    });
    this.#loader.set({ ...data, keys });
  }

  /** Drops edits that equal the saved value, and keeps edits made during the save. */
  #dropUnchangedEdits() {
    const data = new Map(this.#loader.value?.keys.map(({ key, value }) => [key, value]));
    this.edits = new Map([...this.edits].filter(([key, value]) => !isSameValue(value, data.get(key))));
  }

  #discard() {
    this.edits = new Map();
    this.fieldErrors = new Map();
    this.context.announce(this.text('settings.discarded'));
  }

  #label(key: string): string {
    const localeKey = `account.settings.names.${textKey(key)}`;
    return this.i18n.has(localeKey) ? this.i18n.text(localeKey) : key;
  }

  #meaning({ key, meaning }: PreferenceKeyEntry): string {
    const localeKey = `account.settings.meanings.${textKey(key)}`;
    const { code } = splitKey(key);
    if (!this.i18n.has(localeKey)) return meaning;
    return this.i18n.text(localeKey, { coin: code === null ? '' : cryptoCurrencies[code].name });
  }

  #matchesSearch(entry: PreferenceKeyEntry): boolean {
    const words = this.search.trim().toLocaleLowerCase().split(/\s+/);
    const { code } = splitKey(entry.key);
    const coin = code === null ? '' : cryptoCurrencies[code].name;
    const searchedText = [entry.key, this.#label(entry.key), this.#meaning(entry), entry.meaning, coin].join(' ');
    return words.every((word) => searchedText.toLocaleLowerCase().includes(word));
  }

  override render() {
    return html`<header class="page-head">
        <h1 tabindex="-1">${this.text('shell.pages.settings')}</h1>
        ${textField({
          ...{
            id: 'settings-search',
            name: 'search',
            type: 'search',
            isLabelHidden: true,
            className: 'settings-search',
          },
          ...{ label: this.text('settings.search'), placeholder: this.text('settings.search'), value: this.search },
          onInput: (search) => (this.search = search),
        })}
      </header>
      ${
        hasScope(this.context, 'preference:write')
          ? nothing
          : notice({ icon: 'lock', text: this.text('settings.read_only') })
      }
      ${loadView(this.#loader, this.i18n, {
        skeleton: () => skeletonRows(8),
        content: (data) => this.#groupsView(data),
      })}
      ${this.#unsavedChanges.bar(this.isSaving)}`;
  }

  #groupsView({ keys }: SettingsData) {
    const matching = keys.filter((entry) => this.#matchesSearch(entry));
    const entriesOf = (names: readonly string[]) => names.flatMap((name) => matching.filter(({ key }) => key === name));
    const grouped = new Set<string>([...Object.values(groups).flat(), ...integrationKeys]);
    const otherEntries = matching.filter(({ key }) => !grouped.has(key) && splitKey(key).code === null);
    const currencies = cryptoCurrencyCodes.map((code) => ({
      code,
      entries: matching.filter(({ key }) => splitKey(key).code === code),
    }));
    if (matching.length === 0)
      return emptyState(
        'search',
        this.text('settings.nothing_found'),
        '',
        button(this.text('settings.show_all'), () => (this.search = '')),
      );
    return html`<div class="settings">
      ${(Object.keys(groups) as (keyof typeof groups)[]).map((group) =>
        this.#groupSection(group, this.text(`settings.groups.${group}`), entriesOf(groups[group])),
      )}
      ${currencies.map(({ code, entries }) => this.#currencySection(code, entries))}
      ${this.#integrationSection(entriesOf(integrationKeys))} ${this.#groupSection('other', this.text('settings.groups.other'), otherEntries)}
    </div>`;
  }

  #groupSection(id: string, heading: string, entries: readonly PreferenceKeyEntry[]) {
    if (entries.length === 0) return nothing;
    return section(
      `group-${id}`,
      heading,
      html`<div class="panel">${entries.map((entry) => this.#settingRow(entry))}</div>`,
    );
  }

  /** Settings of a cryptocurrency, collapsed unless a search or error concerns them. */
  #currencySection(code: CryptoCurrencyCode, entries: readonly PreferenceKeyEntry[]) {
    if (entries.length === 0) return nothing;
    const hasErrors = entries.some(({ key }) => this.fieldErrors.has(key));
    const set = entries.filter(({ value }) => value !== null).length;
    return html`<section class="section panel" aria-labelledby="group-${code}">
      ${expandableRow({
        isOpen: this.search !== '' || hasErrors,
        head: html`<h2 class="section-heading" id="group-${code}">
            ${cryptoCurrencies[code].name} <small>${code.toUpperCase()}</small>
          </h2>
          <span class="expander-text"
            >${set === 0 ? this.text('settings.all_default') : this.text('settings.own_values', { count: set })}</span
          >`,
        content: entries.map((entry) => this.#settingRow(entry)),
      })}
    </section>`;
  }

  /** Settings that are edited on the integration page. */
  #integrationSection(entries: readonly PreferenceKeyEntry[]) {
    if (entries.length === 0) return nothing;
    const heading = this.text('shell.pages.integration');
    const linkText = this.text('settings.set_there');
    const rows = entries.map(
      (entry) => html`<li class="row row-wraps">
        <div class="row-content">
          <span class="row-title">${this.#label(entry.key)}</span>
          <span class="row-text" dir="auto">${this.#valueText(entry, entry.value)}</span>
        </div>
        ${button(linkText, this.context.merchantPath('integration'), { name: `${linkText}: ${this.#label(entry.key)}` })}
      </li>`,
    );
    return section('group-integration', heading, html`<ul class="panel list">${rows}</ul>`);
  }

  #valueText(entry: PreferenceKeyEntry, value: PreferenceValue): string {
    return valueText(entry, value, this.i18n, this.context.format);
  }

  #settingRow(entry: PreferenceKeyEntry): TemplateResult {
    const { i18n: words, context } = this;
    const { key, type } = entry;
    const value = this.#valueOf(entry);
    const isReadOnly = this.#isReadOnly(entry);
    const setting: Setting = {
      ...{ entry, value, i18n: words, isReadOnly, format: context.format, label: this.#label(key) },
      description: this.#meaning(entry),
      fieldError: this.fieldErrors.get(key) ?? null,
      set: (next) => this.#edit(entry, next),
    };
    const isWide = type === 'country_list' || type === 'origin_list';
    return html`<div class="setting ${isWide ? 'setting-wide' : ''}" data-key=${key}>
      <div class="setting-description">
        <h3 class="setting-name">
          ${setting.label}
          ${entry.manager_only ? tag(this.text(this.#isManager ? 'settings.only_managers' : 'settings.by_service'), null, 'lock') : nothing}
          ${this.edits.has(key) ? tag(this.text('settings.changed'), 'warn') : nothing}
        </h3>
        <p class="setting-help" id=${`setting-${key}-meaning`}>${this.#meaning(entry)}</p>
        ${entry.pending === null ? nothing : html`<p class="setting-note setting-pending">${this.#pendingText(entry, entry.pending)}</p>`}
        <p class="setting-note"><code dir="ltr">${key}</code>${this.#loader.value && lastChange(entry, this.#loader.value.names, context)}</p>
      </div>
      <div class="setting-control">
        ${control(setting)}
        ${
          value === null || isReadOnly
            ? nothing
            : button(
                html`${
                  entry.default === null
                    ? this.text('settings.unset')
                    : this.text('settings.back_to_default', { value: this.#valueText(entry, entry.default) })
                }<span class="visually-hidden">: ${setting.label}</span>`,
                () => this.#edit(entry, null),
                { kind: 'quiet', className: 'button-link' },
              )
        }
      </div>
    </div>`;
  }

  #pendingText(entry: PreferenceKeyEntry, pending: NonNullable<PreferenceKeyEntry['pending']>): string {
    const value = this.#valueText(entry, pending.current_value);
    return this.text('settings.pending', { time: this.context.format.dateTimeText(pending.effective_at), value });
  }
}
