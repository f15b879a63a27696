import { Hono } from 'hono';
import { z } from 'zod';
import type { HttpEnv } from '../http/context.ts';
import { initialsMark } from './initials.ts';

/** Longer names have no mark. */
const markName = z
  .string()
  .regex(/^.{1,100}\.svg$/u)
  .transform((file) => file.slice(0, -'.svg'.length));

/** Serves the marks of brands and banks without a logo: `/methods/initials/NAME.svg`. */
export function initialsRoutes(): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/methods/initials/:file', (http) => {
    const name = markName.safeParse(http.req.param('file'));
    if (!name.success) return http.notFound();
    http.header('Cache-Control', 'public, max-age=86400');
    return http.body(initialsMark(name.data), 200, { 'Content-Type': 'image/svg+xml; charset=utf-8' });
  });
}
