import { property } from 'lit/decorators.js';
import type { TextValues } from '../checkout/elements/text.ts';
import { LightElement } from '../checkout/elements/light-element.ts';
import type { AccountContext } from './context.ts';
import type { News } from './live.ts';

/**
 * What the pages of the account area have in common. A page draws its own `<h1 tabindex="-1">`, which takes
 * the focus when somebody comes to it.
 */
export abstract class AccountPage extends LightElement {
  /** Set before the page is put into the document. */
  @property({ attribute: false }) context!: AccountContext;
  /** What its address names: `reference`. */
  @property({ attribute: false }) values: Readonly<Record<string, string>> = {};

  #unsubscribe: (() => void) | null = null;

  override connectedCallback() {
    super.connectedCallback();
    this.#unsubscribe = this.context.live.subscribe((news) => this.newsCame(news));
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#unsubscribe?.();
  }

  /** What the document is called; the page's own name unless it says otherwise. */
  get documentTitle(): string | null {
    return null;
  }

  /** Something of the merchant's may have changed: a page that shows it fetches it again. */
  protected newsCame(_news: News): void {}

  /** Asked before somebody goes elsewhere: a page with something unsaved asks back, and false keeps them. */
  async mayLeave(): Promise<boolean> {
    return await Promise.resolve(true);
  }

  /** A text of the account area: `this.text('team.invite')`. */
  protected text(key: string, values?: TextValues): string {
    return this.words.text(`account.${key}`, values);
  }

  /** What a button of one row is called for those who do not see the row; it begins with what it shows (WCAG 2.5.3). */
  protected of(key: string, name: string): string {
    return `${this.text(key)}: ${name}`;
  }

  /** Tells that `documentTitle` is another one now. */
  protected titleChanged(): void {
    this.tell('title-change', null);
  }
}
