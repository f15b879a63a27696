import { html, nothing, type TemplateResult } from 'lit';
import type { Account } from '../../../src/api/account.ts';
import type { TextValues, I18n } from '../../checkout/elements/i18n.ts';
import type { AccountMerchant } from '../context.ts';
import { icon } from '../icons.ts';
import { paletteKey } from '../keys.ts';
import { addressOf, type RouteName, routes, type Whereabouts } from '../routes.ts';
import { bareButton, iconButton, tag } from '../parts.ts';
import '@awesome.me/webawesome/dist/components/drawer/drawer.js';

/** What stands around every page of somebody who has come in. */
export interface Frame {
  i18n: I18n;
  account: Account;
  /** Whose pages these are. */
  merchant: AccountMerchant | null;
  where: Whereabouts;
  /** The merchant's pages that this person may see. */
  pages: readonly RouteName[];
  /** How much waits for a decision. */
  waiting: number;
  /** Whether what is seen may have changed. */
  isOffline: boolean;
  /** Where one chooses the language. */
  languageSelect: TemplateResult | typeof nothing;
  openPalette(): void;
  showKeys(): void;
  navigate(address: string): void;
  signOut(): void;
}

/** Draws it with a page in it: a column beside it where there is room, else bars above and below. */
export function renderFrame(frame: Frame, content: TemplateResult): TemplateResult {
  const placed = (place: string) => frame.pages.filter((name) => routes[name].place === place);
  // Of managers who have chosen no merchant yet.
  const own = frame.account.person.isManager ? (['merchants', 'me'] as const) : [];
  return html`<div class="shell">
    <header class="top">
      ${renderSwitcher(frame, 'top-merchant')} ${renderMarks(frame)}
      ${iconButton('search', textOf(frame, 'palette.label'), frame.openPalette)}
    </header>
    <header class="side">
      ${renderSwitcher(frame, 'side-merchant')} ${renderMarks(frame)}
      ${bareButton(
        html`<span class="find">${icon('search')}<span>${textOf(frame, 'find')}</span><kbd>${paletteKey()}</kbd></span>`,
        frame.openPalette,
        { 'aria-keyshortcuts': 'Control+K Meta+K' },
      )}
      <nav aria-label=${textOf(frame, 'navigation')}>
        ${(['first', 'work', 'upkeep'] as const).map((place) => {
          const names = placed(place);
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
      <div class="side-foot">${frame.languageSelect} ${renderPersonMenu(frame)}</div>
    </header>
    <main class="main" id="content" tabindex="-1">${content}</main>
    <nav class="bottom" aria-label=${textOf(frame, 'navigation')}>
      ${(frame.pages.length > 0 ? placed('first') : own).map((name) => renderLink(frame, name, 'bottom-link'))}
      ${bareButton(
        html`<span class="bottom-link"
          >${icon('menu')}<span class="bottom-label">${textOf(frame, 'more')}</span></span
        >`,
        (event) => showSheet(event, true),
        { 'aria-haspopup': 'dialog' },
      )}
    </nav>
    ${renderSheet(frame, [...placed('work'), ...placed('upkeep')])}
  </div>`;
}

function textOf({ i18n }: Frame, key: string, values?: TextValues): string {
  return i18n.text(`account.shell.${key}`, values);
}

/** What holds wherever one scrolls: that it is no real money, and that what is seen may have changed. */
function renderMarks(frame: Frame) {
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
  const mark = html`<span class="merchant-mark" aria-hidden="true">${[...label][0]?.toUpperCase()}</span>`;
  if (account.merchants.length < 2 && !account.person.isManager)
    return html`<p class="merchant ${name}">${mark}<span class="merchant-name">${label}</span></p>`;
  return bareButton(
    html`<span class="merchant merchant-switch ${name}">
      ${mark}<span class="merchant-name">${label}</span>${icon('chevrons-up-down')}
      <span class="visually-hidden">${textOf(frame, 'switch_merchant')}</span>
    </span>`,
    frame.openPalette,
    { 'aria-haspopup': 'dialog' },
  );
}

function renderLink(frame: Frame, name: RouteName, className: string): TemplateResult {
  const { page } = frame.where;
  const { of, path, icon: sign } = routes[name];
  const isWithin = page in routes && routes[page as RouteName].within === name;
  const current = page === name ? 'page' : isWithin ? 'true' : null;
  const count = name === 'decisions' ? frame.waiting : 0;
  return html`<a
    class=${className}
    href=${addressOf(of === 'merchant' ? (frame.merchant?.id ?? null) : null, path)}
    aria-current=${current ?? nothing}
  >
    ${icon(sign)}<span class=${className.replace('link', 'label')}>${textOf(frame, `pages.${name}`)}</span>
    ${
      count === 0
        ? nothing
        : html`<span class="badge" aria-hidden="true">${count > 99 ? '99+' : count}</span>
            <span class="visually-hidden">${textOf(frame, 'waiting', { count })}</span>`
    }
  </a>`;
}

function renderPersonMenu(frame: Frame) {
  const chosen = (event: CustomEvent<{ item: { value: string } }>) => {
    const { value } = event.detail.item;
    if (value === 'me') frame.navigate('/account/me');
    else if (value === 'keys') frame.showKeys();
    else frame.signOut();
  };
  return html`<wa-dropdown placement="top-start" @wa-select=${chosen}>
    <wa-button class="bare" slot="trigger" appearance="plain" @click=${askForMenu}
      ><span class="person">${icon('user-round')} ${renderPerson(frame)} ${icon('chevrons-up-down')}</span></wa-button
    >
    <wa-dropdown-item value="me"><span slot="icon">${icon('shield-check')}</span>${textOf(frame, 'pages.me')}</wa-dropdown-item>
    <wa-dropdown-item value="keys"><span slot="icon">${icon('keyboard')}</span>${textOf(frame, 'keys.title')}</wa-dropdown-item>
    <wa-dropdown-item value="sign-out"><span slot="icon">${icon('log-out')}</span>${textOf(frame, 'sign_out')}</wa-dropdown-item>
  </wa-dropdown>`;
}

/** Who is faster than the menu's code finds it open when that has come: an element takes over what was set before. */
function askForMenu({ currentTarget }: Event): void {
  if (customElements.get('wa-dropdown') !== undefined) return;
  const menu: (HTMLElement & { open?: boolean }) | null = (currentTarget as HTMLElement).parentElement;
  if (menu !== null) menu.open = !menu.open;
}

function renderPerson({ account: { person } }: Frame) {
  return html`<span class="person-words"
    ><span>${person.name || person.email}</span><small>${person.email}</small></span
  >`;
}

function showSheet({ currentTarget }: Event, isOpen: boolean) {
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
        ${renderPerson(frame)}
        ${iconButton('x', textOf(frame, 'close'), (event: Event) => showSheet(event, false))}
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
