import { readPreferences } from '../../merchants/preferences/store.ts';
import { parseOriginList } from '../../merchants/preferences/values.ts';
import type { Runner } from '../../database/engine.ts';
import type { Embedding } from '../../api/page-state.ts';
import type { HttpContext } from '../../http/context.ts';
import { Problem } from '../../api/problem-error.ts';
import type { PaymentsContext } from '../context.ts';

/**
 * True if a request is for an embedded page: always for the card form, and for the link page with `?origin=`. When
 * the browser opens that URL in a window (Fetch Metadata, `Sec-Fetch-Dest: document`), it gets the standalone page.
 */
export function isFrameRequest(http: HttpContext): boolean {
  const { pathname, searchParams } = new URL(http.req.url);
  if (pathname.startsWith('/e/')) return true;
  const isEmbeddedLink = /^\/p\/[^/]+$/.test(pathname) && Boolean(searchParams.get('origin'));
  return isEmbeddedLink && http.req.header('sec-fetch-dest') !== 'document';
}

/**
 * Reads the origins that may embed a merchant's payments. Without a list: any origin in the sandbox, none in
 * production.
 */
export async function readEmbedding(
  context: Pick<PaymentsContext, 'database' | 'isSandbox'>,
  merchantId: number,
): Promise<Embedding> {
  const origins = await readEmbedOrigins(context.database, merchantId);
  return { origins: context.isSandbox && origins.length === 0 ? null : origins };
}

/**
 * Returns the origins that may embed the page; throws a `Problem` that explains to the developer why this origin may
 * not. The claimed origin grants nothing: the browser enforces `frame-ancestors`. Browsers do not report the reason, so
 * the problem does.
 */
export async function requireAllowedOrigin(
  context: PaymentsContext,
  merchantId: number,
  request: { claimedOrigin: string | undefined; referer: string | undefined },
): Promise<Embedding> {
  const embedding = await readEmbedding(context, merchantId);
  const { origins } = embedding;
  if (origins === null) return embedding;
  const origin =
    request.claimedOrigin === undefined
      ? originOf(request.referer)
      : (originOf(request.claimedOrigin) ?? OPAQUE_ORIGIN);
  if (origins.length > 0 && (origin === null || origins.includes(origin))) return embedding;
  throw new Problem('origin_not_allowed', `${originProblemDetail(origin)} (PATCH /v1/merchant/preferences).`);
}

function originProblemDetail(origin: string | null): string {
  if (origin === null)
    return 'This page is not allowed to embed this merchant’s payments. Add its origin to the preference embed-origin-list';
  if (origin === OPAQUE_ORIGIN)
    return 'A page without an origin (opened from a file, or in a sandboxed frame) is not allowed to embed this merchant’s payments. Serve it from an origin, and add that origin to the preference embed-origin-list';
  return `Pages of ${origin} are not allowed to embed this merchant’s payments. Add "${origin}" to the preference embed-origin-list`;
}

/** Serialization of an opaque origin (HTML standard, section 7.1.1). */
const OPAQUE_ORIGIN = 'null';

function originOf(address: string | undefined): string | null {
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : null;
}

/** Reads a merchant's preference `embed-origin-list`; empty without one. */
async function readEmbedOrigins(database: Runner, merchantId: number): Promise<readonly string[]> {
  const { 'embed-origin-list': list } = await readPreferences(database, merchantId, ['embed-origin-list']);
  return typeof list === 'string' ? (parseOriginList(list) ?? []) : [];
}
