import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import { alpha2Of, flagOf } from '../countries.ts';
import { icon } from '../icons.ts';

/**
 * A list of countries by their names: what is chosen, and all of them to choose from. Codes that were there
 * stay as they were written.
 *
 * @fires list-change - `detail` is the list of codes
 */
@customElement('country-list-field')
export class CountryListField extends AccountElement {
  @property({ attribute: false }) codes: readonly string[] = [];
  @property({ attribute: false }) label = '';
  @property({ attribute: false }) isReadOnly = false;

  @state() private search = '';
  @state() private isOpen = false;

  #change(codes: readonly string[]) {
    this.emit('list-change', codes);
  }

  #remove(code: string) {
    this.#change(this.codes.filter((each) => each !== code));
    this.querySelector('summary')?.focus();
  }

  #choose(alpha2: string, isChosen: boolean) {
    this.#change(isChosen ? [...this.codes, alpha2] : this.codes.filter((code) => alpha2Of(code) !== alpha2));
  }

  override render() {
    return html`${this.#chips()} ${this.isReadOnly ? nothing : this.#all()}`;
  }

  #chips() {
    if (this.codes.length === 0) return html`<p class="hint">${this.text('settings.no_country')}</p>`;
    return html`<ul class="chips" aria-label=${this.label}>
      ${this.codes.map((code) => {
        const alpha2 = alpha2Of(code);
        const name = alpha2 === null ? code : this.context.format.country(alpha2);
        return html`<li class="chip">
          ${alpha2 === null ? nothing : html`<span class="flag" aria-hidden="true">${flagOf(alpha2)}</span>`}
          <span class="chip-name" dir="auto">${name}</span>
          ${
            this.isReadOnly
              ? nothing
              : html`<button
                  class="chip-remove"
                  type="button"
                  aria-label=${this.text('settings.remove_what', { name })}
                  @click=${() => this.#remove(code)}
                >
                  ${icon('x')}
                </button>`
          }
        </li>`;
      })}
    </ul>`;
  }

  #all() {
    const chosen = new Set(this.codes.map(alpha2Of));
    const typed = this.search.trim().toLocaleLowerCase();
    const named = !this.isOpen
      ? []
      : this.context.format.countries.filter(({ name, alpha2, alpha3 }) =>
          [name, alpha2, alpha3].some((each) => each.toLocaleLowerCase().includes(typed)),
        );
    return html`<details
      class="picker"
      @toggle=${(event: Event) => (this.isOpen = (event.target as HTMLDetailsElement).open)}
    >
      <summary class="button">${icon('plus')} ${this.text('settings.choose_countries')}</summary>
      <div class="picker-body">
        <label class="visually-hidden" for="country-search">${this.text('settings.find_country')}</label>
        <input
          class="field"
          id="country-search"
          type="search"
          autocomplete="off"
          placeholder=${this.text('settings.find_country')}
          @input=${(event: Event) => (this.search = (event.target as HTMLInputElement).value)}
        />
        <fieldset class="picker-list" tabindex="-1">
          <legend class="visually-hidden">${this.label}</legend>
          ${named.map(
            ({ alpha2, name }) => html`<label class="check">
              <input
                type="checkbox"
                .checked=${chosen.has(alpha2)}
                @change=${(event: Event) => this.#choose(alpha2, (event.target as HTMLInputElement).checked)}
              />
              <span class="flag" aria-hidden="true">${flagOf(alpha2)}</span><span class="chip-name">${name}</span>
            </label>`,
          )}
          ${this.isOpen && named.length === 0 ? html`<p class="hint">${this.text('settings.no_such_country')}</p>` : nothing}
        </fieldset>
      </div>
    </details>`;
  }
}
