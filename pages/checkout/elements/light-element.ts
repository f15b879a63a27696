import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import { Wording } from './text.ts';

const noWords = new Wording({}, 'en');

/**
 * An element that draws into its own light DOM: native autofill, password managers, labels across
 * elements and the page's one style sheet all stop at a shadow root.
 */
export class LightElement extends LitElement {
  /** The texts of the page's language. */
  @property({ attribute: false }) words = noWords;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Tells whoever stands above what happened here. */
  protected tell<T>(type: string, detail: T): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  }
}
