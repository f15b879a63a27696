import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { type FieldTraits, fieldTraits } from './card-fields.ts';
import { fieldErrorMessage } from './field-error.ts';
import { LightElement } from './light-element.ts';

/**
 * A labeled text field with its error. The native input is the only place that holds its value: autofill, password
 * managers and form history write there.
 */
@customElement('text-field')
export class TextField extends LightElement {
  /** Name, keyboard and autofill settings. */
  @property({ attribute: false }) traits: FieldTraits = fieldTraits.card_number;
  /** Label; by default the text of the field's name. */
  @property({ attribute: false }) label = '';
  /** Prefix of its ID, for pages with several forms. */
  @property({ attribute: false }) idPrefix = 'field';
  /** Initial value. */
  @property({ attribute: false }) initial = '';
  /** Message of the error, or null. */
  @property({ attribute: false }) error: string | null = null;
  /** Example or expected format, shown while the field is empty. */
  @property({ attribute: false }) hint = '';
  /** Content at the end of the field, such as the brand mark. */
  @property({ attribute: false }) adornment: unknown = nothing;

  override render() {
    const { name, autocomplete, type, inputMode, capitals, maxLength, leftToRight } = this.traits;
    const id = `${this.idPrefix}-${name}`;
    const isPlain = capitals === 'none';
    return html`<label for=${id}>${this.label || this.i18n.text(`fields.${name}`)}</label>
      <div class="control">
        <input
          id=${id}
          name=${name}
          type=${type}
          class="field"
          autocomplete=${autocomplete}
          inputmode=${inputMode}
          value=${this.initial || nothing}
          enterkeyhint=${name === 'email' ? 'go' : 'next'}
          autocapitalize=${capitals}
          autocorrect=${isPlain ? 'off' : nothing}
          spellcheck="false"
          dir=${leftToRight ? 'ltr' : nothing}
          maxlength=${maxLength ?? nothing}
          placeholder=${this.hint || nothing}
          aria-invalid=${this.error !== null}
          aria-describedby=${this.error === null ? nothing : `${id}-error`}
          required
        />${this.adornment}
      </div>
      ${fieldErrorMessage(`${id}-error`, this.error)}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'text-field': TextField;
  }
}
