import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { OfferedMethod } from '../../src/contract/page-state.ts';
import { LightElement } from './light-element.ts';
import type { Wording } from './text.ts';
import './brand-mark.ts';

/**
 * The methods on offer, one open at a time. A single method is a heading, not a choice of one.
 *
 * @fires method-select - the buyer chose a method; `detail` is its code
 */
@customElement('method-picker')
export class MethodPicker extends LightElement {
  @property({ attribute: false }) methods: readonly OfferedMethod[] = [];
  /** Code of the open method. */
  @property({ attribute: false }) selected = '';
  /** Draws what the buyer does with a method once it is open. */
  @property({ attribute: false }) panel: (method: OfferedMethod) => unknown = () => nothing;

  override render() {
    const [only] = this.methods;
    if (only && this.methods.length === 1) {
      return html`<div class="methods"><section class="method">
        <h2 class="method-row">${this.#rowContent(only)}</h2>
        <div class="method-panel">${this.panel(only)}</div>
      </section></div>`;
    }
    return html`<div class="methods" role="radiogroup" aria-label=${this.words.text('methods.legend')}>
      ${this.methods.map((method) => {
        const open = method.code === this.selected;
        return html`<section class="method">
          <label class="method-row">
            <input
              type="radio"
              name="method"
              class="method-radio"
              value=${method.code}
              .checked=${open}
              ?checked=${open}
              @change=${() => this.tell('method-select', method.code)}
            />
            ${this.#rowContent(method)}
          </label>
          <div class="method-panel" ?hidden=${!open}>${this.panel(method)}</div>
        </section>`;
      })}
    </div>`;
  }

  #rowContent(method: OfferedMethod) {
    const marks = method.action === 'card' ? html`<span class="method-marks">${cardMarks}</span>` : nothing;
    return html`<span class="method-name">${methodName(method.code, this.words)}</span>${marks}`;
  }
}

const cardMarks = ['visa', 'mastercard', 'american-express'].map(
  (brand) => html`<brand-mark .brand=${brand}></brand-mark>`,
);

/** A wallet's code holds its name, `some_name_ewallet`; a code newer than the texts is shown in plain letters. */
export function methodName(code: string, words: Wording): string {
  if (words.has(`methods.${code}`)) return words.text(`methods.${code}`);
  const wallet = /^(.+)_ewallet$/.exec(code)?.[1];
  return wallet ? words.text('methods.ewallet', { name: inPlainLetters(wallet) }) : inPlainLetters(code);
}

function inPlainLetters(code: string): string {
  const spaced = code.replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

declare global {
  interface HTMLElementTagNameMap {
    'method-picker': MethodPicker;
  }
}
