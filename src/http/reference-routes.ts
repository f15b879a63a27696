import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { type Context, Hono } from 'hono';
import Negotiator from 'negotiator';
import { describeApi } from '../api/openapi.ts';
import { operations } from '../api/operations.ts';
import { Problem } from '../api/problem-error.ts';
import type { HttpEnv } from './context.ts';
import { sendJson } from './json.ts';
import { noParameters, readPageQuery, readQuery } from './query.ts';

/** Renders the OpenAPI document as pages with their content security policy. */
export type RenderReference = (
  document: Record<string, unknown>,
  isSandbox: boolean,
) => {
  /** HTML of `/reference/NAME`, '' for the start page; null if there is no such page. */
  renderPage: (name: string) => string | null;
  searchEntries: () => unknown;
  contentSecurityPolicy: string;
};

interface ReferenceFile {
  type: string;
  etag: string;
  encodings: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;
}

const START_PAGE = '';
/** Former names of pages, for bookmarks and links. Browsers keep the anchor. */
const formerPages: ReadonlyMap<string, string> = new Map([
  ['callbacks', 'webhooks'],
  ['webhook-delivery', 'webhooks'],
  ['people', 'team'],
]);
/** In order of preference. */
const encodings = ['br', 'gzip', 'identity'];

/** Serves the OpenAPI document and the pages of the API reference. */
export function referenceRoutes(options: {
  version: string;
  publicUrl: string;
  isSandbox: boolean;
  render: RenderReference;
}): Hono<HttpEnv> {
  // Created on first use, which keeps startup fast.
  let cachedDocument: Record<string, unknown> | undefined;
  const document = () => (cachedDocument ??= describeApi({ operations, ...options }));
  let cachedReference: ReturnType<RenderReference> | undefined;
  const reference = () => (cachedReference ??= options.render(document(), options.isSandbox));
  /** Only names of existing pages, so that other paths use no memory. */
  const files = new Map<string, Promise<ReferenceFile>>();

  async function sendFile(http: Context<HttpEnv>, name: string, create: () => { type: string; text: string }) {
    readPageQuery(http, noParameters);
    let pending = files.get(name);
    if (!pending) {
      pending = compressFile(create());
      files.set(name, pending);
    }
    const file = await pending;
    const negotiator = new Negotiator({ headers: { 'accept-encoding': http.req.header('accept-encoding') ?? '' } });
    const encoding = encodings.find((each) => negotiator.encodings(encodings).includes(each)) ?? 'identity';
    const etag = `"${file.etag}-${encoding}"`;
    http.header('Cache-Control', 'public, max-age=300');
    http.header('ETag', etag);
    http.header('Vary', 'Accept-Encoding');
    http.header('Content-Security-Policy', reference().contentSecurityPolicy);
    if (http.req.header('if-none-match') === etag) return http.body(null, 304);
    http.header('Content-Type', `${file.type}; charset=utf-8`);
    if (encoding !== 'identity') http.header('Content-Encoding', encoding);
    return http.body(file.encodings[encoding] ?? '');
  }
  const sendPage = async (http: Context<HttpEnv>, name: string) =>
    await sendFile(http, name, () => {
      const text = reference().renderPage(name);
      if (text === null) throw new Problem('not_found', 'The API reference has no such page.');
      return { type: 'text/html', text };
    });

  return new Hono<HttpEnv>()
    .get('/openapi.json', (http) => {
      readQuery(http, noParameters);
      http.header('Access-Control-Allow-Origin', '*');
      http.header('Cache-Control', 'public, max-age=300');
      return sendJson(http, document());
    })
    .get('/reference', async (http) => await sendPage(http, START_PAGE))
    .get(
      '/reference/search.json',
      async (http) =>
        await sendFile(http, 'search.json', () => ({
          type: 'application/json',
          text: JSON.stringify(reference().searchEntries()),
        })),
    )
    .get('/reference/:page{[\\w-]+}', async (http) => {
      const name = http.req.param('page');
      const present = formerPages.get(name);
      return present === undefined ? await sendPage(http, name) : http.redirect(`/reference/${present}`, 301);
    });
}

async function compressFile({ type, text }: { type: string; text: string }): Promise<ReferenceFile> {
  // Compressed once, off the main thread.
  const [br, gz] = await Promise.all([promisify(brotliCompress)(text), promisify(gzip)(text)]);
  return {
    type,
    etag: createHash('sha256').update(text).digest('base64url').slice(0, 27),
    encodings: { identity: text, br: new Uint8Array(br), gzip: new Uint8Array(gz) },
  };
}
