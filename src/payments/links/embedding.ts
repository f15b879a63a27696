import { readPreferences } from '../../merchants/preferences/store.ts';
import { parseOriginList } from '../../merchants/preferences/values.ts';
import type { Runner } from '../../database/engine.ts';
import type { Embedding } from '../../api/page-state.ts';
import type { HttpContext } from '../../http/context.ts';
import { Problem } from '../../api/problem-error.ts';
import type { PaymentsContext } from '../context.ts';

/**
 * Whether a request is for a page that stands in a frame: the card form always, the link page when its
 * address says so. A browser that opens a window with such an address tells that (Fetch Metadata,
 * `Sec-Fetch-Dest`), and gets the page that stands alone.
 */
export function isFrameRequest(http: HttpContext): boolean {
  const { pathname, searchParams } = new URL(http.req.url);
  if (pathname.startsWith('/e/')) return true;
  const isAsked = /^\/p\/[^/]+$/.test(pathname) && Boolean(searchParams.get('origin'));
  return isAsked && http.req.header('sec-fetch-dest') !== 'document';
}

/** Who may show a merchant's payments in a frame. Without a list that is anybody in the sandbox, and nobody in production. */
export async function readEmbedding(
  context: Pick<PaymentsContext, 'database' | 'isSandbox'>,
  merchantId: number,
): Promise<Embedding> {
  const origins = await readEmbedOrigins(context.database, merchantId);
  return { origins: context.isSandbox && origins.length === 0 ? null : origins };
}

/**
 * Who may show the page in a frame, or the problem that tells the developer why this page may not.
 * What the page around the frame claims is no permission: whoever lies here is stopped by
 * `frame-ancestors` in the browser. But a browser says nothing about why it has stopped somebody.
 */
export async function requireAllowedOrigin(
  context: PaymentsContext,
  merchantId: number,
  asking: { claimed: string | undefined; referer: string | undefined },
): Promise<Embedding> {
  const embedding = await readEmbedding(context, merchantId);
  const { origins } = embedding;
  if (origins === null) return embedding;
  const origin = asking.claimed === undefined ? originOf(asking.referer) : (originOf(asking.claimed) ?? OPAQUE_ORIGIN);
  if (origins.length > 0 && (origin === null || origins.includes(origin))) return embedding;
  throw new Problem('origin_not_allowed', `${refusalDetail(origin)} (PATCH /v1/merchant/preferences).`);
}

function refusalDetail(origin: string | null): string {
  if (origin === null)
    return 'No page may embed the payments of this merchant: its origin must be added to the preference embed-origin-list';
  if (origin === OPAQUE_ORIGIN)
    return 'A page without an origin (opened from a file, or in a sandboxed frame) may not embed the payments of this merchant: serve it from an origin, and add that to the preference embed-origin-list';
  return `A page of ${origin} may not embed the payments of this merchant: add "${origin}" to the preference embed-origin-list`;
}

/** How an origin is written that is nobody's (HTML standard, section 7.1.1). */
const OPAQUE_ORIGIN = 'null';

function originOf(address: string | undefined): string | null {
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : null;
}

/** The origins that a merchant lets show its payments in a frame; none when it has said nothing. */
async function readEmbedOrigins(database: Runner, merchantId: number): Promise<readonly string[]> {
  const { 'embed-origin-list': list } = await readPreferences(database, merchantId, ['embed-origin-list']);
  return typeof list === 'string' ? (parseOriginList(list) ?? []) : [];
}
