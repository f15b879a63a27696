/**
 * Texts of each page in addition to those of the shell and of statuses, by the first segment of its path. An area is a
 * file in each folder of `pages/locales/account/`.
 */
const areasByPage: Readonly<Record<string, readonly string[]>> = {
  // The start page redirects to the overview.
  '': ['overview', 'transactions'],
  overview: ['overview', 'transactions'],
  transactions: ['transactions', 'crypto', 'send_link'],
  decisions: ['decisions', 'transactions'],
  'new-link': ['new_link', 'send_link'],
  'reusable-links': ['reusable_links', 'new_link'],
  crypto: ['crypto'],
  branding: ['branding', 'settings'],
  settings: ['settings'],
  email: ['email', 'settings', 'branding'],
  // Step-up dialogs have texts of `me` and `sign_in`.
  webhooks: ['webhooks', 'integration', 'settings', 'acquirers', 'me', 'sign_in'],
  integration: ['integration', 'settings'],
  methods: ['merchants', 'settings'],
  acquirers: ['acquirers', 'settings', 'me', 'sign_in'],
  team: ['team', 'sign_in'],
  'audit-log': ['audit_log', 'transactions'],
  merchants: ['merchants', 'integration'],
  me: ['me', 'sign_in'],
  'sign-in': ['sign_in', 'me'],
  join: ['join', 'sign_in', 'me'],
};

/** The text areas of the page at a URL of the account area. */
export function textAreasFor(pathname: string): readonly string[] {
  const [, first = '', second = ''] = pathname.split('/').filter((segment) => segment !== '');
  const page = /^\d+$/.test(first) ? second : first;
  return ['shell', 'statuses', ...(Object.hasOwn(areasByPage, page) ? (areasByPage[page] ?? []) : [])];
}
