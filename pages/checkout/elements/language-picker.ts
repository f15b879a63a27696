import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { LightElement } from './light-element.ts';
import { statusIcon } from './status-icon.ts';

/**
 * Selects the page's language; each language is listed by its own name. Without a script it is a plain form
 * whose button reloads the page.
 *
 * @fires language-select - `detail` is the selected BCP 47 tag
 */
@customElement('language-picker')
export class LanguagePicker extends LightElement {
  /** Available BCP 47 tags. */
  @property({ attribute: false }) languages: readonly string[] = [];
  /** Current language of the page. */
  @property({ attribute: false }) chosen = '';

  protected override updated() {
    // Resets the control if the change of language failed.
    const select = this.querySelector('select');
    if (select) select.value = this.chosen;
  }

  override render() {
    const label = this.i18n.text('page.language');
    return html`<form class="language" method="get">
      ${statusIcon('globe')}
      <select
        name="locale"
        aria-label=${label}
        @change=${(event: Event) => this.emit('language-select', (event.target as HTMLSelectElement).value)}
      >
        ${namedLanguages(this.languages).map(
          ({ tag, name }) => html`<option value=${tag} lang=${tag} ?selected=${tag === this.chosen}>${name}</option>`,
        )}
      </select>
      <button class="button plain-only">${this.i18n.text('page.reload')}</button>
    </form>`;
  }
}

interface NamedLanguage {
  tag: string;
  name: string;
}

const languagesByTags = new WeakMap<readonly string[], readonly NamedLanguage[]>();

/** Languages with their native names, sorted by name. */
function namedLanguages(tags: readonly string[]): readonly NamedLanguage[] {
  const cached = languagesByTags.get(tags);
  if (cached) return cached;
  const { compare } = new Intl.Collator('en');
  const named = tags
    .map((tag) => ({ tag, name: capitalized(new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag, tag) }))
    .toSorted((a, b) => compare(a.name, b.name));
  languagesByTags.set(tags, named);
  return named;
}

/** Capitalizes a language name for a list: many languages write it in lower case within a sentence. */
function capitalized(name: string, tag: string): string {
  const [first = '', ...rest] = name;
  return first.toLocaleUpperCase(tag) + rest.join('');
}

declare global {
  interface HTMLElementTagNameMap {
    'language-picker': LanguagePicker;
  }
}
