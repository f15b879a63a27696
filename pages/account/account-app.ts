import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Account } from '../../src/api/account.ts';
import { AccountNavigation } from './shell/navigation.ts';
import type { CommandPalette } from './command-palette.ts';
import { pageShortcuts, isDialogOpen, isTextInput, areSingleKeysEnabled } from './shortcuts.ts';
import { listenTo } from './listeners.ts';
import { accountPath, type RouteName, routes, matchRoute } from './routes.ts';
import { type AccessDenial } from './shell/access.ts';
import { commandsOf, findCommands, searchCommand } from './shell/commands.ts';
import { renderShell, type Shell } from './shell/shell.ts';
import { languageSelect } from './shell/language-select.ts';
import { PendingWork } from './shell/pending-work.ts';
import type { ShortcutsDialog } from './shell/shortcuts-dialog.ts';
import type { PromptDialog } from './shell/prompt-dialog.ts';
import './account-state.ts';
import './command-palette.ts';
import './shell/shortcuts-dialog.ts';
import './shell/prompt-dialog.ts';
import type { PaylatchError } from '../../client/error.ts';
import { toProblem, localProblem, problemText } from './problems.ts';
import { button, emptyState, notice, problemView } from './parts.ts';
import { passwordOnlyNotice } from './shell/password-only-notice.ts';

const MESSAGE_SHOWN_MS = 5000;

/**
 * The account area: the signed-in user, the page of the current URL, and the navigation.
 *
 * @fires language-select - `detail` is the BCP 47 tag of the selected language
 */
@customElement('account-app')
export class AccountApp extends AccountNavigation {
  /** BCP 47 tags of the available languages. */
  @property({ attribute: false }) languages: readonly string[] = [];
  /** BCP 47 tag of the page's language. */
  @property({ attribute: false }) language = '';

  /** The problem that prevented reading the account. */
  @state() private loadProblem: PaylatchError | null = null;
  @state() private isOffline = false;
  @state() private message = '';

  /** Matches windows that show the sidebar with the user menu. */
  readonly #wideLayout = matchMedia('(min-width: 60rem)');
  #messageTimer = 0;
  readonly #pendingWork = new PendingWork(this);
  #goPrefixExpiresAt = 0;
  #unsubscribe = () => {};

  constructor() {
    super();
    listenTo(this, window, {
      popstate: () => void this.handlePopState(),
      keydown: (event: KeyboardEvent) => this.#handleKey(event),
      online: () => this.#handleOnline(),
      offline: () => (this.isOffline = true),
      scroll: () => this.scrollMemory.save(),
      pointerdown: () => this.scrollMemory.flush(),
    });
    listenTo(this, this.#wideLayout, { change: () => this.requestUpdate() });
    listenTo(this, this, {
      click: (event: MouseEvent) => this.handleClick(event),
      pointerover: (event: PointerEvent) => this.preload(event),
      'title-change': () => this.updateTitle(),
      announce: (event: CustomEvent<string>) => this.announce(event.detail),
    });
  }

  override connectedCallback() {
    super.connectedCallback();
    this.api.onSignedOut = () => this.#handleSignedOut();
    this.#unsubscribe = this.live.subscribe((update) => {
      if (update.type === 'signed_out') this.#handleSignedOut();
      this.#pendingWork.handleUpdate(update);
    });
    void this.#start();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#unsubscribe();
    this.live.switchMerchant(null);
  }

  async #start() {
    this.isOffline = !navigator.onLine;
    const match = matchRoute(location.pathname);
    if (!(match.page in routes) || routes[match.page as RouteName].audience !== 'public') await this.readAccount();
    if (this.loadProblem === null) await this.show(location.pathname + location.search, 'none');
  }

  protected async readAccount() {
    try {
      this.account = await this.api.call('readAccount');
      this.loadProblem = null;
      this.isSignedOut = false;
    } catch (error) {
      const problem = toProblem(error);
      // `onSignedOut` has reported the end of a session.
      this.loadProblem = problem.status === 401 ? null : problem;
    }
  }

  #handleOnline() {
    this.isOffline = false;
    if (this.hasPageLoadFailed) void this.show(this.url, 'none');
  }

  /** The session ended: keeps the page on screen but stops its live updates. */
  #handleSignedOut() {
    if (this.account === null) return;
    this.isSignedOut = true;
    this.live.switchMerchant(null);
  }

  protected override updated(changed: PropertyValues) {
    if (changed.has('i18n')) this.updateTitle();
    // A prompt closes with the page that opened it.
    if (changed.has('page')) this.querySelector<PromptDialog>('prompt-dialog')?.dismiss();
  }

  protected updateTitle() {
    const { page } = this.match;
    const pageTitle = this.page?.documentTitle ?? (page in routes ? this.#text(`pages.${page}`) : '');
    document.title = [pageTitle, this.merchant?.name, 'Paylatch'].filter(Boolean).join(' – ');
  }

  announce(text: string) {
    this.message = text;
    clearTimeout(this.#messageTimer);
    this.#messageTimer = window.setTimeout(() => (this.message = ''), MESSAGE_SHOWN_MS);
  }

  protected async signOut() {
    if ((await this.page?.canLeave()) === false) return;
    try {
      await this.api.call('signOut', {});
    } catch (error) {
      const problem = toProblem(error);
      if (problem.status !== 401) {
        this.announce(problemText(problem, this.i18n).heading);
        return;
      }
    }
    this.live.switchMerchant(null);
    this.#forgetAccount();
    this.match = { page: 'start', merchant: null };
    this.navigate('/account/sign-in');
  }

  protected refreshReviewCount() {
    this.#pendingWork.refresh();
  }

  protected onMerchantChange() {
    this.#pendingWork.restart();
  }

  // Shortcuts and commands

  #handleKey(event: KeyboardEvent) {
    this.scrollMemory.flush();
    if (this.account === null) return;
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      this.#palette?.open();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTextInput(event) || !areSingleKeysEnabled()) return;
    if (isDialogOpen()) return;
    if (event.key === '?') this.#showShortcuts();
    else if (event.timeStamp < this.#goPrefixExpiresAt) this.#goToPage(event.key);
    this.#goPrefixExpiresAt = event.key === 'g' ? event.timeStamp + 1500 : 0;
  }

  #goToPage(key: string) {
    const name = this.pages.find((page) => pageShortcuts[page] === key);
    if (name) this.navigate(accountPath(this.merchant?.id ?? null, routes[name].path));
  }

  get #palette(): CommandPalette | null {
    return this.querySelector('command-palette');
  }

  #showShortcuts() {
    this.querySelector<ShortcutsDialog>('shortcuts-dialog')?.open();
  }

  // Templates

  #text(key: string, values?: Readonly<Record<string, string | number>>): string {
    return this.i18n.text(`account.shell.${key}`, values);
  }

  override render() {
    const { account, match } = this;
    const isBareLayout =
      account === null || (match.page in routes && routes[match.page as RouteName].audience === 'public');
    return html`<a class="skip" href="#content">${this.#text('skip')}</a>
      ${isBareLayout ? this.#bareLayout() : this.#shellLayout(account)}
      <p class="status-message ${this.message === '' ? '' : 'status-message-shown'}" role="status">${this.message}</p>
      <prompt-dialog></prompt-dialog>
      <shortcuts-dialog .pages=${this.pages}></shortcuts-dialog>
      ${
        account === null
          ? nothing
          : html`<command-palette
              .commands=${commandsOf(this.#shell(account))}
              .deriveCommands=${(query: string) => searchCommand(this.#shell(account), query)}
              .searchCommands=${async (query: string, isInGroup: boolean) => await findCommands(this.#shell(account), (id) => this.apiFor(id), query, { onlyMerchants: isInGroup })}
            ></command-palette>`
      }`;
  }

  /** The layout of public pages. */
  #bareLayout() {
    return html`<div class="public-layout">
      <main class="public-main" id="content" tabindex="-1">
        <p class="public-brand"><img src="/icon.svg" width="32" height="32" alt="" />Paylatch</p>
        ${this.#body()}
      </main>
      <footer class="public-footer">${languageSelect(this)}</footer>
    </div>`;
  }

  #shellLayout(account: Account) {
    if (this.#wideLayout.matches) void import('./user-menu.ts');
    const content = html`${this.#notices(account)} ${this.#pendingWork.notices()} ${this.#body()}`;
    return renderShell(this.#shell(account), content);
  }

  #shell(account: Account): Shell {
    const { i18n, match, isOffline } = this;
    const { reviewCount } = this.#pendingWork;
    return {
      ...{ i18n, account, merchant: this.merchant, match, pages: this.pages, reviewCount, isOffline },
      languageSelect: languageSelect(this),
      openPalette: () => this.#palette?.open(),
      switchMerchant: () => this.#palette?.open(this.#text('palette.merchants')),
      showShortcuts: () => this.#showShortcuts(),
      navigate: (url) => this.navigate(url),
      signOut: () => void this.signOut(),
    };
  }

  #notices(account: Account) {
    if (this.isSignedOut)
      return notice({
        ...{ icon: 'log-out', tone: 'bad', role: 'alert' },
        ...{ heading: this.#text('signed_out.title'), text: this.#text('signed_out.text') },
        action: button(this.#text('signed_out.sign_in'), () => {
          this.#forgetAccount();
          this.goToSignIn();
        }),
      });
    if (this.isOffline) return notice({ icon: 'wifi-off', text: this.#text('offline'), role: 'status' });
    if (!account.isWeaklyProtected || this.match.page !== 'overview') return nothing;
    return passwordOnlyNotice(this.i18n, () => this.requestUpdate());
  }

  /** Another user may sign in next. */
  #forgetAccount() {
    this.account = null;
    this.isSignedOut = false;
    this.page = null;
    this.apis.clear();
  }

  #body() {
    const { loadProblem, denial } = this;
    const reload = () => void this.show(this.url, 'none');
    const retry = () => void (this.page?.context.reloadAccount() ?? this.#start());
    if (loadProblem) return this.#withHiddenHeading('title', problemView(loadProblem, retry, false));
    if (this.hasPageLoadFailed && this.isOffline)
      return this.#withHiddenHeading('title', problemView(localProblem('offline'), reload, false));
    if (this.hasPageLoadFailed) {
      const reload = button(this.#text('reload'), () => location.reload());
      const [heading, text] = [this.#text('page_failed.title'), this.#text('page_failed.text')];
      return this.#withHiddenHeading('title', emptyState('refresh-cw', heading, text, reload));
    }
    return denial ? this.#denialView(denial) : (this.page ?? nothing);
  }

  /** Content in place of a page, below a heading for screen readers. */
  #withHiddenHeading(heading: string, content: TemplateResult) {
    return html`<h1 class="visually-hidden" tabindex="-1">${this.#text(heading)}</h1>
      ${content}`;
  }

  #denialView(denial: AccessDenial) {
    const role = this.merchant ? this.#text(`roles.${this.merchant.role}`) : '';
    const home = denial === 'no_merchant' ? null : button(this.#text('access.home'), '/account');
    const [title, text] = [`access.${denial}.title`, this.#text(`access.${denial}.text`, { role })];
    const state = emptyState(denial === 'not_found' ? 'search' : 'lock', this.#text(title), text, home);
    return this.#withHiddenHeading(title, state);
  }
}
