import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import { textField } from '../fields.ts';
import { button } from '../parts.ts';
import { removableChip } from './removable-chip.ts';

/** An origin to add to a list, or to remove from it. */
export interface OriginEdit {
  origin: string;
  isAdded: boolean;
}

export function editOrigins(origins: readonly string[], { origin, isAdded }: OriginEdit): readonly string[] {
  return [...origins.filter((each) => each !== origin), ...(isAdded ? [origin] : [])];
}

/**
 * A list of origins, such as `https://shop.example`. Reduces a pasted URL to its origin.
 *
 * @fires origin-edit - `detail` is an `OriginEdit`
 */
@customElement('origin-list-field')
export class OriginListField extends AccountElement {
  @property({ attribute: false }) origins: readonly string[] = [];
  @property({ attribute: false }) label = '';
  @property({ attribute: false }) isReadOnly = false;

  @state() private fieldError: string | null = null;

  #add() {
    const input = this.querySelector<HTMLElement & { value: string }>('#new-origin');
    const typed = input?.value.trim() ?? '';
    const origin = parseOrigin(typed);
    this.fieldError = origin === null ? this.text('settings.error_origin') : null;
    if (!input || origin === null) return;
    input.value = '';
    if (!this.origins.includes(origin)) this.#edit({ origin, isAdded: true });
  }

  #edit(edit: OriginEdit) {
    this.emit('origin-edit', edit);
    this.querySelector<HTMLElement>('#new-origin')?.focus();
  }

  override render() {
    const { origins, isReadOnly } = this;
    const chip = (origin: string) => {
      const text = html`<span class="chip-name" dir="ltr">${origin}</span>`;
      const remove = () => this.#edit({ origin, isAdded: false });
      const name = this.text('settings.remove_label', { name: origin });
      return html`<li>${removableChip(text, name, isReadOnly ? null : remove)}</li>`;
    };
    return html`${
      origins.length === 0
        ? html`<p class="hint">${this.text('settings.no_origin')}</p>`
        : html`<ul class="chips" aria-label=${this.label}>${origins.map(chip)}</ul>`
    }
    ${isReadOnly ? nothing : this.#field()}`;
  }

  #field() {
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      this.#add();
    };
    return html`<div class="add-row">
      ${textField({
        ...{ id: 'new-origin', name: 'origin', label: this.text('settings.new_origin'), type: 'url', dir: 'ltr' },
        ...{ placeholder: 'https://shop.example', fieldError: this.fieldError, onKey: key },
      })}
      ${button(this.text('settings.add'), () => this.#add(), { icon: 'plus' })}
    </div>`;
  }
}

function parseOrigin(typed: string): string | null {
  const address = /^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`;
  try {
    const { protocol, hostname, origin } = new URL(address);
    return /^https?:$/.test(protocol) && /^[a-z0-9._-]+$/.test(hostname) ? origin : null;
  } catch {
    return null;
  }
}
