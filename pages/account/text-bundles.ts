/**
 * Text bundles of pages that use more than their own, by the first segment of the path. A bundle is a file in
 * each folder of `pages/locales/account/`.
 */
const bundlesByPage: Readonly<Record<string, readonly string[]>> = {
  // The start page redirects to the overview.
  '': ['overview', 'transactions'],
  overview: ['overview', 'transactions'],
  transactions: ['transactions', 'crypto', 'send_link'],
  reviews: ['reviews', 'transactions'],
  'new-link': ['new_link', 'send_link'],
  'reusable-links': ['reusable_links', 'new_link'],
  branding: ['branding', 'settings'],
  email: ['email', 'settings', 'branding'],
  // Step-up dialogs use text from `me` and `sign_in`.
  webhooks: ['webhooks', 'transactions', 'integration', 'settings', 'acquirers', 'me', 'sign_in'],
  integration: ['integration', 'settings'],
  methods: ['merchants', 'settings'],
  acquirers: ['acquirers', 'settings', 'me', 'sign_in'],
  team: ['team', 'sign_in'],
  'audit-log': ['audit_log', 'transactions', 'settings'],
  merchants: ['merchants', 'integration'],
  me: ['me', 'sign_in'],
  'sign-in': ['sign_in', 'me'],
  join: ['join', 'sign_in', 'me'],
};

/**
 * The text bundles of the page at a URL of the account area: those of the shell, of statuses and of the page, by
 * default the bundle with the page's name.
 */
export function textBundlesFor(pathname: string): readonly string[] {
  const [, first = '', second = ''] = pathname.split('/').filter((segment) => segment !== '');
  const page = /^\d+$/.test(first) ? second : first;
  const bundles = Object.hasOwn(bundlesByPage, page) ? bundlesByPage[page] : undefined;
  return ['shell', 'statuses', ...(bundles ?? [page.replaceAll('-', '_')])];
}
