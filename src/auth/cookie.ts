import type { HttpContext } from '../http/context.ts';
import { Problem } from '../api/problem-error.ts';

/** RFC 6265bis, section 4.1.3.2: over https a browser lets nobody else set it, no neighbour under the same domain either. */
function nameOf(https: boolean): string {
  return https ? '__Host-paylatch-session' : 'paylatch-session';
}

/** What the browser of somebody who has signed in keeps. */
export function readSessionCookie({ req }: HttpContext, https: boolean): string | null {
  const wanted = nameOf(https);
  for (const pair of (req.header('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === wanted) return pair.slice(at + 1).trim();
  }
  return null;
}

/** For as long as the browser runs at least; how long it counts is the session's to say. `null` takes it away. */
export function writeSessionCookie(http: HttpContext, https: boolean, secret: string | null): void {
  const parts = [
    `${nameOf(https)}=${secret ?? ''}`,
    'Path=/',
    `Max-Age=${secret === null ? 0 : 7 * 24 * 3600}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(https ? ['Secure'] : []),
  ];
  http.header('Set-Cookie', parts.join('; '), { append: true });
}

/**
 * Lets only our own pages use the cookie to change anything: browsers say where a request comes from (Fetch
 * Metadata; older ones by `Origin`), and no page can make them say something else.
 */
export function requireOwnPage({ req }: HttpContext): void {
  const site = req.header('sec-fetch-site');
  const origin = req.header('origin');
  const isOwn =
    site === undefined
      ? origin !== undefined && URL.canParse(origin) && new URL(origin).host === req.header('host')
      : site === 'same-origin';
  if (!isOwn) throw new Problem('cross_site_request', 'What is changed with a session must come from our own pages.');
}
