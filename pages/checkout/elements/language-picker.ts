import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { LightElement } from './light-element.ts';

/**
 * The languages that the page speaks, each by its own name. A plain form without a script: then the
 * button asks for the page again.
 *
 * @fires language-select - `detail` is the BCP 47 tag that was chosen
 */
@customElement('language-picker')
export class LanguagePicker extends LightElement {
  /** BCP 47 tags on offer. */
  @property({ attribute: false }) languages: readonly string[] = [];
  /** The one that the page is in. */
  @property({ attribute: false }) chosen = '';

  protected override updated() {
    // What was chosen by hand stands in the control; a choice that came to nothing is taken back there as well.
    const select = this.querySelector('select');
    if (select) select.value = this.chosen;
  }

  override render() {
    const label = this.words.text('page.language');
    return html`<form class="language" method="get">
      <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" aria-hidden="true">
        <circle cx="12" cy="12" r="8.25" />
        <path d="M3.75 12h16.5M12 3.75c2.9 2.5 3.9 5.4 3.9 8.25s-1 5.75-3.9 8.25c-2.9-2.5-3.9-5.4-3.9-8.25s1-5.75 3.9-8.25Z" />
      </svg>
      <select
        name="locale"
        aria-label=${label}
        @change=${(event: Event) => this.tell('language-select', (event.target as HTMLSelectElement).value)}
      >
        ${namedLanguages(this.languages).map(
          ({ tag, name }) => html`<option value=${tag} lang=${tag} ?selected=${tag === this.chosen}>${name}</option>`,
        )}
      </select>
      <button class="button plain-only">${this.words.text('page.reload')}</button>
    </form>`;
  }
}

interface NamedLanguage {
  tag: string;
  name: string;
}

const namedByTags = new WeakMap<readonly string[], readonly NamedLanguage[]>();

/** The languages with the names that their own readers know them by, in the order of these names. */
function namedLanguages(tags: readonly string[]): readonly NamedLanguage[] {
  const known = namedByTags.get(tags);
  if (known) return known;
  const { compare } = new Intl.Collator('en');
  const named = tags
    .map((tag) => ({ tag, name: capitalized(new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag, tag) }))
    .toSorted((a, b) => compare(a.name, b.name));
  namedByTags.set(tags, named);
  return named;
}

/** As it stands in a list: many languages write their own name small within a sentence. */
function capitalized(name: string, tag: string): string {
  const [first = '', ...rest] = name;
  return first.toLocaleUpperCase(tag) + rest.join('');
}

declare global {
  interface HTMLElementTagNameMap {
    'language-picker': LanguagePicker;
  }
}
