import { html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { cryptoCurrencies, cryptoCurrencyCodes, type CryptoCurrencyCode } from '../../../src/shared/crypto-currency.ts';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { hasScope } from '../context.ts';
import { focusInvalidField, textField } from '../fields.ts';
import { icon } from '../icons.ts';
import { Loader } from '../loader.ts';
import { UnsavedChanges } from '../unsaved-changes.ts';
import { valueText } from './controls.ts';
import { PreferenceEdits, readSettings, type SettingsData } from './preference-edits.ts';
import { groups, keysOfPages, splitKey, type PreferenceKeyEntry } from './preferences.ts';
import { preferenceKeysField } from './shown-keys.ts';
import { settingLabel, settingHelp, settingRow } from './setting-row.ts';
import { button, emptyState, notice, pageHead, section } from '../parts.ts';
import { expandableRow } from '../expandable-row.ts';

type LinkedPage = keyof typeof keysOfPages;
const linkedPages: readonly LinkedPage[] = ['branding', 'email', 'webhooks', 'integration'];

/** All settings of the merchant, saved together. */
@customElement('settings-page')
export class SettingsPage extends AccountPage {
  @state() private search = '';

  /** Coins whose settings are open: a section opened by an error stays open when the error is corrected. */
  readonly #openCoins = new Set<CryptoCurrencyCode>();

  readonly #loader = new Loader(this, async (signal) => await readSettings(this.context, signal));
  readonly #edits = new PreferenceEdits(this, this.#loader);
  readonly #unsavedChanges = new UnsavedChanges(this, {
    count: () => this.#edits.values.size,
    save: async () => {
      await this.#edits.save();
      // The fields with errors may not match the search.
      if (this.#edits.fieldErrors.size > 0) this.search = '';
      await this.updateComplete;
      focusInvalidField(this);
    },
    discard: () => this.#edits.discard(),
  });

  #matchesSearch(entry: PreferenceKeyEntry): boolean {
    const words = this.search.trim().toLocaleLowerCase().split(/\s+/);
    const { code } = splitKey(entry.key);
    const coin = code === null ? '' : cryptoCurrencies[code].name;
    const searchedText = [
      entry.key,
      settingLabel(this.i18n, entry.key),
      settingHelp(this.i18n, entry),
      entry.meaning,
      coin,
    ].join(' ');
    return words.every((word) => searchedText.toLocaleLowerCase().includes(word));
  }

  override render() {
    return html`${pageHead(
      this.text('shell.pages.settings'),
      textField({
        ...{
          id: 'settings-search',
          name: 'search',
          type: 'search',
          isLabelHidden: true,
          className: 'settings-search',
        },
        ...{ label: this.text('settings.search'), placeholder: this.text('settings.search'), value: this.search },
        onInput: (search) => (this.search = search),
      }),
    )}
      ${
        hasScope(this.context, 'preference:write')
          ? nothing
          : notice({ icon: 'lock', text: this.text('settings.read_only') })
      }
      ${loadView(this.#loader, this.i18n, {
        skeleton: () => skeletonRows(8),
        content: (data) => this.#groupsView(data),
      })}
      ${this.#unsavedChanges.bar(this.#edits.isSaving)}`;
  }

  #groupsView({ keys }: SettingsData) {
    const matching = keys.filter((entry) => this.#matchesSearch(entry));
    const entriesOf = (names: readonly string[]) => names.flatMap((name) => matching.filter(({ key }) => key === name));
    const grouped = new Set<string>([...Object.values(groups).flat(), ...Object.values(keysOfPages).flat()]);
    const otherEntries = matching.filter(({ key }) => !grouped.has(key) && splitKey(key).code === null);
    const currencies = cryptoCurrencyCodes.map((code) => ({
      code,
      entries: matching.filter(({ key }) => splitKey(key).code === code),
    }));
    if (matching.length === 0)
      return emptyState(
        'search',
        this.text('settings.no_matches'),
        '',
        button(this.text('settings.show_all'), () => (this.search = '')),
      );
    return html`<div class="settings">
      ${(Object.keys(groups) as (keyof typeof groups)[]).map((group) =>
        this.#groupSection(group, this.text(`settings.groups.${group}`), entriesOf(groups[group])),
      )}
      ${
        currencies.some(({ entries }) => entries.length > 0)
          ? section(
              'group-coins',
              this.text('settings.groups.coins'),
              html`<ul class="panel">${currencies.map(({ code, entries }) => this.#currencySection(code, entries))}</ul>`,
            )
          : nothing
      }
      ${
        this.search === ''
          ? this.#pagesSection(entriesOf)
          : linkedPages.map((page) => this.#linkedSection(page, entriesOf(keysOfPages[page])))
      }
      ${this.#groupSection('other', this.text('settings.groups.other'), otherEntries)}
      ${preferenceKeysField(this, this.i18n)}
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
    const hasErrors = entries.some(({ key }) => this.#edits.fieldErrors.has(key));
    const set = entries.filter(({ value }) => value !== null).length;
    return html`<li><section aria-labelledby="group-${code}">
      ${expandableRow({
        isOpen: this.search !== '' || hasErrors || this.#openCoins.has(code),
        onToggle: (isOpen) => this.search === '' && this.#openCoins[isOpen ? 'add' : 'delete'](code),
        head: html`<h3 class="section-heading" id="group-${code}">
            ${cryptoCurrencies[code].name} <small>${code.toUpperCase()}</small>
          </h3>
          <span class="expander-text"
            >${set === 0 ? this.text('settings.all_default') : this.text('settings.custom_values', { count: set })}</span
          >`,
        content: entries.map((entry) => this.#settingRow(entry)),
      })}
    </section></li>`;
  }

  /** The pages on which other settings are edited. */
  #pagesSection(entriesOf: (names: readonly string[]) => PreferenceKeyEntry[]) {
    const rows = linkedPages.flatMap((page) => {
      const labels = entriesOf(keysOfPages[page]).map(({ key }) => settingLabel(this.i18n, key));
      return labels.length === 0 ? [] : [this.#linkRow(page, this.text(`shell.pages.${page}`), labels.join(', '))];
    });
    if (rows.length === 0) return nothing;
    return section('group-pages', this.text('settings.groups.elsewhere'), html`<ul class="panel list">${rows}</ul>`);
  }

  #linkRow(page: LinkedPage, title: string, text: string) {
    return html`<li>
      <a class="row" href=${this.context.merchantPath(page)}>
        <span class="row-content">
          <span class="row-title">${title}</span>
          <span class="row-text" dir="auto">${text}</span>
        </span>
        ${icon('chevron-right')}
      </a>
    </li>`;
  }

  /** Found settings that are edited on another page. */
  #linkedSection(page: LinkedPage, entries: readonly PreferenceKeyEntry[]) {
    if (entries.length === 0) return nothing;
    const heading = this.text(`shell.pages.${page}`);
    const rows = entries.map((entry) => {
      const value = valueText(entry, entry.value ?? entry.default, this.i18n, this.context.format);
      return this.#linkRow(page, settingLabel(this.i18n, entry.key), value);
    });
    return section(`group-${page}`, heading, html`<ul class="panel list">${rows}</ul>`);
  }

  #settingRow(entry: PreferenceKeyEntry): TemplateResult {
    return settingRow(entry, this.#edits, this.context, this.#loader.value?.names);
  }
}
