import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from './context.ts';

/** For answers that no browser has to render: nothing may be loaded, framed or sniffed. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Whether a policy lets anybody show the answer in a frame; one that does not mention it does not. */
function allowsFraming(policy: string): boolean {
  return /(?:^|;)\s*frame-ancestors\s+(?!'none')/.test(policy);
}

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
    // It knows no list of origins, so that it can only say what frame-ancestors says when that is nobody.
    if (!allowsFraming(headers.get('Content-Security-Policy') ?? '')) preset('X-Frame-Options', 'DENY');
    preset('Cross-Origin-Opener-Policy', 'same-origin');
    preset('Cross-Origin-Resource-Policy', 'same-origin');
    preset('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(self), usb=()');
    if (options.https) preset('Strict-Transport-Security', 'max-age=63072000; includeSubDomains');
  };
}
