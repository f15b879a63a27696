import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { LightElement } from './light-element.ts';

/**
 * The primary button, with the amount. While busy or offline it keeps its size and focus: it uses `aria-disabled`,
 * because `disabled` would drop the focus.
 */
@customElement('pay-button')
export class PayButton extends LightElement {
  /** ID of the form that the button submits. */
  @property({ attribute: false }) formId = '';
  @property({ attribute: false }) label = '';
  /** Label while the payment is in progress. */
  @property({ attribute: false }) busyLabel: string | undefined;
  @property({ attribute: false }) disabled = false;
  /** No connection: the button does nothing until it is back. */
  @property({ attribute: false }) offline = false;
  /** The form requires a script that has not loaded yet. */
  @property({ attribute: false }) waitsForScript = false;

  override render() {
    const busy = this.busyLabel !== undefined;
    const inactive = busy || this.offline;
    return html`<button
      type="submit"
      class="pay"
      form=${this.formId}
      ?disabled=${this.waitsForScript || this.disabled}
      aria-disabled=${inactive || nothing}
      aria-busy=${busy || nothing}
      @click=${(event: Event) => {
        if (inactive) event.preventDefault();
      }}
    >
      ${busy ? html`<span class="pay-dots" aria-hidden="true"><i></i><i></i><i></i></span>` : nothing}
      <span>${this.busyLabel ?? this.label}</span>
      </button>
      ${this.waitsForScript ? html`<p class="pay-slow">${this.i18n.text('pay.slow')}</p>` : nothing}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pay-button': PayButton;
  }
}
