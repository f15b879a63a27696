import { ContextProvider } from '@lit/context';
import type { PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import type { LightElement } from '../checkout/elements/light-element.ts';
import { ContextElement } from './account-element.ts';
import { accountContext } from './context.ts';

/**
 * A page of the account area. It renders its own `<h1 tabindex="-1">`, which receives the focus on navigation. It keeps
 * the `context` that the shell set before the page was shown. If the user switches merchants, a request in flight still
 * belongs to the first merchant.
 */
export abstract class AccountPage extends ContextElement {
  /** Parameters of the page's URL, such as `reference`. */
  @property({ attribute: false }) params: Readonly<Record<string, string>> = {};

  constructor() {
    super();
    const provider = new ContextProvider(this, { context: accountContext });
    this.addController({ hostUpdate: () => provider.setValue(this.context) });
  }

  /** Keeps the focus on the heading if loaded content replaces it. */
  protected override update(changes: PropertyValues) {
    const heading = this.querySelector('h1');
    const hadFocus = heading !== null && heading === document.activeElement;
    super.update(changes);
    if (hadFocus) void this.#keepHeadingFocus(heading);
  }

  async #keepHeadingFocus(previous: HTMLHeadingElement) {
    if (previous.isConnected) return;
    await Promise.all([...this.querySelectorAll<LightElement>('*')].map((element) => element.updateComplete));
    if (document.activeElement === document.body) this.querySelector('h1')?.focus({ preventScroll: true });
  }

  /** The document's title; null for the name of the page. */
  get documentTitle(): string | null {
    return null;
  }

  /** Called before navigation. A page with unsaved changes prompts; false cancels the navigation. */
  async canLeave(): Promise<boolean> {
    return await Promise.resolve(true);
  }

  /** Reports that `documentTitle` has changed. */
  protected notifyTitleChange(): void {
    this.emit('title-change', null);
  }
}
