import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { type Clock, stoppedClock } from '../elements/clock.ts';
import { LightElement } from '../elements/light-element.ts';

const FEEDBACK_MS = 2000;

const tick = 'm3 8.5 3.25 3.25L13 5';
const sheets = 'M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8Z';

/**
 * Copies one value and announces it.
 *
 * @fires announce - `detail` is the announcement for the page's live region
 */
@customElement('copy-button')
export class CopyButton extends LightElement {
  @property({ attribute: false }) clock: Clock = stoppedClock;
  /** Text to copy. */
  @property({ attribute: false }) value = '';
  /** Name of the value. */
  @property({ attribute: false }) label = '';
  /** Text on the button; otherwise "Copy". */
  @property({ attribute: false }) text: string | null = null;
  /** Writes text to the clipboard; tests replace it. */
  @property({ attribute: false }) copy: (text: string) => Promise<boolean> = copyText;

  @state() private outcome: 'copied' | 'failed' | null = null;

  #cancelReset = () => {};

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#cancelReset();
  }

  async #copy() {
    this.outcome = (await this.copy(this.value)) ? 'copied' : 'failed';
    this.emit('announce', this.i18n.text(`copy.${this.outcome}_what`, { what: this.label }));
    this.#cancelReset();
    this.#cancelReset = this.clock.after(FEEDBACK_MS, () => {
      this.outcome = null;
    });
  }

  override render() {
    return html`<button
      type="button"
      class="copy"
      data-outcome=${this.outcome ?? nothing}
      aria-label=${this.text ?? this.i18n.text('copy.label', { what: this.label })}
      @click=${() => void this.#copy()}
    >
      ${buttonSign(this.outcome === 'copied' ? tick : sheets)}
      <span>${(this.outcome === null ? this.text : null) ?? this.i18n.text(`copy.${this.outcome ?? 'button'}`)}</span>
    </button>`;
  }
}

/** A sign before a button's text. */
export const buttonSign = (path: string) =>
  html`<svg class="copy-sign" viewBox="0 0 16 16" aria-hidden="true"><path d=${path} /></svg>`;

declare global {
  interface HTMLElementTagNameMap {
    'copy-button': CopyButton;
  }
}

/**
 * Writes text to the clipboard; false if the browser does not allow it. In a cross-origin frame the Clipboard API is
 * blocked, but the deprecated command works.
 */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyWithCommand(text);
  }
}

function copyWithCommand(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'visually-hidden';
  document.body.append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
