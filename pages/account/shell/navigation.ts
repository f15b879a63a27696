import { ContextProvider } from '@lit/context';
import type { PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Account } from '../../../src/api/account.ts';
import { LightElement } from '../../checkout/elements/light-element.ts';
import type { AccountPage } from '../account-page.ts';
import type { AccountApi } from '../api.ts';
import { type AccountContext, accountContext, type AccountMerchant } from '../context.ts';
import { Format } from '../format.ts';
import type { Live } from '../live.ts';
import { addressOf, pagesFor, type RouteName, routes, type Whereabouts, whereaboutsOf } from '../routes.ts';
import { merchantOf, refusalOf, type Refusal, rememberMerchant, scopesFor, usualMerchant } from './access.ts';
import type { QuestionDialog } from './question-dialog.ts';
import { ScrollMemory } from './scroll-memory.ts';

/** Shows the page of an address: loads it, gives it its context, and goes from one to another. */
export abstract class AccountNavigation extends LightElement {
  /** Of which merchant the news are. */
  #followed: number | null = null;
  @property({ attribute: false }) api!: AccountApi;
  @property({ attribute: false }) live!: Live;
  @state() protected account: Account | null = null;
  @state() protected where: Whereabouts = { page: 'start', merchant: null };
  @state() protected page: AccountPage | null = null;
  @state() protected refusal: Refusal | null = null;
  /** Whether the page that was asked for could not be fetched: a new release may stand there now. */
  @state() protected isPageLost = false;
  /** Signed out elsewhere, while this page was open. */
  @state() isSignedOut = false;
  protected readonly scrollMemory = new ScrollMemory();
  /** For the dialogs and notices around the page. */
  readonly #provider = new ContextProvider(this, { context: accountContext });
  #shown = 0;
  /** Where the page belongs that is shown: behind `where` while its successor is on its way. */
  #pageWhere: Whereabouts = this.where;
  /** For each merchant its own, always the same: what somebody comes back to is kept by it. */
  protected readonly apis = new Map<number | null, AccountApi>();

  protected clicked(event: MouseEvent) {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement);
    if (!link || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (!/^\/account(\/|$)/.test(link.pathname) || link.getAttribute('href')?.startsWith('#')) return;
    event.preventDefault();
    for (const sheet of this.querySelectorAll<HTMLElement & { open: boolean }>('.sheet')) sheet.open = false;
    this.navigate(link.pathname + link.search + link.hash);
  }

  protected navigate(address: string) {
    void this.#goTo(address);
  }

  async #goTo(address: string) {
    if ((await this.page?.mayLeave()) === false) return;
    if (address !== location.pathname + location.search) history.pushState({ scroll: 0 }, '', address);
    await this.show(address, 'go');
  }

  protected async walkedBack() {
    // A step within the page, to what a link with a # names.
    if (this.address === location.pathname + location.search) return;
    if ((await this.page?.mayLeave()) === false) {
      history.pushState({ scroll: scrollY }, '', this.address);
      return;
    }
    await this.show(location.pathname + location.search, 'back');
  }

  protected address = '';

  protected async show(address: string, manner: 'stay' | 'go' | 'back') {
    const url = new URL(address, location.origin);
    const where = whereaboutsOf(url.pathname);
    if (where.page === 'start') return this.#start(where.merchant);
    const isOpen = where.page !== 'unknown' && routes[where.page].of === 'anybody';
    if (this.account === null && !isOpen) return this.toSignIn();
    this.address = url.pathname + url.search;
    const shown = ++this.#shown;
    this.refusal = refusalOf(this.account, where);
    this.isPageLost = false;
    const isSame = JSON.stringify(where) === JSON.stringify(this.#pageWhere) && this.page !== null;
    this.where = where;
    this.#follow();
    if (this.refusal !== null || where.page === 'unknown') this.page = null;
    else if (!isSame) {
      const page = await this.#load(where.page);
      if (shown !== this.#shown) return;
      this.page = page;
      this.#pageWhere = where;
      if (page) {
        page.context = this.#context;
        page.values = where.values;
      }
    }
    await this.updateComplete;
    await this.page?.updateComplete;
    if (shown !== this.#shown) return;
    this.showTitle();
    if (manner === 'back') this.scrollMemory.restore();
    else if (manner === 'go') scrollTo(0, 0);
    if (manner !== 'stay') this.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }

  async #load(name: RouteName): Promise<AccountPage | null> {
    try {
      await routes[name].load();
      return document.createElement(routes[name].element) as AccountPage;
    } catch {
      this.isPageLost = true;
      return null;
    }
  }

  #follow() {
    const merchant = this.merchant?.id ?? null;
    this.live.follow(this.isSignedOut ? null : merchant);
    if (merchant === null || merchant === this.#followed) this.#followed = merchant;
    else {
      this.#followed = merchant;
      rememberMerchant(merchant);
      this.merchantChanged();
    }
  }

  /** Wherever somebody begins who has only come in. */
  #start(merchant: number | null) {
    const { account } = this;
    if (account === null) return this.toSignIn();
    const own = merchant ?? usualMerchant(account);
    if (own === null) {
      if (account.person.isManager) return this.#replace('/account/merchants');
      this.refusal = 'no_merchant';
      this.page = null;
      return;
    }
    const [first = 'overview'] = pagesFor(scopesFor(merchantOf(account, own)), account.person.isManager);
    return this.#replace(addressOf(own, routes[first].path));
  }

  #replace(address: string) {
    history.replaceState({ scroll: 0 }, '', address);
    void this.show(address, 'stay');
  }

  protected toSignIn() {
    const here = location.pathname + location.search;
    const next = whereaboutsOf(location.pathname).page === 'start' ? '' : `?${new URLSearchParams({ next: here })}`;
    this.#replace(`/account/sign-in${next}`);
  }

  /** After signing in: back to where the person wanted to go, which is within the account area. */
  async #accountChanged() {
    await this.readAccount();
    const { page } = this.where;
    if (this.account === null || (page !== 'sign_in' && page !== 'join')) return;
    const next = new URLSearchParams(location.search).get('next') ?? '/account';
    this.#replace(/^\/account(\/|$)/.test(next) && !next.startsWith('/account/sign-in') ? next : '/account');
  }

  protected get pages(): RouteName[] {
    return pagesFor(scopesFor(this.merchant), this.account?.person.isManager);
  }

  /** The merchant of this page; on a page of the person's own, the one they come from. */
  get merchant(): AccountMerchant | null {
    return this.#merchantAt(this.where);
  }

  #merchantAt(where: Whereabouts): AccountMerchant | null {
    const { account } = this;
    const isOwn = where.page === 'me' && account !== null;
    return merchantOf(account, isOwn ? usualMerchant(account) : where.merchant);
  }

  apiOf(merchant: number | null): AccountApi {
    const api = this.apis.get(merchant) ?? this.api.of(merchant);
    this.apis.set(merchant, api);
    return api;
  }

  get #context(): AccountContext {
    const { live, account, i18n } = this;
    const merchant = this.#merchantAt(this.#pageWhere);
    return {
      ...{ i18n, live, account, merchant },
      api: this.apiOf(merchant?.id ?? null),
      scopes: scopesFor(merchant),
      format: new Format(i18n.locale),
      navigate: (address) => this.navigate(address),
      here: (...segments) => addressOf(merchant?.id ?? null, ...segments),
      say: (text) => this.say(text),
      ask: async (question) => (await this.querySelector<QuestionDialog>('question-dialog')?.ask(question)) ?? null,
      accountChanged: async () => await this.#accountChanged(),
      signOut: async () => await this.signOut(),
      recount: () => this.recount(),
    };
  }

  protected override willUpdate(changed: PropertyValues) {
    const isNew = changed.has('i18n') || changed.has('account');
    if (!isNew && !changed.has('page')) return;
    const context = this.#context;
    this.#provider.setValue(context);
    if (this.page && isNew) this.page.context = context;
  }

  protected abstract readAccount(): Promise<void>;
  protected abstract signOut(): Promise<void>;
  abstract say(text: string): void;
  /** Counts the payments awaiting review again. */
  protected abstract recount(): void;
  /** Another merchant's pages are shown now. */
  protected abstract merchantChanged(): void;
  /** Names the document after the page. */
  protected abstract showTitle(): void;
}
