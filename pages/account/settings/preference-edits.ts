import type { ReactiveController } from 'lit';
import type { AccountPage } from '../account-page.ts';
import { type AccountContext, hasScope } from '../context.ts';
import type { Loader } from '../loader.ts';
import { problemText, toProblem } from '../problems.ts';
import { fieldErrorText } from './controls.ts';
import { readNames } from './last-change.ts';
import { isSameValue, type PreferenceKeyEntry, type PreferenceValue } from './preferences.ts';

export interface SettingsData {
  keys: readonly PreferenceKeyEntry[];
  /** Names of users and tokens that the user may see, by their `updated_by` value. */
  names: ReadonlyMap<string, string>;
}

/** Reads all settings of the merchant. */
export async function readSettings(context: AccountContext, signal: AbortSignal): Promise<SettingsData> {
  const [{ keys }, names] = await Promise.all([
    context.api.listPreferenceKeys({}, { signal }),
    readNames(context, signal),
  ]);
  return { keys, names };
}

/** Unsaved changes to the settings of a page, which are saved together. */
export class PreferenceEdits implements ReactiveController {
  values: ReadonlyMap<string, PreferenceValue> = new Map();
  fieldErrors: ReadonlyMap<string, string> = new Map();
  isSaving = false;
  readonly #page: AccountPage;
  readonly #loader: Loader<SettingsData>;

  constructor(page: AccountPage, loader: Loader<SettingsData>) {
    this.#page = page;
    this.#loader = loader;
    page.addController(this);
  }

  hostConnected(): void {}

  isReadOnly({ manager_only: isManagerOnly }: PreferenceKeyEntry): boolean {
    const { context } = this.#page;
    const isManager = context.account?.person.isManager ?? false;
    return !hasScope(context, 'preference:write') || (isManagerOnly && !isManager);
  }

  /** The edited value, or the saved one. */
  valueOf({ key, value }: PreferenceKeyEntry): PreferenceValue {
    const edited = this.values.get(key);
    return edited === undefined ? value : edited;
  }

  set(entry: PreferenceKeyEntry, value: PreferenceValue): void {
    const values = new Map(this.values);
    // A value that is reset during a save differs from the saved one afterward.
    if (isSameValue(value, entry.value) && !this.isSaving) values.delete(entry.key);
    else values.set(entry.key, value);
    this.values = values;
    const fieldErrors = new Map(this.fieldErrors);
    if (fieldErrors.delete(entry.key)) this.fieldErrors = fieldErrors;
    this.#page.requestUpdate();
  }

  discard(): void {
    this.values = new Map();
    this.fieldErrors = new Map();
    this.#page.requestUpdate();
    this.#page.context.announce(this.#text('discarded'));
  }

  /**
   * Saves all changes; `saveOthers` first saves the page's other ones. On failure, marks the fields that the service
   * rejected. Resolves to true on success.
   */
  async save(saveOthers: () => Promise<void> = () => Promise.resolve()): Promise<boolean> {
    if (this.isSaving) return false;
    const { api, announce, i18n } = this.#page.context;
    const preferences = [...this.values].map(([key, value]) => ({ key, value }));
    this.isSaving = true;
    this.#page.requestUpdate();
    let isSaved = false;
    try {
      await saveOthers();
      if (preferences.length > 0) await api.setPreferences({ preferences });
      this.#applySaved(new Map(preferences.map(({ key, value }) => [key, value])));
      this.fieldErrors = new Map();
      announce(this.#text('saved'));
      void this.#loader.run();
      isSaved = true;
    } catch (error) {
      const problem = toProblem(error);
      const entries = this.#loader.value?.keys ?? [];
      this.fieldErrors = new Map(
        preferences.flatMap(({ key }, index) => {
          const matching = problem.errors.find(({ pointer }) => pointer.startsWith(`/preferences/${index}/`));
          const entry = entries.find((each) => each.key === key);
          return matching && entry ? [[key, fieldErrorText(entry, matching.detail, i18n)] as const] : [];
        }),
      );
      const { heading, text } = problemText(problem, i18n);
      announce(problem.errors.length > 0 ? this.#text('not_saved') : `${heading}. ${text}`);
    }
    this.isSaving = false;
    this.#dropUnchanged();
    this.#page.requestUpdate();
    return isSaved;
  }

  #text(key: string): string {
    return this.#page.context.i18n.text(`account.settings.${key}`);
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
  #dropUnchanged() {
    const saved = new Map(this.#loader.value?.keys.map(({ key, value }) => [key, value]));
    this.values = new Map([...this.values].filter(([key, value]) => !isSameValue(value, saved.get(key))));
  }
}
