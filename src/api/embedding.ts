import { z } from 'zod';

/** Scheme, a host name of at most 253 characters, a port. */
const MAX_ORIGIN_LENGTH = 300;

/** Query of a page embedded in a merchant's page. */
export const framedPageQuery = z.object({
  /** Origin that the embedding page claims; used to report early that the browser would block the page. */
  origin: z.string().max(MAX_ORIGIN_LENGTH).optional(),
  /** BCP 47 tag; overrides the browser's languages. */
  locale: z.string().max(64).optional(),
});

/**
 * Returns true if a Content-Security-Policy can name `value` as an origin. URLs allow more characters in a host than
 * a policy: `;` would start another directive, `*` would match other hosts, and IPv6 addresses have no syntax
 * (CSP Level 3, section 2.3.1).
 */
export function isNameableOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, origin } = new URL(value);
  return origin === value && /^https?:$/.test(protocol) && /^[a-z0-9._-]+$/.test(hostname);
}

/** Returns the distinct origins of the absolute URLs in `urls` that a Content-Security-Policy can name. */
export function nameableOrigins(urls: readonly (string | null | undefined)[]): string[] {
  const origins = urls.flatMap((url) => (url && URL.canParse(url) ? [new URL(url).origin] : []));
  return [...new Set(origins)].filter(isNameableOrigin);
}
