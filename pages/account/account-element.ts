import { ContextConsumer } from '@lit/context';
import type { ReactiveController } from 'lit';
import { property } from 'lit/decorators.js';
import { LightElement } from '../checkout/elements/light-element.ts';
import type { TextValues } from '../checkout/elements/i18n.ts';
import { type AccountContext, accountContext } from './context.ts';
import type { LiveUpdate } from './live.ts';
import type { Loader } from './load.ts';
import { toProblem, problemText } from './problems.ts';
import { type RefreshOptions, Refresher } from './refresher.ts';

/** What pages and their elements have in common: the account context, its texts, and refreshing after news. */
export abstract class ContextElement extends LightElement {
  #context!: AccountContext;
  readonly #refreshers: Refresher[] = [];
  #unsubscribe: (() => void) | null = null;

  @property({ attribute: false })
  get context(): AccountContext {
    return this.#context;
  }

  set context(context: AccountContext) {
    this.#context = context;
    this.i18n = context.i18n;
  }

  override connectedCallback() {
    super.connectedCallback();
    if (this.#refreshers.length > 0) this.#unsubscribe = this.context.live.subscribe((update) => this.handleLiveUpdate(update));
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#unsubscribe?.();
  }

  /** Something of the merchant's may have changed. */
  protected handleLiveUpdate(update: LiveUpdate): void {
    for (const refresher of this.#refreshers) refresher.handleUpdate(update);
  }

  /** Reads again after news. */
  protected refreshOnUpdate(options: RefreshOptions): Refresher {
    const refresher = new Refresher(this, options);
    this.#refreshers.push(refresher);
    return refresher;
  }

  /** Loads again after news. */
  protected reloadOnUpdate<Loaded extends Loader<unknown>>(loader: Loaded, afterMs: number): Loaded {
    this.refreshOnUpdate({ afterMs, hasRead: () => loader.value !== null, read: async () => await loader.refresh() });
    return loader;
  }

  /** A text of the account area: `this.text('team.invite')`. */
  protected text(key: string, values?: TextValues): string {
    return this.i18n.text(`account.${key}`, values);
  }

  /** A problem in one line. */
  protected problemSentence(error: unknown): string {
    const { heading, text } = problemText(toProblem(error), this.i18n);
    return `${heading}. ${text}`;
  }

  /** Runs an action; a problem is said. Resolves to whether there was none. */
  protected async attempt(action: () => Promise<unknown>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (error) {
      this.announceProblem(error);
      return false;
    }
  }

  /** Asks before an action that can't be undone, with the texts `KEY_title`, `KEY_text` and `confirm`. */
  protected async confirm(key: string, values: TextValues = {}, confirm = key): Promise<boolean> {
    const [heading, text] = [this.text(`${key}_title`, values), this.text(`${key}_text`, values)];
    return (await this.context.prompt({ heading, text, confirm: this.text(confirm), isDestructive: true })) !== null;
  }

  protected announceProblem(error: unknown): void {
    this.context.announce(this.problemSentence(error));
  }

  /** The accessible name of a button in a row: its visible text, then the row's name (WCAG 2.5.3). */
  protected nameInRow(key: string, name: string): string {
    return `${this.text(key)}: ${name}`;
  }
}

/** An element within a page or dialog: takes the account context from there. */
export abstract class AccountElement extends ContextElement {
  constructor() {
    super();
    consumeContext(this, (context) => {
      this.context = context;
    });
  }
}

/** Calls back with the account context around an element, and with each one that replaces it. */
export function consumeContext(element: LightElement, callback: (context: AccountContext) => void): ReactiveController {
  return new ContextConsumer(element, { context: accountContext, subscribe: true, callback });
}
