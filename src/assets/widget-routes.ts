import { Hono } from 'hono';
import Negotiator from 'negotiator';
import type { HttpContext, HttpEnv } from '../http/context.ts';
import { Problem } from '../api/problem-error.ts';
import { etagOf, type Release, type ReleasedFile } from './release.ts';

/** Version alias that always serves the current release. */
const CURRENT = 'v1';

const caching = {
  current: 'public, max-age=300, stale-while-revalidate=86400',
  pinned: 'public, max-age=31536000, immutable',
};

/** In order of preference. */
const encodings = ['br', 'gzip', 'identity'];

/** Serves the scripts for merchants' pages, and their integrity list. */
export function widgetRoutes(options: { release: Release; publicUrl: string; sandbox: boolean }): Hono<HttpEnv> {
  const { release } = options;
  const integrity = JSON.stringify(release.integrity(options), null, 2);
  const files = new Map([
    ...release.files,
    [
      'integrity.json',
      {
        contentType: 'application/json',
        etag: etagOf(integrity),
        encodings: new Map([['identity', new TextEncoder().encode(integrity)]]),
      },
    ],
  ]);

  return new Hono<HttpEnv>().get('/widget/:version/:name', (http) => {
    const { version, name } = http.req.param();
    const file = files.get(name);
    if (!file || (version !== CURRENT && version !== release.version)) {
      throw new Problem('not_found', `This file does not exist. The current release is /widget/${release.version}/.`);
    }
    http.header('Cache-Control', version === CURRENT ? caching.current : caching.pinned);
    return sendReleasedFile(http, file);
  });
}

/** Any page may load these files: they contain no personal data. */
function sendReleasedFile(http: HttpContext, file: ReleasedFile): Response {
  const encoding = chooseEncoding(http.req.header('accept-encoding'), file);
  const etag = `"${file.etag}-${encoding}"`;
  http.header('Access-Control-Allow-Origin', '*');
  http.header('Cross-Origin-Resource-Policy', 'cross-origin');
  http.header('ETag', etag);
  http.header('Vary', 'Accept-Encoding');
  if (matchesEtag(http.req.header('if-none-match'), etag)) return http.body(null, 304);
  http.header('Content-Type', file.contentType);
  if (encoding !== 'identity') http.header('Content-Encoding', encoding);
  return http.body(encodedContent(file, encoding));
}

function chooseEncoding(accepted: string | undefined, { encodings: built }: ReleasedFile): string {
  const acceptedEncodings = new Negotiator({ headers: { 'accept-encoding': accepted ?? '' } }).encodings(encodings);
  // The smallest encoding that the client accepts.
  return encodings.find((encoding) => acceptedEncodings.includes(encoding) && built.has(encoding)) ?? 'identity';
}

function encodedContent({ encodings: built }: ReleasedFile, encoding: string) {
  const content = built.get(encoding);
  if (!content) throw new Error(`A released file has no ${encoding} encoding`);
  return content;
}

/** Weak comparison (RFC 9110, section 13.1.2): proxies that compress weaken the validator. */
function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  const etags = (ifNoneMatch ?? '').split(',').map((entry) => entry.trim().replace(/^W\//, ''));
  return etags.includes(etag) || etags.includes('*');
}
