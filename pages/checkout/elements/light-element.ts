import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import { I18n } from './i18n.ts';

const noTexts = new I18n({}, 'en');

/**
 * An element that renders into the light DOM. Native autofill, password managers, labels across elements and the
 * page's style sheet all stop at a shadow root.
 */
export class LightElement extends LitElement {
  /** Text in the page's language. */
  @property({ attribute: false }) i18n = noTexts;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Dispatches a bubbling event. */
  protected emit<T>(type: string, detail: T): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  }
}
