import type { TokenScope } from '../../src/shared/scopes.ts';

/** Where a link to a page stands: a phone shows the first ones only. */
type Place = 'first' | 'work' | 'upkeep';

interface AccountRoute {
  /** Below `/account/MERCHANT_ID/` for a merchant's page, below `/account/` for others; `:reference` is any text. */
  path: string;
  of: 'anybody' | 'person' | 'manager' | 'merchant';
  /** A symbol of `icons.svg`. */
  icon: string;
  load(): Promise<unknown>;
  /** The custom element of the page. */
  element: string;
  /** The scope that it needs. */
  scope?: TokenScope;
  /** A merchant's page for the service's managers only. */
  isForManagers?: boolean;
  /** Its place in the navigation; a page without one is reached from another page. */
  place?: Place;
  /** The page that stands for it in the navigation. */
  within?: string;
}

function ofMerchant(
  path: string,
  scope: TokenScope,
  place: Place | undefined,
  icon: string,
  load: () => Promise<unknown>,
  more: Partial<AccountRoute> = {},
): AccountRoute {
  return { path, scope, ...(place && { place }), icon, load, of: 'merchant', element: `${path}-page`, ...more };
}

function other(path: string, of: AccountRoute['of'], icon: string, load: () => Promise<unknown>): AccountRoute {
  return { path, of, icon, load, element: `${path}-page` };
}

/** Every page of the account area. Its name in words is `account.shell.pages.NAME`. */
export const routes = {
  overview: ofMerchant(
    'overview',
    'transaction:read',
    'first',
    'layout-dashboard',
    () => import('./overview/overview-page.ts'),
  ),
  transactions: ofMerchant(
    'transactions',
    'transaction:read',
    'first',
    'receipt-text',
    () => import('./transactions/transactions-page.ts'),
  ),
  transaction: ofMerchant(
    'transactions/:reference',
    'transaction:read',
    undefined,
    'receipt-text',
    () => import('./transactions/transaction-page.ts'),
    { element: 'transaction-page', within: 'transactions' },
  ),
  decisions: ofMerchant('decisions', 'approval:write', 'first', 'inbox', () => import('./decisions/decisions-page.ts')),
  new_link: ofMerchant('new-link', 'link:write', 'first', 'circle-plus', () => import('./new-link/new-link-page.ts')),
  crypto: ofMerchant('crypto', 'transaction:read', 'work', 'bitcoin', () => import('./crypto/crypto-page.ts')),
  settings: ofMerchant(
    'settings',
    'preference:read',
    'upkeep',
    'sliders-horizontal',
    () => import('./settings/settings-page.ts'),
  ),
  integration: ofMerchant(
    'integration',
    'callback:read',
    'upkeep',
    'plug',
    () => import('./integration/integration-page.ts'),
  ),
  methods: ofMerchant(
    'methods',
    'preference:write',
    'upkeep',
    'credit-card',
    () => import('./merchants/methods-page.ts'),
    { isForManagers: true },
  ),
  team: ofMerchant('team', 'team:manage', 'upkeep', 'users', () => import('./team/team-page.ts')),
  audit_log: ofMerchant(
    'audit-log',
    'audit:read',
    'upkeep',
    'scroll-text',
    () => import('./audit-log/audit-log-page.ts'),
  ),
  merchants: other('merchants', 'manager', 'store', () => import('./merchants/merchants-page.ts')),
  me: other('me', 'person', 'shield-check', () => import('./me/me-page.ts')),
  sign_in: other('sign-in', 'anybody', 'lock', () => import('./sign-in/sign-in-page.ts')),
  join: other('join', 'anybody', 'user-plus', () => import('./join/join-page.ts')),
} as const;

export type RouteName = keyof typeof routes;
export const routeNames = Object.keys(routes) as RouteName[];

/** What an address of the account area names. */
export type Whereabouts =
  | { page: RouteName; merchant: number | null; values: Readonly<Record<string, string>> }
  /** `/account/`, or `/account/7/`: wherever the person begins. */
  | { page: 'start'; merchant: number | null }
  | { page: 'unknown'; merchant: number | null };

/** Reads an address; whether the person may go there is not asked here. */
export function whereaboutsOf(pathname: string): Whereabouts {
  const [area, ...segments] = pathname.split('/').filter((segment) => segment !== '');
  if (area !== 'account') return { page: 'unknown', merchant: null };
  const [first = ''] = segments;
  const merchant = /^[1-9]\d{0,14}$/.test(first) ? Number(first) : null;
  const rest = merchant === null ? segments : segments.slice(1);
  if (rest.length === 0) return { page: 'start', merchant };
  for (const page of routeNames) {
    if ((routes[page].of === 'merchant') !== (merchant !== null)) continue;
    const values = valuesOf(routes[page].path, rest);
    if (values) return { page, merchant, values };
  }
  return { page: 'unknown', merchant };
}

function valuesOf(path: string, segments: readonly string[]): Record<string, string> | null {
  const pattern = path.split('/');
  if (pattern.length !== segments.length) return null;
  const values: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith(':')) values[part.slice(1)] = decoded(segment);
    else if (part !== segment) return null;
  }
  return values;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** `/account/7/transactions/order-1`. */
export function addressOf(merchant: number | null, ...segments: readonly string[]): string {
  const all = ['account', ...(merchant === null ? [] : [String(merchant)]), ...segments];
  return `/${all.map(encodeURIComponent).join('/')}`;
}

/** The merchant's pages that somebody with these scopes may see, in the order of the navigation. */
export function pagesFor(scopes: ReadonlySet<string>, isManager = false): RouteName[] {
  return routeNames.filter((name) => {
    const { of, place, scope, isForManagers } = routes[name];
    if (of !== 'merchant' || place === undefined || (isForManagers && !isManager)) return false;
    return scope === undefined || scopes.has(scope);
  });
}
