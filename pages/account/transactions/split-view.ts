import { html, type LitElement, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { skeletonRows } from '../account-state.ts';
import type { AccountContext } from '../context.ts';
import { icon } from '../icons.ts';
import { iconButton } from '../parts.ts';

/** Screens with room for the list and a transaction side by side. */
const WIDE = '(min-width: 90rem)';
const PARAMETER = 'open';

/** Shows a transaction next to the list on wide screens. The URL's `open` is its reference. */
export class SplitView {
  readonly #host: LitElement & { context: AccountContext };
  readonly #wide = matchMedia(WIDE);
  readonly #update = () => this.#show(this.#reference);
  #reference: string | null = null;
  #isLoaded = false;

  constructor(host: LitElement & { context: AccountContext }) {
    this.#host = host;
    host.addController({
      hostConnected: () => {
        this.#wide.addEventListener('change', this.#update);
        this.readUrl();
      },
      hostDisconnected: () => this.#wide.removeEventListener('change', this.#update),
    });
  }

  readUrl(): void {
    this.#show(new URLSearchParams(location.search).get(PARAMETER));
  }

  #show(reference: string | null) {
    this.#reference = reference;
    if (reference !== null && this.#wide.matches && !this.#isLoaded) void this.#load();
    this.#host.requestUpdate();
  }

  /** The element must be defined before it is rendered: it needs its context when it is connected. */
  async #load() {
    await import('./transaction-page.ts');
    this.#isLoaded = true;
    this.#host.requestUpdate();
  }

  /** Reference of the open transaction; null on narrow screens. */
  get openReference(): string | null {
    return this.#wide.matches ? this.#reference : null;
  }

  /** Opens a clicked row next to the list, unless the screen is narrow or the user opens it in a new tab. */
  handleClick(event: MouseEvent): void {
    const { metaKey, ctrlKey, shiftKey, button, target } = event;
    const reference = (target as Element).closest<HTMLElement>('.transaction-item')?.dataset['reference'];
    if (reference === undefined) return;
    if (!this.#wide.matches || button !== 0 || metaKey || ctrlKey || shiftKey) return;
    event.preventDefault();
    this.#navigate(reference);
  }

  /** Closes the transaction before another list is shown. */
  close(): void {
    this.#reference = null;
  }

  #navigate(reference: string | null) {
    const url = new URL(location.href);
    if (reference === null) url.searchParams.delete(PARAMETER);
    else url.searchParams.set(PARAMETER, reference);
    history.pushState({ scroll: scrollY }, '', url);
    this.#show(reference);
  }

  /** Closes the transaction and returns the focus to its row. */
  async #dismiss() {
    const row = this.#host.querySelector<HTMLElement>('.transaction-open a');
    this.#navigate(null);
    await this.#host.updateComplete;
    row?.focus({ preventScroll: true });
  }

  render(list: TemplateResult, kind: string): TemplateResult {
    const reference = this.openReference;
    if (reference === null) return list;
    const { context } = this.#host;
    const text = (key: string) => context.i18n.text(`account.${key}`);
    const address = context.merchantPath('transactions', reference) + (kind === 'crypto' ? '?kind=crypto' : '');
    return html`<div class="split">
      ${list}
      <aside class="split-detail" aria-label=${text('transactions.split.label')}>
        <div class="split-head">
          <a class="back-link" href=${address}>${icon('external-link')}${text('transactions.split.full')}</a>
          ${iconButton('x', text('shell.close'), () => void this.#dismiss())}
        </div>
        ${this.#isLoaded ? keyed(reference, html`<transaction-page .context=${context} .params=${{ reference }}></transaction-page>`) : skeletonRows(4)}
      </aside>
    </div>`;
  }
}
