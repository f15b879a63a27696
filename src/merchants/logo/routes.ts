import { Hono } from 'hono';
import { getLogo, removeLogo as removeLogoOperation, setLogo } from '../../api/operations/logo.ts';
import { Problem } from '../../api/problem-error.ts';
import type { Database } from '../../database/database.ts';
import type { HttpEnv } from '../../http/context.ts';
import type { ServeApi } from '../../operations/principal.ts';
import type { Clock } from '../../system/clock.ts';
import type { EncodeLogo } from './encode.ts';
import { findLogo, readLogoFile, removeLogo, storeLogo } from './store.ts';

/** A hash identifies one image, so browsers can cache it. The content security policy applies if a browser opens it as a page. */
const fileHeaders = {
  'Content-Type': 'image/png',
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
  // Emails show it in mail clients on other sites.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
} as const;

/** Routes for a merchant's uploaded logo: the operations, and the public file. */
export function logoRoutes(options: {
  database: Database;
  clock: Clock;
  publicUrl: string;
  encode: EncodeLogo;
  serve: ServeApi;
}): Hono<HttpEnv> {
  const { database, clock, publicUrl, encode, serve } = options;
  const routes = new Hono<HttpEnv>();
  const read = async (merchantId: number) => ({ logo: await findLogo(database, merchantId, publicUrl) });

  serve(routes, getLogo, async ({ caller: { merchantId } }) => await read(merchantId));

  serve(routes, setLogo, async ({ caller: { merchantId, identity: by }, body }) => {
    const image = await encode(Buffer.from(body.image, 'base64'));
    await database.inTransaction(async (unit) => await storeLogo(unit, { merchantId, image, now: clock.now(), by }));
    return await read(merchantId);
  });

  serve(routes, removeLogoOperation, async ({ caller: { merchantId } }) => {
    await database.inTransaction(async (unit) => await removeLogo(unit, merchantId));
    return await read(merchantId);
  });

  return routes.get('/logos/:file', async (http) => {
    const [, hash] = /^([0-9a-f]{64})\.png$/.exec(http.req.param('file')) ?? [];
    const content = hash === undefined ? null : await readLogoFile(database, hash);
    if (!content) throw new Problem('not_found', 'This logo is no longer in use.');
    return http.body(content, 200, fileHeaders);
  });
}
