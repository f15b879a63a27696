import type { Embedding } from '../src/api/page-state.ts';
import type { PageAsset } from './assets.ts';

/** Trusted Types policy that Lit uses for its templates. Nothing else on a page may convert text to HTML. */
const TRUSTED_TYPES_POLICY = 'lit-html';

export interface Framing {
  /** Source list of `frame-ancestors`: pages that may embed this page. */
  ancestors: string;
  /** Source list of `frame-src`: pages that this page may embed. */
  frames?: string;
}

/** Additional sources for a merchant's branding. */
export interface BrandSources {
  /** Hash of the inline style. */
  styleSource?: string | undefined;
  /** Origins of the logo and of images. */
  imageSources?: readonly string[];
}

/** Policy for a page with scripts: only files from our own host, and the inline style. */
export function contentSecurityPolicy(
  { styleSource }: PageAsset,
  { ancestors, frames }: Framing = { ancestors: "'none'" },
  { styleSource: ownStyle, imageSources = [] }: BrandSources = {},
): string {
  return policy({
    'frame-ancestors': ancestors,
    'script-src': "'self'",
    'style-src': ["'self'", styleSource, ownStyle].filter(Boolean).join(' '),
    'img-src': ["'self' data:", ...imageSources].join(' '),
    'connect-src': "'self'",
    'font-src': "'self'",
    ...(frames && { 'frame-src': frames }),
    'form-action': "'self'",
    'require-trusted-types-for': "'script'",
    'trusted-types': TRUSTED_TYPES_POLICY,
  });
}

/**
 * Policy for a page without scripts. `form-action` also applies to redirects after a form submission: the issuer's page
 * eventually redirects to the shop, on any origin.
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

/** Policy for the page that posts a form to the issuer. Redirects of the issuer end at our return page. */
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

/** Policy for an inert preview of a page in one of our own frames: no scripts, requests or navigation. */
export function previewPolicy(
  { styleSource }: PageAsset,
  { styleSource: ownStyle, imageSources = [] }: BrandSources,
): string {
  return policy({
    'frame-ancestors': "'self'",
    'style-src': ["'self'", styleSource, ownStyle].filter(Boolean).join(' '),
    'img-src': ["'self' data:", ...imageSources].join(' '),
    'font-src': "'self'",
    'form-action': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
    // Our files are served only to our own origin, and a sandboxed page otherwise has an opaque origin.
    sandbox: 'allow-same-origin',
  });
}

/** Any ancestor. `*` matches only network schemes such as http; pages opened from a file need `file:`. */
export const ANY_ANCESTOR = '* file:';

/** Origins that a merchant allows to embed the page; `also` adds `'self'` for pages in our own frames. */
export function frameAncestors({ origins }: Embedding, also: readonly "'self'"[] = []): string {
  if (origins === null) return ANY_ANCESTOR;
  return [...also, ...origins].join(' ') || "'none'";
}

function policy(directives: Record<string, string>): string {
  const all = { 'default-src': "'none'", 'base-uri': "'none'", ...directives };
  return Object.entries(all)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}
