import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { LightElement } from './light-element.ts';
import type { QrPath } from './qr-path.ts';

interface QrRenderer {
  qrPath(text: string): QrPath;
}

/**
 * A QR code in a box of reserved size. Its renderer loads when the box becomes visible: a phone shows no code and
 * never loads it.
 */
@customElement('qr-code')
export class QrCode extends LightElement {
  /** Content of the code. */
  @property({ attribute: false }) value = '';
  /** The text alternative. */
  @property({ attribute: false }) label = '';
  /** Renders the code before it is visible, for print. */
  @property({ attribute: false }) isForPrint = false;

  /**
   * Renders synchronously if possible. The server sets this, because its pages may have no script that could load the
   * renderer.
   */
  static renderSync: ((text: string) => QrPath | null) | null = null;

  /** Loads the renderer; tests replace it. */
  @property({ attribute: false }) load: () => Promise<QrRenderer> = () => import('./qr-path.ts');

  @state() private path: QrPath | null = null;
  @state() private isShown = false;

  #observer: IntersectionObserver | null = null;

  override connectedCallback() {
    super.connectedCallback();
    this.#observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) this.isShown = true;
    });
    this.#observer.observe(this);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#observer?.disconnect();
  }

  protected override updated(changed: PropertyValues) {
    if ((this.isShown || this.isForPrint) && (changed.has('value') || changed.has('isShown')))
      void this.#renderCode(this.value);
  }

  async #renderCode(value: string) {
    if (value === '') return;
    this.#observer?.disconnect();
    try {
      const { qrPath } = await this.load();
      if (value === this.value) this.path = qrPath(value);
    } catch {
      // The page works without a code; the box stays empty.
    }
  }

  override render() {
    const path = this.path ?? (this.value === '' ? null : (QrCode.renderSync?.(this.value) ?? null));
    return html`<div class="qr-box">
      ${
        path
          ? html`<svg viewBox="0 0 ${path.size} ${path.size}" role="img" aria-label=${this.label} shape-rendering="crispEdges">
            <path d=${path.d} fill="#111" />
          </svg>`
          : nothing
      }
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'qr-code': QrCode;
  }
}
