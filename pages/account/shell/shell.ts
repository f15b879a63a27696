import { html, nothing, type TemplateResult } from 'lit';
import type { Account } from '../../../src/api/account.ts';
import type { TextValues, I18n } from '../../checkout/elements/i18n.ts';
import type { AccountMerchant } from '../context.ts';
import { icon } from '../icons.ts';
import { paletteShortcut } from '../shortcuts.ts';
import { accountPath, type RouteName, routes, type RouteMatch } from '../routes.ts';
import { bareButton, iconButton, tag } from '../parts.ts';
import '@awesome.me/webawesome/dist/components/drawer/drawer.js';

/** State and actions of the shell around every page of a signed-in user. */
export interface Shell {
  i18n: I18n;
  account: Account;
  merchant: AccountMerchant | null;
  match: RouteMatch;
  /** The merchant's pages that the user may see. */
  pages: readonly RouteName[];
  /** Number of payments awaiting review. */
  reviewCount: number;
  /** Offline: the data on screen may be stale. */
  isOffline: boolean;
  languageSelect: TemplateResult | typeof nothing;
  openPalette(): void;
  switchMerchant(): void;
  showShortcuts(): void;
  navigate(url: string): void;
  signOut(): void;
}

/** Renders the shell around a page: a sidebar on wide screens, otherwise a top and a bottom bar. */
export function renderShell(shell: Shell, content: TemplateResult): TemplateResult {
  const pagesInSection = (section: string) => shell.pages.filter((name) => routes[name].section === section);
  // Pages of managers without a selected merchant.
  const managerPages = shell.account.person.isManager ? (['merchants', 'me'] as const) : [];
  return html`<div class="shell">
    <header class="top">
      ${renderSwitcher(shell, 'top-merchant')} ${renderBadges(shell)}
      ${iconButton('search', textOf(shell, 'palette.label'), shell.openPalette)}
    </header>
    <header class="side">
      ${renderSwitcher(shell, 'side-merchant')} ${renderBadges(shell)}
      ${bareButton(
        html`<span class="search-button">${icon('search')}<span>${textOf(shell, 'search')}</span><kbd>${paletteShortcut()}</kbd></span>`,
        shell.openPalette,
        { 'aria-keyshortcuts': 'Control+K Meta+K' },
      )}
      <nav aria-label=${textOf(shell, 'navigation')}>
        ${(['primary', 'operations', 'admin'] as const).map((section) => {
          const names = pagesInSection(section);
          return names.length === 0
            ? nothing
            : html`<ul class="side-list">
                ${names.map((name) => html`<li>${renderLink(shell, name, 'side-link')}</li>`)}
              </ul>`;
        })}
        ${
          shell.account.person.isManager
            ? html`<ul class="side-list"><li>${renderLink(shell, 'merchants', 'side-link')}</li></ul>`
            : nothing
        }
      </nav>
      <div class="side-foot">${shell.languageSelect} ${renderUserMenu(shell)}</div>
    </header>
    <main class="main" id="content" tabindex="-1">${content}</main>
    <nav class="bottom" aria-label=${textOf(shell, 'navigation')}>
      ${(shell.pages.length > 0 ? pagesInSection('primary') : managerPages).map((name) => renderLink(shell, name, 'bottom-link'))}
      ${bareButton(
        html`<span class="bottom-link"
          >${icon('menu')}<span class="bottom-label">${textOf(shell, 'more')}</span></span
        >`,
        (event) => setSheetOpen(event, true),
        { 'aria-haspopup': 'dialog' },
      )}
    </nav>
    ${renderSheet(shell, [...pagesInSection('operations'), ...pagesInSection('admin')])}
  </div>`;
}

function textOf({ i18n }: Shell, key: string, values?: TextValues): string {
  return i18n.text(`account.shell.${key}`, values);
}

/** Badges for the sandbox and the offline state. */
function renderBadges(shell: Shell) {
  const isSandbox = shell.account.environment === 'sandbox';
  if (!isSandbox && !shell.isOffline) return nothing;
  return html`<p class="badges">
    ${isSandbox ? html`<span class="sandbox">${textOf(shell, 'sandbox')}</span>` : nothing}
    ${shell.isOffline ? tag(textOf(shell, 'offline_mark'), 'warn', 'wifi-off') : nothing}
  </p>`;
}

/** The name of the merchant; opens the palette to switch merchants. */
function renderSwitcher(shell: Shell, name: string) {
  const { account, merchant } = shell;
  const label = merchant?.name ?? 'Paylatch';
  const avatar = html`<span class="merchant-avatar" aria-hidden="true">${[...label][0]?.toUpperCase()}</span>`;
  if (account.merchants.length < 2 && !account.person.isManager)
    return html`<p class="merchant ${name}">${avatar}<span class="merchant-name" dir="auto">${label}</span></p>`;
  return bareButton(
    html`<span class="merchant merchant-switch ${name}">
      ${avatar}<span class="merchant-name" dir="auto">${label}</span>${icon('chevrons-up-down')}
      <span class="visually-hidden">${textOf(shell, 'switch_merchant')}</span>
    </span>`,
    shell.switchMerchant,
    { 'aria-haspopup': 'dialog' },
  );
}

function renderLink(shell: Shell, name: RouteName, className: string): TemplateResult {
  const { page } = shell.match;
  const { audience, path, icon: iconName } = routes[name];
  const isParent = page in routes && routes[page as RouteName].parent === name;
  const current = page === name ? 'page' : isParent ? 'true' : null;
  const count = name === 'reviews' ? shell.reviewCount : 0;
  return html`<a
    class=${className}
    href=${accountPath(audience === 'merchant' ? (shell.merchant?.id ?? null) : null, path)}
    aria-current=${current ?? nothing}
  >
    ${icon(iconName)}<span class=${className.replace('link', 'label')}>${textOf(shell, `pages.${name}`)}</span>
    ${
      count === 0
        ? nothing
        : html`<span class="badge" aria-hidden="true">${count > 99 ? '99+' : count}</span>
            <span class="visually-hidden">${textOf(shell, 'waiting', { count })}</span>`
    }
  </a>`;
}

function renderUserMenu(shell: Shell) {
  const handleSelect = (event: CustomEvent<{ item: { value: string } }>) => {
    const { value } = event.detail.item;
    if (value === 'me') shell.navigate('/account/me');
    else if (value === 'keys') shell.showShortcuts();
    else shell.signOut();
  };
  return html`<wa-dropdown placement="top-start" @wa-select=${handleSelect}>
    <wa-button class="bare" slot="trigger" appearance="plain" @click=${toggleMenu}
      ><span class="user">${icon('user-round')} ${renderUser(shell)} ${icon('chevrons-up-down')}</span></wa-button
    >
    <wa-dropdown-item value="me"><span slot="icon">${icon('shield-check')}</span>${textOf(shell, 'pages.me')}</wa-dropdown-item>
    <wa-dropdown-item value="keys"><span slot="icon">${icon('keyboard')}</span>${textOf(shell, 'keys.title')}</wa-dropdown-item>
    <wa-dropdown-item value="sign-out"><span slot="icon">${icon('log-out')}</span>${textOf(shell, 'sign_out')}</wa-dropdown-item>
  </wa-dropdown>`;
}

/** Opens the menu before its code has loaded: an upgraded element keeps the properties set earlier. */
function toggleMenu({ currentTarget }: Event): void {
  if (customElements.get('wa-dropdown') !== undefined) return;
  const menu: (HTMLElement & { open?: boolean }) | null = (currentTarget as HTMLElement).parentElement;
  if (menu !== null) menu.open = !menu.open;
}

function renderUser({ account: { person } }: Shell) {
  return html`<span class="user-names"
    ><span>${person.name || person.email}</span><small dir="ltr">${person.email}</small></span
  >`;
}

function setSheetOpen({ currentTarget }: Event, isOpen: boolean) {
  const sheet = (currentTarget as HTMLElement)
    .closest('.shell')
    ?.querySelector<HTMLElement & { open: boolean }>('.sheet');
  if (sheet) sheet.open = isOpen;
}

/** On phones: pages and actions that the bottom bar does not show. */
function renderSheet(shell: Shell, names: readonly RouteName[]) {
  return html`<wa-drawer class="sheet" placement="bottom" label=${textOf(shell, 'more')} without-header light-dismiss>
    <div class="sheet-body">
      <div class="sheet-head">
        ${renderUser(shell)}
        ${iconButton('x', textOf(shell, 'close'), (event: Event) => setSheetOpen(event, false))}
      </div>
      <ul class="side-list">
        ${names.map((name) => html`<li>${renderLink(shell, name, 'side-link')}</li>`)}
        ${shell.account.person.isManager ? html`<li>${renderLink(shell, 'merchants', 'side-link')}</li>` : nothing}
        <li>${renderLink(shell, 'me', 'side-link')}</li>
        <li>
          ${bareButton(
            html`<span class="side-link"
              >${icon('log-out')}<span class="side-label">${textOf(shell, 'sign_out')}</span></span
            >`,
            shell.signOut,
          )}
        </li>
      </ul>
      ${shell.languageSelect}
    </div>
  </wa-drawer>`;
}
