import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import { alpha2Of, flagEmoji } from '../countries.ts';
import { checkField } from '../choices.ts';
import { textField } from '../fields.ts';
import { icon } from '../icons.ts';
import { expandableRow } from '../expandable-row.ts';
import { removableChip } from './removable-chip.ts';

/**
 * Selects countries by name. Existing codes keep their spelling.
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
    this.querySelector<HTMLElement>('wa-details')?.focus();
  }

  #toggle(alpha2: string, isChosen: boolean) {
    this.#change(isChosen ? [...this.codes, alpha2] : this.codes.filter((code) => alpha2Of(code) !== alpha2));
  }

  override render() {
    return html`${this.#chips()} ${this.isReadOnly ? nothing : this.#picker()}`;
  }

  #chips() {
    if (this.codes.length === 0) return html`<p class="hint">${this.text('settings.no_country')}</p>`;
    return html`<ul class="chips" aria-label=${this.label}>
      ${this.codes.map((code) => {
        const alpha2 = alpha2Of(code);
        const name = alpha2 === null ? code : this.context.format.country(alpha2);
        const content = html`<span dir="auto">${alpha2 === null ? '' : flagEmoji(alpha2)} <span class="chip-name">${name}</span></span>`;
        return html`<li>${removableChip(content, this.text('settings.remove_label', { name }), this.isReadOnly ? null : () => this.#remove(code))}</li>`;
      })}
    </ul>`;
  }

  #picker() {
    const chosen = new Set(this.codes.map(alpha2Of));
    const query = this.search.trim().toLocaleLowerCase();
    const listed = !this.isOpen
      ? []
      : this.context.format.countries.filter(({ name, alpha2, alpha3 }) =>
          [name, alpha2, alpha3].some((each) => each.toLocaleLowerCase().includes(query)),
        );
    return expandableRow({
      className: 'picker',
      onToggle: (isOpen) => (this.isOpen = isOpen),
      head: html`${icon('plus')} ${this.text('settings.choose_countries')}`,
      content: html`${textField({
        ...{ id: 'country-search', name: 'search', type: 'search', isLabelHidden: true },
        ...{ label: this.text('settings.find_country'), placeholder: this.text('settings.find_country') },
        onInput: (search) => (this.search = search),
      })}
        <div class="picker-list" role="group" aria-label=${this.label} tabindex="-1">
          ${listed.map(({ alpha2, name }) =>
            checkField({
              ...{ text: `${flagEmoji(alpha2)} ${name}`, isChecked: chosen.has(alpha2) },
              onChange: (isChosen) => this.#toggle(alpha2, isChosen),
            }),
          )}
          ${this.isOpen && listed.length === 0 ? html`<p class="hint">${this.text('settings.no_matching_countries')}</p>` : nothing}
        </div>`,
    });
  }
}
