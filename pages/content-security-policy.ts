import type { Embedding } from '../src/api/page-state.ts';
import type { PageAsset } from './assets.ts';

/** Lit makes its templates through this policy; nothing else on a page may turn text into HTML. */
const TRUSTED_TYPES_POLICY = 'lit-html';

export interface Framing {
  /** Source list of `frame-ancestors`: who may show the page in a frame. */
  ancestors: string;
  /** Source list of `frame-src`: what the page itself may show in one. */
  frames?: string;
}

/** What a merchant's own look needs. */
export interface BrandSources {
  /** Of the style that stands in the page. */
  styleSource?: string | undefined;
  /** The origin of the logo. */
  imageSource?: string | undefined;
}

/** The policy of a page with a script: only what comes from our own host, and the one style that stands in the page. */
export function contentSecurityPolicy(
  { styleSource }: PageAsset,
  { ancestors, frames }: Framing = { ancestors: "'none'" },
  { styleSource: ownStyle, imageSource }: BrandSources = {},
): string {
  return policy({
    'frame-ancestors': ancestors,
    'script-src': "'self'",
    'style-src': ["'self'", styleSource, ownStyle].filter(Boolean).join(' '),
    'img-src': ["'self' data:", imageSource].filter(Boolean).join(' '),
    'connect-src': "'self'",
    'font-src': "'self'",
    ...(frames && { 'frame-src': frames }),
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
  formAction: "'none'" | "'self'" | "'self' http: https:" = "'none'",
  ancestors = "'none'",
): string {
  return policy({
    'frame-ancestors': ancestors,
    'style-src': styleSource,
    'img-src': "'self'",
    'form-action': formAction,
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  });
}

/** The policy of the page that posts a form to the issuer, who may redirect to others and ends at our return page. */
export function challengeFormPolicy(
  { styleSource }: PageAsset,
  url: string,
  script: string,
  ancestors: string,
): string {
  return policy({
    'frame-ancestors': ancestors,
    'script-src': script,
    'style-src': styleSource,
    'img-src': "'self'",
    'form-action': `'self' ${new URL(url).origin} https:`,
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  });
}

/** The policy of a picture of a page within another page of ours: it runs nothing, sends nothing, goes nowhere. */
export function picturePolicy(
  { styleSource }: PageAsset,
  { styleSource: ownStyle, imageSource }: BrandSources,
): string {
  return policy({
    'frame-ancestors': "'self'",
    'style-src': ["'self'", styleSource, ownStyle].filter(Boolean).join(' '),
    'img-src': ["'self' data:", imageSource].filter(Boolean).join(' '),
    'font-src': "'self'",
    'form-action': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
    // Our own files answer nobody else, and a page of no origin is somebody else.
    sandbox: 'allow-same-origin',
  });
}

/** Everybody. The asterisk means the schemes of networks, http among them; a page that is opened from a file has another. */
export const ANYBODY = '* file:';

/** The ancestors that a merchant allows, and `also` ourselves where a page stands in a frame of our own page. */
export function ancestorsOf({ origins }: Embedding, also: readonly "'self'"[] = []): string {
  if (origins === null) return ANYBODY;
  return [...also, ...origins].join(' ') || "'none'";
}

function policy(directives: Record<string, string>): string {
  const all = { 'default-src': "'none'", 'base-uri': "'none'", ...directives };
  return Object.entries(all)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}
