import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from './context.ts';

/** For responses that browsers do not render: nothing may be loaded or framed. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * For redirects. They leave `frame-ancestors` to the final response: a browser interrupted on the way (Firefox,
 * when the frame is removed) applies the redirect's policy.
 */
const redirectPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'";

/** True if a policy allows framing. A policy without `frame-ancestors` does not. */
function allowsFraming(policy: string): boolean {
  return /(?:^|;)\s*frame-ancestors\s+(?!'none')/.test(policy);
}

/** Headers of every response that does not set its own. */
function defaultHeaders(options: { https: boolean }): Readonly<Record<string, string>> {
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

/** Headers of a response that does not come from a route. */
export function errorHeaders(options: { https: boolean }): Readonly<Record<string, string>> {
  return { ...defaultHeaders(options), 'Content-Security-Policy': apiPolicy, 'X-Frame-Options': 'DENY' };
}

/**
 * Sets security headers on every response. A page with its own policy sets it first. Nothing is cached unless the
 * handler allows it.
 */
export function securityHeaders(options: { https: boolean }): MiddlewareHandler<HttpEnv> {
  const defaults = Object.entries(defaultHeaders(options));
  return async (context, next) => {
    await next();
    const { headers } = context.res;
    const isRedirect = context.res.status >= 300 && headers.has('Location');
    const setDefault = (name: string, value: string) => {
      if (!headers.has(name)) headers.set(name, value);
    };
    setDefault('Content-Security-Policy', isRedirect ? redirectPolicy : apiPolicy);
    // X-Frame-Options has no list of origins, so it can only repeat a frame-ancestors of 'none'.
    if (!isRedirect && !allowsFraming(headers.get('Content-Security-Policy') ?? ''))
      setDefault('X-Frame-Options', 'DENY');
    for (const [name, value] of defaults) setDefault(name, value);
  };
}
