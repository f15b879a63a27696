import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from './context.ts';

/** For answers that no browser has to render: nothing may be loaded, framed or sniffed. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * For answers that only send elsewhere. Whoever may show a frame is for what stands at the end to say: a
 * browser that is stopped on its way there (Firefox, when the frame is taken away) judges by this answer.
 */
const redirectPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'";

/** Whether a policy lets anybody show the answer in a frame; one that does not mention it does not. */
function allowsFraming(policy: string): boolean {
  return /(?:^|;)\s*frame-ancestors\s+(?!'none')/.test(policy);
}

/** What every answer has unless it has its own. */
function usualHeaders(options: { https: boolean }): Readonly<Record<string, string>> {
  return {
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(self), usb=()',
    ...(options.https && { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' }),
  };
}

/** The same for an answer that comes from no route. */
export function refusalHeaders(options: { https: boolean }): Readonly<Record<string, string>> {
  return { ...usualHeaders(options), 'Content-Security-Policy': apiPolicy, 'X-Frame-Options': 'DENY' };
}

/**
 * Security headers on every answer. A page that needs a policy of its own sets it before; nothing
 * here is cached unless the handler says so.
 */
export function securityHeaders(options: { https: boolean }): MiddlewareHandler<HttpEnv> {
  const usual = Object.entries(usualHeaders(options));
  return async (context, next) => {
    await next();
    const { headers } = context.res;
    const isRedirect = context.res.status >= 300 && headers.has('Location');
    const preset = (name: string, value: string) => {
      if (!headers.has(name)) headers.set(name, value);
    };
    preset('Content-Security-Policy', isRedirect ? redirectPolicy : apiPolicy);
    // It knows no list of origins, so that it can only say what frame-ancestors says when that is nobody.
    if (!isRedirect && !allowsFraming(headers.get('Content-Security-Policy') ?? '')) preset('X-Frame-Options', 'DENY');
    for (const [name, value] of usual) preset(name, value);
  };
}
