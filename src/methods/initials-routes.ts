import { Hono } from 'hono';
import { z } from 'zod';
import type { HttpContext, HttpEnv } from '../http/context.ts';
import { initialsMark } from './initials.ts';

/** Longer names have no mark. */
const markName = z
  .string()
  .regex(/^.{1,100}\.svg$/u)
  .transform((file) => file.slice(0, -'.svg'.length));

const letterIndex = z
  .string()
  .regex(/^\d{1,2}$/)
  .transform(Number);

/**
 * Serves the marks of brands and banks without a logo: `/methods/initials/NAME.svg`, and with the index of the second
 * letter `/methods/initials/INDEX/NAME.svg`.
 */
export function initialsRoutes(): Hono<HttpEnv> {
  const respond = (http: HttpContext) => {
    const name = markName.safeParse(http.req.param('file'));
    const second = letterIndex.safeParse(http.req.param('second') ?? '0');
    if (!name.success || !second.success) return http.notFound();
    http.header('Cache-Control', 'public, max-age=86400');
    return http.body(initialsMark(name.data, second.data), 200, { 'Content-Type': 'image/svg+xml; charset=utf-8' });
  };
  return new Hono<HttpEnv>().get('/methods/initials/:file', respond).get('/methods/initials/:second/:file', respond);
}
