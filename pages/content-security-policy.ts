import type { PageAsset } from './assets.ts';

/** Lit makes its templates through this policy; nothing else on a page may turn text into HTML. */
const TRUSTED_TYPES_POLICY = 'lit-html';

/** The link page's policy: only what comes from our own host, and the one style that stands in the page. */
export function contentSecurityPolicy({ styleSource }: PageAsset): string {
  return policy({
    'script-src': "'self'",
    'style-src': `'self' ${styleSource}`,
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'font-src': "'self'",
    'form-action': "'self'",
    'require-trusted-types-for': "'script'",
    'trusted-types': TRUSTED_TYPES_POLICY,
  });
}

/**
 * The policy of a page without script. `form-action` also covers the redirects that answer a form:
 * the issuer's page ends at the shop, wherever that is.
 */
export function plainPagePolicy(
  { styleSource }: PageAsset,
  formAction: "'none'" | "'self' http: https:" = "'none'",
): string {
  return policy({
    'style-src': styleSource,
    'img-src': "'self'",
    'form-action': formAction,
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  });
}

function policy(directives: Record<string, string>): string {
  const all = { 'default-src': "'none'", 'base-uri': "'none'", 'frame-ancestors': "'none'", ...directives };
  return Object.entries(all)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}
