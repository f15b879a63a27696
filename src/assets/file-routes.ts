import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import type { HttpEnv } from '../http/context.ts';

/** Serves built scripts and styles, images, and license notices. */
export function fileRoutes({ folder, sandbox }: { folder: string; sandbox: boolean }): Hono<HttpEnv> {
  // Names of built files contain a hash of their content.
  const built = serveStatic({ root: folder, precompressed: true, onFound: cacheFor(31_536_000, ', immutable') });
  const compressed = serveStatic({ root: folder, precompressed: true, onFound: cacheFor(86_400) });
  const plain = serveStatic({ root: folder, onFound: cacheFor(86_400) });
  const routes = new Hono<HttpEnv>()
    .get('/assets/*', built)
    .get('/licenses.txt', compressed)
    .get('/icon.svg', compressed)
    .get('/methods/:file', plain)
    .get('/brands/*', plain);
  return sandbox ? routes.get('/sandbox/assets/*', built) : routes;
}

function cacheFor(seconds: number, suffix = '') {
  return (_path: string, context: { header(name: string, value: string): void }): void =>
    context.header('Cache-Control', `public, max-age=${seconds}${suffix}`);
}
