import { html, nothing, type TemplateResult } from 'lit';
import type { Account } from '../../../src/api/account.ts';
import type { TextValues, I18n } from '../../checkout/elements/i18n.ts';
import type { AccountMerchant } from '../context.ts';
import { icon } from '../icons.ts';
import { paletteShortcut } from '../keys.ts';
import { accountPath, type RouteName, routes, type RouteMatch } from '../routes.ts';
import { bareButton, iconButton, tag } from '../parts.ts';
import '@awesome.me/webawesome/dist/components/drawer/drawer.js';

/** What stands around every page of somebody who has come in. */
export interface Frame {
  i18n: I18n;
  account: Account;
  /** Whose pages these are. */
  merchant: AccountMerchant | null;
  match: RouteMatch;
  /** The merchant's pages that this person may see. */
  pages: readonly RouteName[];
  /** How much waits for a decision. */
  reviewCount: number;
  /** Whether what is seen may have changed. */
  isOffline: boolean;
  /** Where one chooses the language. */
  languageSelect: TemplateResult | typeof nothing;
  openPalette(): void;
  showShortcuts(): void;
  navigate(address: string): void;
  signOut(): void;
}

/** Draws it with a page in it: a column beside it where there is room, else bars above and below. */
export function renderFrame(frame: Frame, content: TemplateResult): TemplateResult {
  const pagesInSection = (section: string) => frame.pages.filter((name) => routes[name].section === section);
  // Of managers who have chosen no merchant yet.
  const managerPages = frame.account.person.isManager ? (['merchants', 'me'] as const) : [];
  return html`<div class="shell">
    <header class="top">
      ${renderSwitcher(frame, 'top-merchant')} ${renderBadges(frame)}
      ${iconButton('search', textOf(frame, 'palette.label'), frame.openPalette)}
    </header>
    <header class="side">
      ${renderSwitcher(frame, 'side-merchant')} ${renderBadges(frame)}
      ${bareButton(
        html`<span class="find">${icon('search')}<span>${textOf(frame, 'find')}</span><kbd>${paletteShortcut()}</kbd></span>`,
        frame.openPalette,
        { 'aria-keyshortcuts': 'Control+K Meta+K' },
      )}
      <nav aria-label=${textOf(frame, 'navigation')}>
        ${(['first', 'work', 'upkeep'] as const).map((section) => {
          const names = pagesInSection(section);
          return names.length === 0
            ? nothing
            : html`<ul class="side-list">
                ${names.map((name) => html`<li>${renderLink(frame, name, 'side-link')}</li>`)}
              </ul>`;
        })}
        ${
          frame.account.person.isManager
            ? html`<ul class="side-list"><li>${renderLink(frame, 'merchants', 'side-link')}</li></ul>`
            : nothing
        }
      </nav>
      <div class="side-foot">${frame.languageSelect} ${renderUserMenu(frame)}</div>
    </header>
    <main class="main" id="content" tabindex="-1">${content}</main>
    <nav class="bottom" aria-label=${textOf(frame, 'navigation')}>
      ${(frame.pages.length > 0 ? pagesInSection('first') : managerPages).map((name) => renderLink(frame, name, 'bottom-link'))}
      ${bareButton(
        html`<span class="bottom-link"
          >${icon('menu')}<span class="bottom-label">${textOf(frame, 'more')}</span></span
        >`,
        (event) => setSheetOpen(event, true),
        { 'aria-haspopup': 'dialog' },
      )}
    </nav>
    ${renderSheet(frame, [...pagesInSection('work'), ...pagesInSection('upkeep')])}
  </div>`;
}

function textOf({ i18n }: Frame, key: string, values?: TextValues): string {
  return i18n.text(`account.shell.${key}`, values);
}

/** What holds wherever one scrolls: that it is no real money, and that what is seen may have changed. */
function renderBadges(frame: Frame) {
  const isSandbox = frame.account.environment === 'sandbox';
  if (!isSandbox && !frame.isOffline) return nothing;
  return html`<p class="marks">
    ${isSandbox ? html`<span class="sandbox">${textOf(frame, 'sandbox')}</span>` : nothing}
    ${frame.isOffline ? tag(textOf(frame, 'offline_mark'), 'warn', 'wifi-off') : nothing}
  </p>`;
}

/** Whose pages these are, and the way to another merchant's. */
function renderSwitcher(frame: Frame, name: string) {
  const { account, merchant } = frame;
  const label = merchant?.name ?? 'Paylatch';
  const avatar = html`<span class="merchant-mark" aria-hidden="true">${[...label][0]?.toUpperCase()}</span>`;
  if (account.merchants.length < 2 && !account.person.isManager)
    return html`<p class="merchant ${name}">${avatar}<span class="merchant-name">${label}</span></p>`;
  return bareButton(
    html`<span class="merchant merchant-switch ${name}">
      ${avatar}<span class="merchant-name">${label}</span>${icon('chevrons-up-down')}
      <span class="visually-hidden">${textOf(frame, 'switch_merchant')}</span>
    </span>`,
    frame.openPalette,
    { 'aria-haspopup': 'dialog' },
  );
}

function renderLink(frame: Frame, name: RouteName, className: string): TemplateResult {
  const { page } = frame.match;
  const { audience, path, icon: iconName } = routes[name];
  const isParent = page in routes && routes[page as RouteName].parent === name;
  const current = page === name ? 'page' : isParent ? 'true' : null;
  const count = name === 'decisions' ? frame.reviewCount : 0;
  return html`<a
    class=${className}
    href=${accountPath(audience === 'merchant' ? (frame.merchant?.id ?? null) : null, path)}
    aria-current=${current ?? nothing}
  >
    ${icon(iconName)}<span class=${className.replace('link', 'label')}>${textOf(frame, `pages.${name}`)}</span>
    ${
      count === 0
        ? nothing
        : html`<span class="badge" aria-hidden="true">${count > 99 ? '99+' : count}</span>
            <span class="visually-hidden">${textOf(frame, 'waiting', { count })}</span>`
    }
  </a>`;
}

function renderUserMenu(frame: Frame) {
  const handleSelect = (event: CustomEvent<{ item: { value: string } }>) => {
    const { value } = event.detail.item;
    if (value === 'me') frame.navigate('/account/me');
    else if (value === 'keys') frame.showShortcuts();
    else frame.signOut();
  };
  return html`<wa-dropdown placement="top-start" @wa-select=${handleSelect}>
    <wa-button class="bare" slot="trigger" appearance="plain" @click=${toggleMenu}
      ><span class="person">${icon('user-round')} ${renderUser(frame)} ${icon('chevrons-up-down')}</span></wa-button
    >
    <wa-dropdown-item value="me"><span slot="icon">${icon('shield-check')}</span>${textOf(frame, 'pages.me')}</wa-dropdown-item>
    <wa-dropdown-item value="keys"><span slot="icon">${icon('keyboard')}</span>${textOf(frame, 'keys.title')}</wa-dropdown-item>
    <wa-dropdown-item value="sign-out"><span slot="icon">${icon('log-out')}</span>${textOf(frame, 'sign_out')}</wa-dropdown-item>
  </wa-dropdown>`;
}

/** Who is faster than the menu's code finds it open when that has come: an element takes over what was set before. */
function toggleMenu({ currentTarget }: Event): void {
  if (customElements.get('wa-dropdown') !== undefined) return;
  const menu: (HTMLElement & { open?: boolean }) | null = (currentTarget as HTMLElement).parentElement;
  if (menu !== null) menu.open = !menu.open;
}

function renderUser({ account: { person } }: Frame) {
  return html`<span class="person-words"
    ><span>${person.name || person.email}</span><small>${person.email}</small></span
  >`;
}

function setSheetOpen({ currentTarget }: Event, isOpen: boolean) {
  const sheet = (currentTarget as HTMLElement)
    .closest('.shell')
    ?.querySelector<HTMLElement & { open: boolean }>('.sheet');
  if (sheet) sheet.open = isOpen;
}

/** On a phone: what the bar at the bottom has no room for. */
function renderSheet(frame: Frame, names: readonly RouteName[]) {
  return html`<wa-drawer class="sheet" placement="bottom" label=${textOf(frame, 'more')} without-header light-dismiss>
    <div class="sheet-body">
      <div class="sheet-head">
        ${renderUser(frame)}
        ${iconButton('x', textOf(frame, 'close'), (event: Event) => setSheetOpen(event, false))}
      </div>
      <ul class="side-list">
        ${names.map((name) => html`<li>${renderLink(frame, name, 'side-link')}</li>`)}
        ${frame.account.person.isManager ? html`<li>${renderLink(frame, 'merchants', 'side-link')}</li>` : nothing}
        <li>${renderLink(frame, 'me', 'side-link')}</li>
        <li>
          ${bareButton(
            html`<span class="side-link"
              >${icon('log-out')}<span class="side-label">${textOf(frame, 'sign_out')}</span></span
            >`,
            frame.signOut,
          )}
        </li>
      </ul>
      ${frame.languageSelect}
    </div>
  </wa-drawer>`;
}
