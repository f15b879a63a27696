import type { TokenScope } from '../../src/shared/scopes.ts';

/** Group in the navigation. The bottom bar of phones shows only `primary`. */
type NavigationSection = 'primary' | 'operations' | 'admin';

interface AccountRoute {
  /** Below `/account/MERCHANT_ID/` for a merchant's page, below `/account/` for others; `:reference` is any text. */
  path: string;
  audience: 'public' | 'user' | 'manager' | 'merchant';
  /** A symbol of `icons.svg`. */
  icon: string;
  load(): Promise<unknown>;
  /** The custom element of the page. */
  element: string;
  /** The required scope. */
  scope?: TokenScope;
  /** A merchant's page that only managers of the service can open. */
  managersOnly?: boolean;
  /** Group in the navigation; pages without one are reached from another page. */
  section?: NavigationSection;
  /** The page that the navigation marks as current instead. */
  parent?: string;
}

function merchantRoute(
  path: string,
  scope: TokenScope,
  section: NavigationSection | undefined,
  icon: string,
  load: () => Promise<unknown>,
  overrides: Partial<AccountRoute> = {},
): AccountRoute {
  return {
    path,
    scope,
    ...(section && { section }),
    icon,
    load,
    audience: 'merchant',
    element: `${path}-page`,
    ...overrides,
  };
}

function accountRoute(
  path: string,
  audience: AccountRoute['audience'],
  icon: string,
  load: () => Promise<unknown>,
): AccountRoute {
  return { path, audience, icon, load, element: `${path}-page` };
}

/** All pages of the account area. The title is the translation `account.shell.pages.NAME`, from the page's own bundle. */
export const routes = {
  overview: merchantRoute(
    'overview',
    'transaction:read',
    'primary',
    'layout-dashboard',
    () => import('./overview/overview-page.ts'),
  ),
  transactions: merchantRoute(
    'transactions',
    'transaction:read',
    'primary',
    'receipt-text',
    () => import('./transactions/transactions-page.ts'),
  ),
  transaction: merchantRoute(
    'transactions/:reference',
    'transaction:read',
    undefined,
    'receipt-text',
    () => import('./transactions/transaction-page.ts'),
    { element: 'transaction-page', parent: 'transactions' },
  ),
  reviews: merchantRoute(
    'reviews',
    'approval:write',
    'primary',
    'inbox',
    () => import('./review-queue/review-queue-page.ts'),
    {
      element: 'review-queue-page',
    },
  ),
  new_link: merchantRoute(
    'new-link',
    'link:write',
    'primary',
    'circle-plus',
    () => import('./new-link/new-link-page.ts'),
  ),
  reusable_links: merchantRoute(
    'reusable-links',
    'transaction:read',
    'operations',
    'qr-code',
    () => import('./reusable-links/reusable-links-page.ts'),
  ),
  reusable_link: merchantRoute(
    'reusable-links/:id',
    'transaction:read',
    undefined,
    'qr-code',
    () => import('./reusable-links/reusable-link-page.ts'),
    { element: 'reusable-link-page', parent: 'reusable_links' },
  ),
  crypto: merchantRoute('crypto', 'transaction:read', 'operations', 'bitcoin', () => import('./crypto/crypto-page.ts')),
  branding: merchantRoute(
    'branding',
    'preference:read',
    'admin',
    'palette',
    () => import('./branding/branding-page.ts'),
  ),
  settings: merchantRoute(
    'settings',
    'preference:read',
    'admin',
    'sliders-horizontal',
    () => import('./settings/settings-page.ts'),
  ),
  email: merchantRoute('email', 'preference:read', 'admin', 'mail', () => import('./email/email-page.ts')),
  integration: merchantRoute(
    'integration',
    'callback:read',
    'admin',
    'plug',
    () => import('./integration/integration-page.ts'),
  ),
  webhooks: merchantRoute('webhooks', 'callback:read', 'admin', 'webhook', () => import('./webhooks/webhooks-page.ts')),
  webhook: merchantRoute(
    'webhooks/:id',
    'callback:read',
    undefined,
    'webhook',
    () => import('./webhooks/webhook-page.ts'),
    { element: 'webhook-page', parent: 'webhooks' },
  ),
  methods: merchantRoute(
    'methods',
    'preference:write',
    'admin',
    'credit-card',
    () => import('./merchants/methods-page.ts'),
    { managersOnly: true },
  ),
  acquirers: merchantRoute(
    'acquirers',
    'acquirer:manage',
    'admin',
    'landmark',
    () => import('./acquirers/acquirers-page.ts'),
    { managersOnly: true },
  ),
  // Before the page of an account, whose path matches too.
  add_acquirer: merchantRoute(
    'acquirers/new',
    'acquirer:manage',
    undefined,
    'landmark',
    () => import('./acquirers/add-acquirer-page.ts'),
    { element: 'add-acquirer-page', parent: 'acquirers', managersOnly: true },
  ),
  acquirer: merchantRoute(
    'acquirers/:id',
    'acquirer:manage',
    undefined,
    'landmark',
    () => import('./acquirers/acquirer-page.ts'),
    { element: 'acquirer-page', parent: 'acquirers', managersOnly: true },
  ),
  team: merchantRoute('team', 'team:manage', 'admin', 'users', () => import('./team/team-page.ts')),
  audit_log: merchantRoute(
    'audit-log',
    'audit:read',
    'admin',
    'scroll-text',
    () => import('./audit-log/audit-log-page.ts'),
  ),
  merchants: accountRoute('merchants', 'manager', 'store', () => import('./merchants/merchants-page.ts')),
  me: accountRoute('me', 'user', 'shield-check', () => import('./me/me-page.ts')),
  sign_in: accountRoute('sign-in', 'public', 'lock', () => import('./sign-in/sign-in-page.ts')),
  join: accountRoute('join', 'public', 'user-plus', () => import('./join/join-page.ts')),
} as const;

export type RouteName = keyof typeof routes;
export const routeNames = Object.keys(routes) as RouteName[];

/** The page of a URL of the account area. */
export type RouteMatch =
  | { page: RouteName; merchant: number | null; params: Readonly<Record<string, string>> }
  /** `/account/` or `/account/7/`: redirects to the start page of the user. */
  | { page: 'start'; merchant: number | null }
  | { page: 'unknown'; merchant: number | null };

/** Finds the page of a URL. Does not check permissions. */
export function matchRoute(pathname: string): RouteMatch {
  const [area, ...segments] = pathname.split('/').filter((segment) => segment !== '');
  if (area !== 'account') return { page: 'unknown', merchant: null };
  const [first = ''] = segments;
  const merchant = /^[1-9]\d{0,15}$/.test(first) ? Number(first) : null;
  const path = merchant === null ? segments : segments.slice(1);
  if (path.length === 0) return { page: 'start', merchant };
  for (const page of routeNames) {
    if ((routes[page].audience === 'merchant') !== (merchant !== null)) continue;
    const params = matchPath(routes[page].path, path);
    if (params) return { page, merchant, params };
  }
  return { page: 'unknown', merchant };
}

function matchPath(path: string, segments: readonly string[]): Record<string, string> | null {
  const pattern = path.split('/');
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decodeSegment(segment);
    else if (part !== segment) return null;
  }
  return params;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** `/account/7/transactions/order-1`. */
export function accountPath(merchant: number | null, ...segments: readonly string[]): string {
  const encoded = ['account', ...(merchant === null ? [] : [String(merchant)]), ...segments];
  return `/${encoded.map(encodeURIComponent).join('/')}`;
}

/** The merchant's pages that these scopes permit, in the order of the navigation. */
export function pagesFor(scopes: ReadonlySet<string>, isManager = false): RouteName[] {
  return routeNames.filter((name) => {
    const { audience, section, scope, managersOnly } = routes[name];
    if (audience !== 'merchant' || section === undefined || (managersOnly && !isManager)) return false;
    return scope === undefined || scopes.has(scope);
  });
}
