import type { MiddlewareHandler } from 'hono';
import { COMPRESSIBLE_CONTENT_TYPE_REGEX, compress } from 'hono/compress';
import type { HttpEnv } from './context.ts';

/** Compresses text for whoever takes it so, and tells caches that the answer depends on that (RFC 9110, section 12.5.5). */
export function compression(): MiddlewareHandler<HttpEnv>[] {
  return [compress(), varyByEncoding];
}

/**
 * Says it on the headers as they stand. Left to `compress`, it makes another response of every answer, with a
 * stream for a body, which takes longer than the rest of a short answer.
 */
const varyByEncoding: MiddlewareHandler<HttpEnv> = async (context, next) => {
  await next();
  const { headers } = context.res;
  if (headers.has('Content-Encoding') || !COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers.get('Content-Type') ?? ''))
    return;
  const vary = headers.get('Vary');
  if (!/(?:^|,)\s*(?:accept-encoding|\*)\s*(?:,|$)/i.test(vary ?? '')) headers.append('Vary', 'Accept-Encoding');
};
