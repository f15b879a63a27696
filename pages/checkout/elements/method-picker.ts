import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { OfferedMethod } from '../../../src/api/page-state.ts';
import { fadeIn } from './fade-in.ts';
import { LightElement } from './light-element.ts';
import { methodName } from './method-name.ts';
import './brand-mark.ts';

/**
 * The available methods, one open at a time. The card form is below all rows, so that it hides no other method and ends
 * at the page's button; any other panel is below its row. A single method is shown as a heading without a radio button.
 *
 * @fires method-select - the buyer selected a method; `detail` is its code
 */
@customElement('method-picker')
export class MethodPicker extends LightElement {
  @property({ attribute: false }) methods: readonly OfferedMethod[] = [];
  /** Code of the open method. */
  @property({ attribute: false }) selected = '';
  /** Renders the content of an open method. */
  @property({ attribute: false }) panel: (method: OfferedMethod) => unknown = () => nothing;

  /** In the order in which the methods were first offered: moving a section would lose the buyer's input. */
  readonly #codes = new Set<string>();

  protected override updated(changed: PropertyValues<this>) {
    if (changed.get('selected')) void fadeIn(this, '.method-panel:not([hidden])');
    // The `checked` attribute is only the initial choice; the property is the current one.
    for (const radio of this.querySelectorAll<HTMLInputElement>('input[name=method]')) {
      radio.checked = radio.value === this.selected;
    }
  }

  override render() {
    for (const { code } of this.methods) this.#codes.add(code);
    const [only] = this.methods;
    // If the card is the only method left, its row stays, and with it the typed card. Any other method left must be open.
    const count = only?.action === 'card' || only?.code !== this.selected ? this.#codes.size : this.methods.length;
    if (only && count === 1) {
      return html`<div class="methods">
        <h2 class="method-row">${this.#rowContent(only)}</h2>
        <div class="method-panel">${this.panel(only)}</div>
      </div>`;
    }
    return html`<div class="methods" role="radiogroup" aria-label=${this.i18n.text('methods.legend')}>
      ${[...this.#codes].map((code) => {
        const method = this.methods.find((each) => each.code === code);
        return method && this.#method(method);
      })}
      ${this.methods.filter(({ action }) => action === 'card').map((method) => this.#panel(method))}
    </div>`;
  }

  /** Opens a method. Its row keeps its position on the screen when a tall panel above it closes. */
  #select({ currentTarget }: Event, code: string) {
    const row = currentTarget as HTMLElement;
    const { top } = row.getBoundingClientRect();
    this.emit('method-select', code);
    // Everything is rendered by then, but not painted.
    requestAnimationFrame(() => scrollBy(0, row.getBoundingClientRect().top - top));
  }

  #method(method: OfferedMethod) {
    return html`<section class="method">
      <label class="method-row">
        <input
          type="radio"
          name="method"
          class="method-radio"
          value=${method.code}
          ?checked=${method.code === this.selected}
          @change=${(event: Event) => this.#select(event, method.code)}
        />
        ${this.#rowContent(method)}
      </label>
      ${method.action === 'card' ? nothing : this.#panel(method)}
    </section>`;
  }

  #panel(method: OfferedMethod) {
    return html`<div class="method-panel" ?hidden=${method.code !== this.selected}>${this.panel(method)}</div>`;
  }

  #rowContent(method: OfferedMethod) {
    return html`<span class="method-name">${methodName(method, this.i18n)}</span
      ><span class=${method.action === 'card' ? 'method-marks method-marks-card' : 'method-marks'}>${methodLogos(method)}</span>`;
  }
}

const cardMarks = ['visa', 'mastercard', 'american-express'].map(
  (brand) => html`<brand-mark .brand=${brand}></brand-mark>`,
);

function methodLogos(method: OfferedMethod) {
  return method.action === 'card'
    ? cardMarks
    : html`<img class="mark-image" src="/methods/${method.mark}.svg" width="38" height="24" alt="" />`;
}

declare global {
  interface HTMLElementTagNameMap {
    'method-picker': MethodPicker;
  }
}
