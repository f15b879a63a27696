import type { TokenScope } from '../../src/shared/scopes.ts';

/** Where a link to a page stands: on a phone only the first ones do without being asked for. */
type Place = 'first' | 'work' | 'upkeep';

interface AccountRoute {
  /**
   * Below `/account/MERCHANT_ID/` of a merchant's page, below `/account/` of the others; what stands behind
   * a colon is any text.
   */
  path: string;
  /** Whose page it is. */
  of: 'anybody' | 'person' | 'manager' | 'merchant';
  /** What a person needs to see it. */
  scope?: TokenScope;
  /** Whether only the service's managers may see it, though it is a merchant's. */
  isForManagers?: boolean;
  /** Where it is to be found; a page without is found from another one. */
  place?: Place;
  icon: string;
  /** The page that stands for it in the navigation. */
  within?: string;
  /** The element that draws it, and what defines that. */
  element: string;
  load(): Promise<unknown>;
}

function route<Route extends AccountRoute>(described: Route): AccountRoute {
  return described;
}

/** Every page of the account area. What it is called in words: `account.shell.pages.NAME`. */
export const routes = {
  overview: route({
    path: 'overview',
    of: 'merchant',
    scope: 'transaction:read',
    place: 'first',
    icon: 'layout-dashboard',
    element: 'overview-page',
    load: () => import('./overview/overview-page.ts'),
  }),
  transactions: route({
    path: 'transactions',
    of: 'merchant',
    scope: 'transaction:read',
    place: 'first',
    icon: 'receipt-text',
    element: 'transactions-page',
    load: () => import('./transactions/transactions-page.ts'),
  }),
  transaction: route({
    path: 'transactions/:reference',
    of: 'merchant',
    scope: 'transaction:read',
    within: 'transactions',
    icon: 'receipt-text',
    element: 'transaction-page',
    load: () => import('./transactions/transaction-page.ts'),
  }),
  decisions: route({
    path: 'decisions',
    of: 'merchant',
    scope: 'approval:write',
    place: 'first',
    icon: 'inbox',
    element: 'decisions-page',
    load: () => import('./decisions/decisions-page.ts'),
  }),
  new_link: route({
    path: 'new-link',
    of: 'merchant',
    scope: 'link:write',
    place: 'first',
    icon: 'circle-plus',
    element: 'new-link-page',
    load: () => import('./new-link/new-link-page.ts'),
  }),
  crypto: route({
    path: 'crypto',
    of: 'merchant',
    scope: 'transaction:read',
    place: 'work',
    icon: 'bitcoin',
    element: 'crypto-page',
    load: () => import('./crypto/crypto-page.ts'),
  }),
  settings: route({
    path: 'settings',
    of: 'merchant',
    scope: 'preference:read',
    place: 'upkeep',
    icon: 'sliders-horizontal',
    element: 'settings-page',
    load: () => import('./settings/settings-page.ts'),
  }),
  integration: route({
    path: 'integration',
    of: 'merchant',
    scope: 'callback:read',
    place: 'upkeep',
    icon: 'plug',
    element: 'integration-page',
    load: () => import('./integration/integration-page.ts'),
  }),
  methods: route({
    path: 'methods',
    of: 'merchant',
    scope: 'preference:write',
    isForManagers: true,
    place: 'upkeep',
    icon: 'credit-card',
    element: 'methods-page',
    load: () => import('./merchants/methods-page.ts'),
  }),
  team: route({
    path: 'team',
    of: 'merchant',
    scope: 'team:manage',
    place: 'upkeep',
    icon: 'users',
    element: 'team-page',
    load: () => import('./team/team-page.ts'),
  }),
  audit_log: route({
    path: 'audit-log',
    of: 'merchant',
    scope: 'audit:read',
    place: 'upkeep',
    icon: 'scroll-text',
    element: 'audit-log-page',
    load: () => import('./audit-log/audit-log-page.ts'),
  }),
  merchants: route({
    path: 'merchants',
    of: 'manager',
    icon: 'store',
    element: 'merchants-page',
    load: () => import('./merchants/merchants-page.ts'),
  }),
  me: route({
    path: 'me',
    of: 'person',
    icon: 'shield-check',
    element: 'me-page',
    load: () => import('./me/me-page.ts'),
  }),
  sign_in: route({
    path: 'sign-in',
    of: 'anybody',
    icon: 'lock',
    element: 'sign-in-page',
    load: () => import('./sign-in/sign-in-page.ts'),
  }),
  join: route({
    path: 'join',
    of: 'anybody',
    icon: 'user-plus',
    element: 'join-page',
    load: () => import('./join/join-page.ts'),
  }),
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
