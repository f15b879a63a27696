import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { LightElement } from './light-element.ts';

/**
 * The one main button, with the amount in it. While it works it keeps its size and the focus, and
 * is no button to press: `aria-disabled` instead of `disabled`, which would drop the focus.
 */
@customElement('pay-button')
export class PayButton extends LightElement {
  /** The id of the form that it sends. */
  @property({ attribute: false }) formId = '';
  @property({ attribute: false }) label = '';
  /** The words in place of the label while the payment is under way, or null. */
  @property({ attribute: false }) busyLabel: string | null = null;
  @property({ attribute: false }) disabled = false;
  /** The form goes nowhere without a script, and that is not there yet. */
  @property({ attribute: false }) waitsForScript = false;

  override render() {
    const busy = this.busyLabel !== null;
    return html`<button
      type="submit"
      class="pay"
      form=${this.formId}
      ?disabled=${this.waitsForScript || this.disabled}
      aria-disabled=${busy ? 'true' : nothing}
      aria-busy=${busy ? 'true' : nothing}
      @click=${(event: Event) => {
        if (busy) event.preventDefault();
      }}
    >
      ${busy ? html`<span class="pay-dots" aria-hidden="true"><i></i><i></i><i></i></span>` : nothing}
      <span>${this.busyLabel ?? this.label}</span>
      </button>
      ${this.waitsForScript ? html`<p class="pay-slow">${this.words.text('pay.slow')}</p>` : nothing}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pay-button': PayButton;
  }
}
