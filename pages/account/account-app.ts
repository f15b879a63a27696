import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Account } from '../../src/api/account.ts';
import { AccountNavigation } from './shell/navigation.ts';
import type { CommandPalette } from './command-palette.ts';
import { goKeys, isDialogOpen, isTyping, usesSingleKeys } from './keys.ts';
import { listenTo } from './listeners.ts';
import { addressOf, type RouteName, routes, whereaboutsOf } from './routes.ts';
import { type Refusal } from './shell/access.ts';
import { commandsOf, findMerchants, transactionCommand } from './shell/commands.ts';
import { type Frame, renderFrame } from './shell/frame.ts';
import { languageSelect } from './shell/language-select.ts';
import { PendingWork } from './shell/pending-work.ts';
import type { KeysDialog } from './shell/keys-dialog.ts';
import type { QuestionDialog } from './shell/question-dialog.ts';
import './command-palette.ts';
import './shell/keys-dialog.ts';
import './shell/question-dialog.ts';
import type { PaylatchError } from '../../client/error.ts';
import { asProblem, ownProblem, problemWords } from './problems.ts';
import { button, emptyState, notice } from './parts.ts';

const SAID_FOR_MS = 5000;

/**
 * The account area: who is here, where they are, and the ways from there.
 *
 * @fires language-select - `detail` is the BCP 47 tag that was chosen
 */
@customElement('account-app')
export class AccountApp extends AccountNavigation {
  /** BCP 47 tags of the languages on offer. */
  @property({ attribute: false }) languages: readonly string[] = [];
  /** The one of them that the page is in. */
  @property({ attribute: false }) language = '';

  /** Why nobody knows who this is. */
  @state() private trouble: PaylatchError | null = null;
  @state() private isOffline = false;
  @state() private said = '';

  /** Where the menu of the person stands. */
  readonly #wide = matchMedia('(min-width: 60rem)');
  #sayTimer = 0;
  readonly #pending = new PendingWork(this);
  #goUntil = 0;
  #unsubscribe = () => {};

  constructor() {
    super();
    listenTo(this, window, {
      popstate: () => void this.walkedBack(),
      keydown: (event: KeyboardEvent) => this.#key(event),
      online: () => this.#online(),
      offline: () => (this.isOffline = true),
      scroll: () => this.scrollMemory.keep(),
    });
    listenTo(this, this.#wide, { change: () => this.requestUpdate() });
    listenTo(this, this, {
      click: (event: MouseEvent) => this.clicked(event),
      'title-change': () => this.showTitle(),
      announce: (event: CustomEvent<string>) => this.say(event.detail),
    });
  }

  override connectedCallback() {
    super.connectedCallback();
    this.api.onSignedOut = () => this.#signedOut();
    this.#unsubscribe = this.live.subscribe((news) => {
      if (news.type === 'signed_out') this.#signedOut();
      this.#pending.heard(news);
    });
    void this.#begin();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#unsubscribe();
    this.live.follow(null);
  }

  async #begin() {
    this.isOffline = !navigator.onLine;
    const where = whereaboutsOf(location.pathname);
    if (!(where.page in routes) || routes[where.page as RouteName].of !== 'anybody') await this.readAccount();
    if (this.trouble === null) await this.show(location.pathname + location.search, 'stay');
  }

  protected async readAccount() {
    try {
      this.account = await this.api.call('readAccount');
      this.trouble = null;
      this.isSignedOut = false;
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status === 401) this.account = null;
      else this.trouble = problem;
    }
  }

  /** A page that could not be fetched comes now. */
  #online() {
    this.isOffline = false;
    if (this.isPageLost) void this.show(this.address, 'stay');
  }

  /** Somebody ended this session: what is on screen stays, but goes no further. */
  #signedOut() {
    if (this.account === null) return;
    this.isSignedOut = true;
    this.live.follow(null);
  }

  protected override updated(changed: PropertyValues) {
    if (changed.has('i18n')) this.showTitle();
    // A question goes with the page that asked it.
    if (changed.has('page')) this.querySelector<QuestionDialog>('question-dialog')?.dismiss();
  }

  protected showTitle() {
    const { page } = this.where;
    const own = this.page?.documentTitle ?? (page in routes ? this.#text(`pages.${page}`) : '');
    document.title = [own, this.merchant?.name, 'Paylatch'].filter(Boolean).join(' – ');
  }

  say(text: string) {
    this.said = text;
    clearTimeout(this.#sayTimer);
    this.#sayTimer = window.setTimeout(() => (this.said = ''), SAID_FOR_MS);
  }

  protected async signOut() {
    if ((await this.page?.mayLeave()) === false) return;
    try {
      await this.api.call('signOut', {});
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status !== 401) {
        this.say(problemWords(problem, this.i18n).heading);
        return;
      }
    }
    this.live.follow(null);
    this.isSignedOut = false;
    this.account = null;
    this.page = null;
    this.apis.clear();
    this.where = { page: 'start', merchant: null };
    this.navigate('/account/sign-in');
  }

  protected recount() {
    this.#pending.recount();
  }

  protected merchantChanged() {
    this.#pending.restart();
  }

  // Keys and commands

  #key(event: KeyboardEvent) {
    if (this.account === null) return;
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      this.#palette?.open();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || !usesSingleKeys()) return;
    if (isDialogOpen()) return;
    if (event.key === '?') this.#showKeys();
    else if (event.timeStamp < this.#goUntil) this.#goBy(event.key);
    this.#goUntil = event.key === 'g' ? event.timeStamp + 1500 : 0;
  }

  #goBy(key: string) {
    const name = this.pages.find((page) => goKeys[page] === key);
    if (name) this.navigate(addressOf(this.merchant?.id ?? null, routes[name].path));
  }

  get #palette(): CommandPalette | null {
    return this.querySelector('command-palette');
  }

  #showKeys() {
    this.querySelector<KeysDialog>('keys-dialog')?.open();
  }

  // What is drawn

  #text(key: string, values?: Readonly<Record<string, string | number>>): string {
    return this.i18n.text(`account.shell.${key}`, values);
  }

  override render() {
    const { account, where } = this;
    const isBare = account === null || (where.page in routes && routes[where.page as RouteName].of === 'anybody');
    return html`<a class="skip" href="#content">${this.#text('skip')}</a>
      ${isBare ? this.#bare() : this.#framed(account)}
      <p class="said ${this.said === '' ? '' : 'said-shown'}" role="status">${this.said}</p>
      <question-dialog></question-dialog>
      <keys-dialog .pages=${this.pages}></keys-dialog>
      ${
        account === null
          ? nothing
          : html`<command-palette
              .commands=${commandsOf(this.#frame(account))}
              .more=${(typed: string) => transactionCommand(this.#frame(account), typed)}
              .find=${account.person.isManager ? async (typed: string) => await findMerchants(this.#frame(account), this.api, typed) : null}
            ></command-palette>`
      }`;
  }

  /** Before anybody has come in. */
  #bare() {
    return html`<div class="door">
      <main class="door-main" id="content" tabindex="-1">
        <p class="door-name">Paylatch</p>
        ${this.#body()}
      </main>
      <footer class="door-foot">${languageSelect(this)}</footer>
    </div>`;
  }

  #framed(account: Account) {
    if (this.#wide.matches) void import('./person-menu.ts');
    const content = html`${this.#notices(account)} ${this.#pending.notices()} ${this.#body()}`;
    return renderFrame(this.#frame(account), content);
  }

  #frame(account: Account): Frame {
    const { i18n, where, isOffline } = this;
    const { waiting } = this.#pending;
    return {
      ...{ i18n, account, merchant: this.merchant, where, pages: this.pages, waiting, isOffline },
      languageSelect: languageSelect(this),
      openPalette: () => this.#palette?.open(),
      showKeys: () => this.#showKeys(),
      navigate: (address) => this.navigate(address),
      signOut: () => void this.signOut(),
    };
  }

  /** What everybody should know, wherever they are. */
  #notices(account: Account) {
    if (this.isSignedOut)
      return notice({
        ...{ icon: 'log-out', tone: 'bad', role: 'alert' },
        ...{ heading: this.#text('signed_out.title'), text: this.#text('signed_out.text') },
        action: button(this.#text('signed_out.again'), () => this.#signInAgain()),
      });
    if (this.isOffline) return notice({ icon: 'wifi-off', text: this.#text('offline'), role: 'status' });
    if (!account.isWeaklyProtected || this.where.page === 'me') return nothing;
    const action = button(this.#text('weak.action'), '/account/me');
    return notice({ icon: 'shield-alert', text: this.#text('weak.text'), action });
  }

  #signInAgain() {
    this.account = null;
    this.isSignedOut = false;
    this.page = null;
    this.toSignIn();
  }

  #body() {
    const { trouble, refusal } = this;
    const again = () => void this.show(this.address, 'stay');
    if (trouble)
      return this.#instead(
        'title',
        this.#problem(trouble, () => void this.#begin()),
      );
    if (this.isPageLost && this.isOffline) return this.#instead('title', this.#problem(ownProblem('offline'), again));
    if (this.isPageLost) {
      const reload = button(this.#text('reload'), () => location.reload());
      const [heading, text] = [this.#text('page_lost.title'), this.#text('page_lost.text')];
      return this.#instead('title', emptyState('refresh-cw', heading, text, reload));
    }
    return refusal ? this.#refused(refusal) : (this.page ?? nothing);
  }

  #problem(problem: PaylatchError, tryAgain: () => void) {
    return html`<account-state .problem=${problem} @try-again=${tryAgain}></account-state>`;
  }

  /** Content in place of a page, below a heading for screen readers. */
  #instead(heading: string, content: TemplateResult) {
    return html`<h1 class="visually-hidden" tabindex="-1">${this.#text(heading)}</h1>
      ${content}`;
  }

  #refused(refusal: Refusal) {
    const role = this.merchant ? this.#text(`roles.${this.merchant.role}`) : '';
    const home = refusal === 'no_merchant' ? null : button(this.#text('refused.home'), '/account');
    const [title, text] = [`refused.${refusal}.title`, this.#text(`refused.${refusal}.text`, { role })];
    const state = emptyState(refusal === 'unknown' ? 'search' : 'lock', this.#text(title), text, home);
    return this.#instead(title, state);
  }
}
