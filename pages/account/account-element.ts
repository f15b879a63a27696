import { ContextConsumer } from '@lit/context';
import type { ReactiveController } from 'lit';
import { property } from 'lit/decorators.js';
import { LightElement } from '../checkout/elements/light-element.ts';
import type { TextValues } from '../checkout/elements/i18n.ts';
import { type AccountContext, accountContext } from './context.ts';
import type { LiveUpdate } from './live.ts';
import type { Loader } from './loader.ts';
import { isCanceled, toProblem, problemText } from './problems.ts';
import { type RefreshOptions, Refresher } from './refresher.ts';

/** Base of pages and their elements: the account context, its text, and refreshing after live updates. */
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
    if (this.#refreshers.length > 0)
      this.#unsubscribe = this.context.live.subscribe((update) => this.handleLiveUpdate(update));
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#unsubscribe?.();
  }

  /** Refreshes the data of this element. */
  protected handleLiveUpdate(update: LiveUpdate): void {
    for (const refresher of this.#refreshers) refresher.handleUpdate(update);
  }

  /** Reads again after live updates. */
  protected refreshOnUpdate(options: RefreshOptions): Refresher {
    const refresher = new Refresher(this, options);
    this.#refreshers.push(refresher);
    return refresher;
  }

  /** Loads again after live updates. */
  protected reloadOnUpdate<Loaded extends Loader<unknown>>(loader: Loaded, afterMs: number): Loaded {
    this.refreshOnUpdate({ afterMs, hasRead: () => loader.value !== null, read: async () => await loader.refresh() });
    return loader;
  }

  /** Returns text for the account area: `this.text('team.invite')`. */
  protected text(key: string, values?: TextValues): string {
    return this.i18n.text(`account.${key}`, values);
  }

  /** A problem as one line of text. */
  protected problemSentence(error: unknown): string {
    const { heading, text } = problemText(toProblem(error), this.i18n);
    return `${heading}. ${text}`;
  }

  /** Runs an action and announces its problem. Resolves to true on success. */
  protected async attempt(action: () => Promise<unknown>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (error) {
      this.announceProblem(error);
      return false;
    }
  }

  /** Prompts before an action that can't be undone, with the translations `KEY_title`, `KEY_text` and `confirm`. */
  protected async confirm(key: string, values: TextValues = {}, confirm = key): Promise<boolean> {
    const [heading, text] = [this.text(`${key}_title`, values), this.text(`${key}_text`, values)];
    return (await this.context.prompt({ heading, text, confirm: this.text(confirm), isDestructive: true })) !== null;
  }

  /** Announces a problem, unless the user canceled. */
  protected announceProblem(error: unknown): void {
    if (!isCanceled(error)) this.context.announce(this.problemSentence(error));
  }

  /** The accessible name of a button in a row: its visible text, then the row's name (WCAG 2.5.3). */
  protected nameInRow(key: string, name: string): string {
    return `${this.text(key)}: ${name}`;
  }
}

/** An element within a page or dialog, which provides its account context. */
export abstract class AccountElement extends ContextElement {
  constructor() {
    super();
    consumeContext(this, (context) => {
      this.context = context;
    });
  }
}

/** Calls back with the account context of an element, and again whenever it changes. */
export function consumeContext(element: LightElement, callback: (context: AccountContext) => void): ReactiveController {
  return new ContextConsumer(element, { context: accountContext, subscribe: true, callback });
}
