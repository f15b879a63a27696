import type { HttpContext } from '../http/context.ts';
import { Problem } from '../api/problem-error.ts';

/** RFC 6265bis, section 4.1.3.2: with `__Host-`, other hosts of the same domain cannot set the cookie. */
function cookieName(https: boolean): string {
  return https ? '__Host-paylatch-session' : 'paylatch-session';
}

/** Reads the session cookie. */
export function readSessionCookie({ req }: HttpContext, https: boolean): string | null {
  const name = cookieName(https);
  for (const pair of (req.header('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}

/** Sets the session cookie; the session itself determines its validity. `null` deletes it. */
export function writeSessionCookie(http: HttpContext, https: boolean, secret: string | null): void {
  const parts = [
    `${cookieName(https)}=${secret ?? ''}`,
    'Path=/',
    `Max-Age=${secret === null ? 0 : 7 * 24 * 3600}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(https ? ['Secure'] : []),
  ];
  http.header('Set-Cookie', parts.join('; '), { append: true });
}

/**
 * CSRF protection: only our own pages may use the cookie for changes. Browsers send the request's origin (Fetch
 * Metadata; older ones `Origin`), which pages cannot forge.
 */
export function requireSameOrigin({ req }: HttpContext): void {
  const site = req.header('sec-fetch-site');
  const origin = req.header('origin');
  const isSameOrigin =
    site === undefined
      ? origin !== undefined && URL.canParse(origin) && new URL(origin).host === req.header('host')
      : site === 'same-origin';
  if (!isSameOrigin)
    throw new Problem(
      'cross_site_request',
      'Requests with a session cookie that change data must come from our own pages.',
    );
}
