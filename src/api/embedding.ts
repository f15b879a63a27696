import { z } from 'zod';

/** Scheme, a host name of at most 253 characters, a port. */
const MAX_ORIGIN_LENGTH = 300;

/** Query of a page that stands in a frame of a merchant's page. */
export const framedPageQuery = z.object({
  /** The origin that the page around the frame says to have; a claim, good for telling early what a browser would refuse. */
  origin: z.string().max(MAX_ORIGIN_LENGTH).optional(),
  /** BCP 47; in place of what the browser asks for. */
  locale: z.string().max(64).optional(),
});

/**
 * Whether `value` is an origin that a Content-Security-Policy can name. URLs allow more characters in
 * a host than a policy does: `;` would begin another directive, `*` would let others in, and there is
 * no place for an IPv6 address (CSP Level 3, section 2.3.1).
 */
export function isNameableOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, origin } = new URL(value);
  return origin === value && /^https?:$/.test(protocol) && /^[a-z0-9._-]+$/.test(hostname);
}
