import { html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { cryptoCurrencies, cryptoCurrencyCodes, type CryptoCurrencyCode } from '../../../src/shared/crypto-currency.ts';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { hasScope } from '../context.ts';
import { focusInvalidField, textField } from '../fields.ts';
import { Loader } from '../load.ts';
import { UnsavedChanges } from '../unsaved.ts';
import { control, mistakeText, type Setting, valueText } from './controls.ts';
import {
  groups,
  isSameValue,
  ofIntegration,
  partsOf,
  type PreferenceKeyEntry,
  type PreferenceValue,
  textName,
} from './preferences.ts';
import { lastChange, readNames } from './last-change.ts';
import { toProblem } from '../problems.ts';
import { button, emptyState, notice, section, tag } from '../parts.ts';
import { expandableRow } from '../unfolding.ts';

interface Known {
  keys: readonly PreferenceKeyEntry[];
  /** Names of people and tokens, by how `updated_by` calls them; only where they may be read. */
  names: ReadonlyMap<string, string>;
}

/** Every setting of the merchant's, changed together. */
@customElement('settings-page')
export class SettingsPage extends AccountPage {
  @state() private edits: ReadonlyMap<string, PreferenceValue> = new Map();
  @state() private mistakes: ReadonlyMap<string, string> = new Map();
  @state() private search = '';
  @state() private isSaving = false;

  readonly #known = new Loader<Known>(this, async (signal) => {
    const { api } = this.context;
    const [{ keys }, names] = await Promise.all([
      api.listPreferenceKeys({}, { signal }),
      readNames(this.context, signal),
    ]);
    return { keys, names };
  });
  readonly #unsaved = new UnsavedChanges(this, {
    count: () => this.edits.size,
    save: async () => await this.#save(),
    discard: () => this.#discard(),
  });

  override async canLeave(): Promise<boolean> {
    return await this.#unsaved.canLeave();
  }

  get #isManager(): boolean {
    return this.context.account?.person.isManager ?? false;
  }

  #isReadOnly({ manager_only: ofManagers }: PreferenceKeyEntry): boolean {
    return !hasScope(this.context, 'preference:write') || (ofManagers && !this.#isManager);
  }

  #valueOf({ key, value }: PreferenceKeyEntry): PreferenceValue {
    const edited = this.edits.get(key);
    return edited === undefined ? value : edited;
  }

  #set(entry: PreferenceKeyEntry, value: PreferenceValue) {
    const edits = new Map(this.edits);
    // What is put back while it is being saved is a change again once it has been.
    if (isSameValue(value, entry.value) && !this.isSaving) edits.delete(entry.key);
    else edits.set(entry.key, value);
    this.edits = edits;
    const mistakes = new Map(this.mistakes);
    if (mistakes.delete(entry.key)) this.mistakes = mistakes;
  }

  async #save() {
    if (this.isSaving) return;
    const { api, announce } = this.context;
    const preferences = [...this.edits].map(([key, value]) => ({ key, value }));
    this.isSaving = true;
    try {
      await api.setPreferences({ preferences });
      this.#knowSaved(new Map(preferences.map(({ key, value }) => [key, value])));
      this.mistakes = new Map();
      announce(this.text('settings.saved'));
      void this.#known.run();
    } catch (error) {
      const problem = toProblem(error);
      const entries = this.#known.value?.keys ?? [];
      this.mistakes = new Map(
        preferences.flatMap(({ key }, index) => {
          const found = problem.errors.find(({ pointer }) => pointer.startsWith(`/preferences/${index}/`));
          const entry = entries.find((each) => each.key === key);
          return found && entry ? [[key, mistakeText(entry, found.detail, this.i18n)] as const] : [];
        }),
      );
      announce(this.mistakes.size === 0 ? this.problemSentence(problem) : this.text('settings.not_saved'));
      if (this.mistakes.size > 0) this.search = '';
    }
    this.isSaving = false;
    this.#keepOnlyChanges();
    await this.updateComplete;
    focusInvalidField(this);
  }

  #knowSaved(saved: ReadonlyMap<string, PreferenceValue>) {
    const { value: known } = this.#known;
    if (known === null) return;
    const keys = known.keys.map((entry) => {
      const value = saved.get(entry.key);
      return value === undefined ? entry : { ...entry, value };
    });
    this.#known.set({ ...known, keys });
  }

  /** What was edited while it was being saved stays: only what is as it is known is no change. */
  #keepOnlyChanges() {
    const known = new Map(this.#known.value?.keys.map(({ key, value }) => [key, value]));
    this.edits = new Map([...this.edits].filter(([key, value]) => !isSameValue(value, known.get(key))));
  }

  #discard() {
    this.edits = new Map();
    this.mistakes = new Map();
    this.context.announce(this.text('settings.discarded'));
  }

  #label(key: string): string {
    const own = `account.settings.names.${textName(key)}`;
    return this.i18n.has(own) ? this.i18n.text(own) : key;
  }

  #meaning({ key, meaning }: PreferenceKeyEntry): string {
    const own = `account.settings.meanings.${textName(key)}`;
    const { code } = partsOf(key);
    if (!this.i18n.has(own)) return meaning;
    return this.i18n.text(own, { coin: code === null ? '' : cryptoCurrencies[code].name });
  }

  #isFound(entry: PreferenceKeyEntry): boolean {
    const i18n = this.search.trim().toLocaleLowerCase().split(/\s+/);
    const { code } = partsOf(entry.key);
    const coin = code === null ? '' : cryptoCurrencies[code].name;
    const all = [entry.key, this.#label(entry.key), this.#meaning(entry), entry.meaning, coin].join(' ');
    return i18n.every((word) => all.toLocaleLowerCase().includes(word));
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
      ${loadView(this.#known, this.i18n, {
        skeleton: () => skeletonRows(8),
        content: (known) => this.#shown(known),
      })}
      ${this.#unsaved.bar(this.isSaving)}`;
  }

  #shown({ keys }: Known) {
    const found = keys.filter((entry) => this.#isFound(entry));
    const of = (names: readonly string[]) => names.flatMap((name) => found.filter(({ key }) => key === name));
    const grouped = new Set<string>([...Object.values(groups).flat(), ...ofIntegration]);
    const others = found.filter(({ key }) => !grouped.has(key) && partsOf(key).code === null);
    const currencies = cryptoCurrencyCodes.map((code) => ({
      code,
      entries: found.filter(({ key }) => partsOf(key).code === code),
    }));
    if (found.length === 0)
      return emptyState(
        'search',
        this.text('settings.nothing_found'),
        '',
        button(this.text('settings.show_all'), () => (this.search = '')),
      );
    return html`<div class="settings">
      ${(Object.keys(groups) as (keyof typeof groups)[]).map((group) =>
        this.#group(group, this.text(`settings.groups.${group}`), of(groups[group])),
      )}
      ${currencies.map(({ code, entries }) => this.#currency(code, entries))}
      ${this.#integration(of(ofIntegration))} ${this.#group('other', this.text('settings.groups.other'), others)}
    </div>`;
  }

  #group(id: string, heading: string, entries: readonly PreferenceKeyEntry[]) {
    if (entries.length === 0) return nothing;
    return section(
      `group-${id}`,
      heading,
      html`<div class="panel">${entries.map((entry) => this.#setting(entry))}</div>`,
    );
  }

  /** Seven for each cryptocurrency: folded, unless they are looked for. */
  #currency(code: CryptoCurrencyCode, entries: readonly PreferenceKeyEntry[]) {
    if (entries.length === 0) return nothing;
    const isTouched = entries.some(({ key }) => this.mistakes.has(key));
    const set = entries.filter(({ value }) => value !== null).length;
    return html`<section class="section panel" aria-labelledby="group-${code}">
      ${expandableRow({
        isOpen: this.search !== '' || isTouched,
        column: html`<h2 class="section-heading" id="group-${code}">
            ${cryptoCurrencies[code].name} <small>${code.toUpperCase()}</small>
          </h2>
          <span class="fold-text"
            >${set === 0 ? this.text('settings.all_default') : this.text('settings.own_values', { count: set })}</span
          >`,
        content: entries.map((entry) => this.#setting(entry)),
      })}
    </section>`;
  }

  /** What is set on another page. */
  #integration(entries: readonly PreferenceKeyEntry[]) {
    if (entries.length === 0) return nothing;
    const heading = this.text('shell.pages.integration');
    const there = this.text('settings.set_there');
    const rows = entries.map(
      (entry) => html`<li class="row row-wraps">
        <div class="row-words">
          <span class="row-title">${this.#label(entry.key)}</span>
          <span class="row-text" dir="auto">${this.#inWords(entry, entry.value)}</span>
        </div>
        ${button(there, this.context.merchantPath('integration'), { name: `${there}: ${this.#label(entry.key)}` })}
      </li>`,
    );
    return section('group-integration', heading, html`<ul class="panel list">${rows}</ul>`);
  }

  #inWords(entry: PreferenceKeyEntry, value: PreferenceValue): string {
    return valueText(entry, value, this.i18n, this.context.format);
  }

  #setting(entry: PreferenceKeyEntry): TemplateResult {
    const { i18n, context } = this;
    const { key, type } = entry;
    const value = this.#valueOf(entry);
    const isReadOnly = this.#isReadOnly(entry);
    const setting: Setting = {
      ...{ entry, value, i18n, isReadOnly, format: context.format, label: this.#label(key) },
      description: this.#meaning(entry),
      mistake: this.mistakes.get(key) ?? null,
      set: (next) => this.#set(entry, next),
    };
    const isWide = type === 'country_list' || type === 'origin_list';
    return html`<div class="setting ${isWide ? 'setting-wide' : ''}" data-key=${key}>
      <div class="setting-words">
        <h3 class="setting-name">
          ${setting.label}
          ${entry.manager_only ? tag(this.text(this.#isManager ? 'settings.only_managers' : 'settings.by_service'), null, 'lock') : nothing}
          ${this.edits.has(key) ? tag(this.text('settings.changed'), 'warn') : nothing}
        </h3>
        <p class="setting-meaning" id=${`setting-${key}-meaning`}>${this.#meaning(entry)}</p>
        ${entry.pending === null ? nothing : html`<p class="setting-note setting-pending">${this.#pendingText(entry, entry.pending)}</p>`}
        <p class="setting-note"><code dir="ltr">${key}</code>${this.#known.value && lastChange(entry, this.#known.value.names, context)}</p>
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
                    : this.text('settings.back_to_default', { value: this.#inWords(entry, entry.default) })
                }<span class="visually-hidden">: ${setting.label}</span>`,
                () => this.#set(entry, null),
                { kind: 'quiet', className: 'button-link' },
              )
        }
      </div>
    </div>`;
  }

  #pendingText(entry: PreferenceKeyEntry, pending: NonNullable<PreferenceKeyEntry['pending']>): string {
    const value = this.#inWords(entry, pending.current_value);
    return this.text('settings.pending', { time: this.context.format.dateTimeText(pending.effective_at), value });
  }
}
