import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { Hono } from 'hono';
import Negotiator from 'negotiator';
import { describeApi } from '../api/openapi.ts';
import { operations } from '../api/operations.ts';
import type { HttpEnv } from './context.ts';
import { noParameters, readPageQuery, readQuery } from './query.ts';

/** Renders the OpenAPI document as a page with its content security policy. */
export type RenderReference = (document: Record<string, unknown>) => { html: string; contentSecurityPolicy: string };

interface ReferencePage {
  etag: string;
  contentSecurityPolicy: string;
  encodings: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;
}

/** In order of preference. */
const encodings = ['br', 'gzip', 'identity'];

/** Serves the OpenAPI document and the API reference page. */
export function referenceRoutes(options: {
  version: string;
  publicUrl: string;
  render: RenderReference;
}): Hono<HttpEnv> {
  // Created on first use, which keeps startup fast.
  let cachedDocument: Record<string, unknown> | undefined;
  const document = () => (cachedDocument ??= describeApi({ operations, ...options }));
  let renderedPage: Promise<ReferencePage> | undefined;

  return new Hono<HttpEnv>()
    .get('/openapi.json', (http) => {
      readQuery(http, noParameters);
      http.header('Access-Control-Allow-Origin', '*');
      http.header('Cache-Control', 'public, max-age=300');
      return http.json(document());
    })
    .get('/reference', async (http) => {
      readPageQuery(http, noParameters);
      renderedPage ??= renderPage(options.render, document());
      const page = await renderedPage;
      const negotiator = new Negotiator({ headers: { 'accept-encoding': http.req.header('accept-encoding') ?? '' } });
      const encoding = encodings.find((each) => negotiator.encodings(encodings).includes(each)) ?? 'identity';
      const etag = `"${page.etag}-${encoding}"`;
      http.header('Cache-Control', 'public, max-age=300');
      http.header('ETag', etag);
      http.header('Vary', 'Accept-Encoding');
      http.header('Content-Security-Policy', page.contentSecurityPolicy);
      if (http.req.header('if-none-match') === etag) return http.body(null, 304);
      http.header('Content-Type', 'text/html; charset=utf-8');
      if (encoding !== 'identity') http.header('Content-Encoding', encoding);
      return http.body(page.encodings[encoding] ?? '');
    });
}

async function renderPage(render: RenderReference, document: Record<string, unknown>): Promise<ReferencePage> {
  const { html, contentSecurityPolicy } = render(document);
  // Compressed once, off the main thread.
  const [br, gz] = await Promise.all([promisify(brotliCompress)(html), promisify(gzip)(html)]);
  return {
    etag: createHash('sha256').update(html).digest('base64url').slice(0, 27),
    contentSecurityPolicy,
    encodings: { identity: html, br: new Uint8Array(br), gzip: new Uint8Array(gz) },
  };
}
