import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { fieldMistake } from '../../checkout/elements/field-mistake.ts';
import { AccountElement } from '../account-element.ts';
import { icon } from '../icons.ts';
import { button } from '../parts.ts';

/**
 * A list of origins, `https://shop.example`. Of an address that is pasted, the origin is taken.
 *
 * @fires list-change - `detail` is the list of origins
 */
@customElement('origin-list-field')
export class OriginListField extends AccountElement {
  @property({ attribute: false }) origins: readonly string[] = [];
  @property({ attribute: false }) label = '';
  @property({ attribute: false }) isReadOnly = false;

  @state() private mistake: string | null = null;

  #add() {
    const input = this.querySelector<HTMLInputElement>('#new-origin');
    const typed = input?.value.trim() ?? '';
    const origin = originIn(typed);
    this.mistake = origin === null ? this.text('settings.mistake_origin') : null;
    if (!input || origin === null) return;
    input.value = '';
    if (!this.origins.includes(origin)) this.emit('list-change', [...this.origins, origin]);
  }

  override render() {
    return html`${
      this.origins.length === 0
        ? html`<p class="hint">${this.text('settings.no_origin')}</p>`
        : html`<ul class="chips" aria-label=${this.label}>
            ${this.origins.map(
              (origin) => html`<li class="chip">
                <span class="chip-name" dir="ltr">${origin}</span>
                ${
                  this.isReadOnly
                    ? nothing
                    : html`<button
                        class="chip-remove"
                        type="button"
                        aria-label=${this.text('settings.remove_what', { name: origin })}
                        @click=${() =>
                          this.emit(
                            'list-change',
                            this.origins.filter((each) => each !== origin),
                          )}
                      >
                        ${icon('x')}
                      </button>`
                }
              </li>`,
            )}
          </ul>`
    }
    ${this.isReadOnly ? nothing : this.#field()}`;
  }

  #field() {
    return html`<div class="adding labelled">
      <label for="new-origin">${this.text('settings.new_origin')}</label>
      <div class="adding-row">
        <input
          class="field"
          id="new-origin"
          type="url"
          dir="ltr"
          autocomplete="off"
          placeholder="https://shop.example"
          aria-invalid=${this.mistake === null ? nothing : 'true'}
          aria-describedby=${this.mistake === null ? nothing : 'new-origin-mistake'}
          @keydown=${(event: KeyboardEvent) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            this.#add();
          }}
        />
        ${button(this.text('settings.add'), () => this.#add(), { icon: 'plus' })}
      </div>
      ${fieldMistake('new-origin-mistake', this.mistake)}
    </div>`;
  }
}

function originIn(typed: string): string | null {
  const address = /^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`;
  if (typed === '' || !URL.canParse(address)) return null;
  const { protocol, hostname, origin } = new URL(address);
  return /^https?:$/.test(protocol) && /^[a-z0-9._-]+$/.test(hostname) ? origin : null;
}
