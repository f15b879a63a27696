import { Hono } from 'hono';
import { DAY, toMillis } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { HttpEnv } from './context.ts';

/** How long a reader may rely on it; RFC 9116 advises less than a year. */
const VALID_FOR = 180 * DAY;

/** Whom to tell of a weakness (RFC 9116); there is nothing at the address where the operator names nobody. */
export function securityTextRoutes(options: {
  clock: Clock;
  publicUrl: string;
  /** URIs, the preferred first. */
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
