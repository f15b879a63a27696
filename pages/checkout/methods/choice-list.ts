import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { MarkedChoice } from '../../../src/api/page-state.ts';
import { fieldErrorMessage } from '../elements/field-error.ts';
import { LightElement } from '../elements/light-element.ts';

/** Lists with this many choices or more have a search field. */
const MIN_SEARCHABLE = 7;

/**
 * Selects a bank or a coin. Native radio buttons, popular choices first, with a search field in long lists. The radio
 * buttons of the surrounding form hold the choice.
 *
 * @fires announce - `detail` is the announcement for the page's live region
 */
@customElement('choice-list')
export class ChoiceList extends LightElement {
  /** Kind of choice: selects the translations under `choices.{kind}`. */
  @property({ attribute: false }) kind: 'bank' | 'currency' = 'bank';
  @property({ attribute: false }) choices: readonly MarkedChoice[] = [];
  /** Prefix that makes IDs unique on the page. */
  @property({ attribute: false }) name = '';
  /** A choice is required and missing. */
  @property({ attribute: false }) isMissing = false;

  @state() private searchText = '';

  /** Code of the buyer's choice. */
  #chosen = '';

  protected override updated() {
    // The choice may have moved in the list, or is no longer offered.
    if (!this.#chosen) return;
    for (const radio of this.querySelectorAll<HTMLInputElement>('[name=choice]'))
      radio.checked = radio.value === this.#chosen;
  }

  /** Focuses the search field, or the first choice. */
  override focus() {
    this.querySelector<HTMLElement>('input')?.focus();
  }

  #text(key: string, values?: Record<string, string | number>): string {
    return this.i18n.text(`choices.${this.kind}.${key}`, values);
  }

  #matches({ name }: MarkedChoice): boolean {
    return normalize(name).includes(normalize(this.searchText));
  }

  #onSearch(event: Event) {
    // The surrounding form must not react to the search text.
    event.stopPropagation();
    this.searchText = (event.target as HTMLInputElement).value;
    const count = this.choices.filter((choice) => this.#matches(choice)).length;
    this.emit('announce', count === 0 ? this.#text('none') : this.#text('found', { count }));
  }

  #onKey(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
    event.preventDefault();
    const [first, second] = this.querySelectorAll<HTMLInputElement>('.choice:not([hidden]) > input');
    if (event.key === 'Enter' && !second) first?.click();
    first?.focus();
  }

  override render() {
    const isSearchable = this.choices.length >= MIN_SEARCHABLE;
    const popular = isSearchable ? this.choices.filter(({ isPopular }) => isPopular) : this.choices;
    const { compare } = new Intl.Collator(this.i18n.locale);
    const rest = this.choices.filter((choice) => !popular.includes(choice)).toSorted((a, b) => compare(a.name, b.name));
    const fieldErrorId = `${this.name}-error`;
    return html`<fieldset class="choices" aria-describedby=${this.isMissing ? fieldErrorId : nothing}>
      <legend>${this.#text('legend')}</legend>
      ${isSearchable ? this.#search() : nothing}
      ${fieldErrorMessage(fieldErrorId, this.isMissing ? this.#text('missing') : null)}
      ${rest[0] && this.#heading('popular')}
      <div class="choice-tiles">${popular.map((choice) => this.#choice(choice))}</div>
      ${rest[0] && html`${this.#heading('other')}<div class="choice-rows">${rest.map((choice) => this.#choice(choice))}</div>`}
      ${this.choices.some((choice) => this.#matches(choice)) ? nothing : html`<p class="quiet">${this.#text('none')}</p>`}
    </fieldset>`;
  }

  #heading(key: string) {
    return this.searchText === '' ? html`<p class="quiet">${this.#text(key)}</p>` : nothing;
  }

  #search() {
    const id = `${this.name}-search`;
    return html`<div class="choice-search">
      <label for=${id} class="visually-hidden">${this.#text('search')}</label>
      <input
        id=${id}
        type="search"
        class="field"
        dir="auto"
        aria-invalid=${this.isMissing ? 'true' : nothing}
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        placeholder=${this.#text('search')}
        @input=${this.#onSearch}
        @keydown=${this.#onKey}
      />
    </div>`;
  }

  #choice(choice: MarkedChoice) {
    const { code, name, mark, amount, network, isChosen } = choice;
    const logo =
      this.kind === 'currency'
        ? html`<img src="/methods/${mark}.svg" width="24" height="24" alt="" />`
        : html`<img class="mark-image" src="/methods/${mark}.svg" width="38" height="24" alt="" />`;
    const id = amount === undefined ? nothing : `${this.name}-${code}`;
    return html`<label class="choice" ?hidden=${!this.#matches(choice)}>
      <input
        type="radio"
        name="choice"
        class="method-radio"
        value=${code}
        ?checked=${isChosen}
        @change=${() => (this.#chosen = code)}
        aria-label=${name}
        aria-describedby="${id}-network ${id}"
      />
      <span><bdi>${name}</bdi> <bdi id="${id}-network">${network}</bdi></span>
      ${
        amount === undefined
          ? nothing
          : html`<span class="choice-amount"><bdi id=${id}>${amount} ${code.toUpperCase()}</bdi></span>`
      }
      ${logo}
    </label>`;
  }
}

/** Normalizes text for the search: lower case, without accents. */
function normalize(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
}

declare global {
  interface HTMLElementTagNameMap {
    'choice-list': ChoiceList;
  }
}
