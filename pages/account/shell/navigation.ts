import { ContextProvider } from '@lit/context';
import type { PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Account } from '../../../src/api/account.ts';
import { LightElement } from '../../checkout/elements/light-element.ts';
import type { AccountPage } from '../account-page.ts';
import type { AccountApi } from '../api.ts';
import { type AccountContext, accountContext, type AccountMerchant } from '../context.ts';
import { Format } from '../format.ts';
import type { LiveUpdates } from '../live.ts';
import { accountPath, pagesFor, type RouteName, routes, type RouteMatch, matchRoute } from '../routes.ts';
import { textBundlesFor } from '../text-bundles.ts';
import {
  findMerchant,
  accessDenialFor,
  type AccessDenial,
  rememberMerchant,
  scopesFor,
  defaultMerchant,
} from './access.ts';
import type { PromptDialog } from './prompt-dialog.ts';
import { ScrollMemory } from './scroll-memory.ts';

/** Client-side navigation: loads the page of a URL, sets its context and shows it. */
export abstract class AccountNavigation extends LightElement {
  /** Merchant of the live updates. */
  #shownMerchant: number | null = null;
  @property({ attribute: false }) api!: AccountApi;
  @property({ attribute: false }) live!: LiveUpdates;
  /** Loads the text of a page. */
  @property({ attribute: false }) loadTexts: (bundles: readonly string[]) => Promise<void> = async () => {};
  @state() protected account: Account | null = null;
  @state() protected match: RouteMatch = { page: 'start', merchant: null };
  @state() protected page: AccountPage | null = null;
  @state() protected denial: AccessDenial | null = null;
  /** The code of the page failed to load, possibly because of a new release. */
  @state() protected hasPageLoadFailed = false;
  /** The session ended while this page was open. */
  @state() isSignedOut = false;
  protected readonly scrollMemory = new ScrollMemory();
  /** For the dialogs and notices around the page. */
  readonly #provider = new ContextProvider(this, { context: accountContext });
  #showCount = 0;
  /** Match of the displayed page; differs from `match` while the next page loads. */
  #pageMatch: RouteMatch = this.match;
  /** One API per merchant, reused: saved lists are keyed by it. */
  protected readonly apis = new Map<number | null, AccountApi>();

  protected handleClick(event: MouseEvent) {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement);
    if (!link || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (!/^\/account(\/|$)/.test(link.pathname) || link.getAttribute('href')?.startsWith('#')) return;
    event.preventDefault();
    for (const sheet of this.querySelectorAll<HTMLElement & { open: boolean }>('.sheet')) sheet.open = false;
    this.navigate(link.pathname + link.search + link.hash);
  }

  protected navigate(url: string) {
    void this.#goTo(url);
  }

  async #goTo(url: string) {
    if ((await this.page?.canLeave()) === false) return;
    this.scrollMemory.flush();
    if (url !== location.pathname + location.search) history.pushState({ scroll: 0 }, '', url);
    await this.show(url, 'forward');
  }

  protected async handlePopState() {
    this.scrollMemory.cancel();
    // It belongs to what was shown before, which may be on the same page.
    this.querySelector<PromptDialog>('prompt-dialog')?.dismiss();
    // Only the fragment of the URL changed.
    if (this.url === location.pathname + location.search) return;
    if ((await this.page?.canLeave()) === false) {
      history.pushState({ scroll: scrollY }, '', this.url);
      return;
    }
    await this.show(location.pathname + location.search, 'back');
  }

  protected url = '';

  protected async show(url: string, transition: 'none' | 'forward' | 'back') {
    const { pathname, search } = new URL(url, location.origin);
    const match = matchRoute(pathname);
    if (match.page === 'start') return this.#openStartPage(match.merchant);
    const isPublic = match.page !== 'unknown' && routes[match.page].audience === 'public';
    if (this.account === null && !isPublic) return this.goToSignIn();
    this.url = pathname + search;
    const showCount = ++this.#showCount;
    this.denial = accessDenialFor(this.account, match);
    this.hasPageLoadFailed = false;
    const isSamePage = JSON.stringify(match) === JSON.stringify(this.#pageMatch) && this.page !== null;
    this.match = match;
    this.#updateMerchant();
    if (this.denial !== null || match.page === 'unknown') this.page = null;
    else if (!isSamePage) {
      const page = await this.#load(match.page, pathname);
      if (showCount !== this.#showCount) return;
      this.page = page;
      this.#pageMatch = match;
      if (page) {
        page.context = this.#context;
        page.params = match.params;
      }
    }
    // The page that is already open reads its query again.
    else if (transition === 'forward') dispatchEvent(new PopStateEvent('popstate'));
    await this.updateComplete;
    await this.page?.updateComplete;
    if (showCount !== this.#showCount) return;
    this.updateTitle();
    if (transition === 'back') this.scrollMemory.restore();
    else if (transition === 'forward') scrollTo(0, 0);
    if (transition !== 'none') this.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }

  async #load(name: RouteName, pathname: string): Promise<AccountPage | null> {
    try {
      await this.#loadParts(name, pathname);
      return document.createElement(routes[name].element) as AccountPage;
    } catch {
      this.hasPageLoadFailed = true;
      return null;
    }
  }

  async #loadParts(name: RouteName, pathname: string) {
    await Promise.all([routes[name].load(), this.loadTexts(textBundlesFor(pathname))]);
  }

  /** Preloads the code and text of a page when the user hovers over its link. */
  protected preload(event: Event) {
    if (!navigator.onLine) return;
    const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement);
    const match = link?.origin === location.origin ? matchRoute(link.pathname) : null;
    // A failure is shown after the click.
    if (link && match && match.page in routes)
      this.#loadParts(match.page as RouteName, link.pathname).catch(() => undefined);
  }

  #updateMerchant() {
    const merchant = this.merchant?.id ?? null;
    this.live.switchMerchant(this.isSignedOut ? null : merchant);
    if (merchant === null || merchant === this.#shownMerchant) this.#shownMerchant = merchant;
    else {
      this.#shownMerchant = merchant;
      rememberMerchant(merchant);
      this.onMerchantChange();
    }
  }

  /** Redirects to the start page of the user. */
  #openStartPage(merchant: number | null) {
    const { account } = this;
    if (account === null) return this.goToSignIn();
    const merchantId = merchant ?? defaultMerchant(account);
    if (merchantId === null) {
      if (account.person.isManager) return this.#replace('/account/merchants');
      this.denial = 'no_merchant';
      this.page = null;
      return;
    }
    const [first = 'overview'] = pagesFor(scopesFor(findMerchant(account, merchantId)), account.person.isManager);
    return this.#replace(accountPath(merchantId, routes[first].path));
  }

  #replace(url: string) {
    history.replaceState({ scroll: 0 }, '', url);
    void this.show(url, 'none');
  }

  protected goToSignIn() {
    const here = location.pathname + location.search;
    const next = matchRoute(location.pathname).page === 'start' ? '' : `?${new URLSearchParams({ next: here })}`;
    this.#replace(`/account/sign-in${next}`);
  }

  /** Reads the account. After sign-in, redirects to `next` if it is within the account area. */
  async #reloadAccount() {
    await this.readAccount();
    const { page } = this.match;
    if (this.account === null || (page !== 'sign_in' && page !== 'join')) return;
    const next = new URLSearchParams(location.search).get('next') ?? '/account';
    this.#replace(/^\/account(\/|$)/.test(next) && !next.startsWith('/account/sign-in') ? next : '/account');
  }

  protected get pages(): RouteName[] {
    return pagesFor(scopesFor(this.merchant), this.account?.person.isManager);
  }

  /** The merchant of the page; on the user's own page, the last one used. */
  get merchant(): AccountMerchant | null {
    return this.#merchantFor(this.match);
  }

  #merchantFor(match: RouteMatch): AccountMerchant | null {
    const { account } = this;
    const isOwnPage = match.page === 'me' && account !== null;
    return findMerchant(account, isOwnPage ? defaultMerchant(account) : match.merchant);
  }

  apiFor(merchant: number | null): AccountApi {
    const api = this.apis.get(merchant) ?? this.api.forMerchant(merchant);
    this.apis.set(merchant, api);
    return api;
  }

  get #context(): AccountContext {
    const { live, account, i18n } = this;
    const merchant = this.#merchantFor(this.#pageMatch);
    return {
      ...{ i18n, live, account, merchant },
      api: this.apiFor(merchant?.id ?? null),
      scopes: scopesFor(merchant),
      format: new Format(i18n.locale),
      navigate: (url) => this.navigate(url),
      merchantPath: (...segments) => accountPath(merchant?.id ?? null, ...segments),
      announce: (text) => this.announce(text),
      prompt: async (prompt) => (await this.querySelector<PromptDialog>('prompt-dialog')?.open(prompt)) ?? null,
      reloadAccount: async () => await this.#reloadAccount(),
      signOut: async () => await this.signOut(),
      refreshReviewCount: () => this.refreshReviewCount(),
    };
  }

  protected override willUpdate(changed: PropertyValues) {
    const hasChanged = changed.has('i18n') || changed.has('account');
    if (!hasChanged && !changed.has('page')) return;
    const context = this.#context;
    this.#provider.setValue(context);
    if (this.page && hasChanged) this.page.context = context;
  }

  protected abstract readAccount(): Promise<void>;
  protected abstract signOut(): Promise<void>;
  abstract announce(text: string): void;
  /** Updates the number of payments awaiting review. */
  protected abstract refreshReviewCount(): void;
  /** Called after a switch to another merchant. */
  protected abstract onMerchantChange(): void;
  /** Sets the document's title to the page's title. */
  protected abstract updateTitle(): void;
}
