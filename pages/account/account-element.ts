import { ContextConsumer } from '@lit/context';
import type { ReactiveController } from 'lit';
import { property } from 'lit/decorators.js';
import { LightElement } from '../checkout/elements/light-element.ts';
import type { TextValues } from '../checkout/elements/i18n.ts';
import { type AccountContext, accountContext } from './context.ts';
import type { News } from './live.ts';
import type { Load } from './load.ts';
import { asProblem, problemWords } from './problems.ts';
import { type Refreshed, Refresher } from './refresher.ts';

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
    if (this.#refreshers.length > 0) this.#unsubscribe = this.context.live.subscribe((news) => this.newsCame(news));
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#unsubscribe?.();
  }

  /** Something of the merchant's may have changed. */
  protected newsCame(news: News): void {
    for (const refresher of this.#refreshers) refresher.heard(news);
  }

  /** Reads again after news. */
  protected refreshOnNews(refreshed: Refreshed): Refresher {
    const refresher = new Refresher(this, refreshed);
    this.#refreshers.push(refresher);
    return refresher;
  }

  /** Loads again after news. */
  protected reloadOnNews<Loaded extends Load<unknown>>(load: Loaded, afterMs: number): Loaded {
    this.refreshOnNews({ afterMs, hasRead: () => load.value !== null, read: async () => await load.refresh() });
    return load;
  }

  /** A text of the account area: `this.text('team.invite')`. */
  protected text(key: string, values?: TextValues): string {
    return this.i18n.text(`account.${key}`, values);
  }

  /** A problem in one line. */
  protected sentence(error: unknown): string {
    const { heading, text } = problemWords(asProblem(error), this.i18n);
    return `${heading}. ${text}`;
  }

  /** Runs an action; a problem is said. Resolves to whether there was none. */
  protected async attempt(act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      this.sayProblem(error);
      return false;
    }
  }

  /** Asks before an action that can't be undone, with the texts `KEY_title`, `KEY_text` and `confirm`. */
  protected async confirms(key: string, values: TextValues = {}, confirm = key): Promise<boolean> {
    const [heading, text] = [this.text(`${key}_title`, values), this.text(`${key}_text`, values)];
    return (await this.context.ask({ heading, text, confirm: this.text(confirm), isGrave: true })) !== null;
  }

  protected sayProblem(error: unknown): void {
    this.context.say(this.sentence(error));
  }

  /** The accessible name of a button in a row: its visible text, then the row's name (WCAG 2.5.3). */
  protected of(key: string, name: string): string {
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
