import { Hono } from 'hono';
import { DAY, toMillis } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { HttpEnv } from './context.ts';

/** Validity of the file; RFC 9116 recommends less than a year. */
const VALID_FOR = 180 * DAY;

/** Serves the security contacts (RFC 9116); 404 if none are configured. */
export function securityTextRoutes(options: {
  clock: Clock;
  publicUrl: string;
  /** URIs in order of preference. */
  contacts: readonly string[];
}): Hono<HttpEnv> {
  const { clock, publicUrl, contacts } = options;
  const routes = new Hono<HttpEnv>();
  if (contacts.length === 0) return routes;
  return routes.get('/.well-known/security.txt', (http) => {
    const expires = new Date(toMillis(clock.now() + VALID_FOR));
    expires.setUTCHours(0, 0, 0, 0);
    const lines = [
      ...contacts.map((contact) => `Contact: ${contact}`),
      `Expires: ${expires.toISOString()}`,
      `Canonical: ${publicUrl}/.well-known/security.txt`,
    ];
    http.header('Cache-Control', 'public, max-age=86400');
    return http.text(`${lines.join('\n')}\n`);
  });
}
