import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from './context.ts';

/** For answers that no browser has to render: nothing may be loaded, framed or sniffed. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * Security headers on every answer. A page that needs a policy of its own sets it before; nothing
 * here is cached unless the handler says so.
 */
export function securityHeaders(options: { https: boolean }): MiddlewareHandler<HttpEnv> {
  return async (context, next) => {
    await next();
    const { headers } = context.res;
    const preset = (name: string, value: string) => {
      if (!headers.has(name)) headers.set(name, value);
    };
    preset('Content-Security-Policy', apiPolicy);
    preset('Cache-Control', 'no-store');
    preset('Referrer-Policy', 'no-referrer');
    preset('X-Content-Type-Options', 'nosniff');
    preset('X-Frame-Options', 'DENY');
    preset('Cross-Origin-Opener-Policy', 'same-origin');
    preset('Cross-Origin-Resource-Policy', 'same-origin');
    preset('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(self), usb=()');
    if (options.https) preset('Strict-Transport-Security', 'max-age=63072000; includeSubDomains');
  };
}
