import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { HttpContext } from './context.ts';

/**
 * Responds with JSON and its length. Without the length, short responses would be compressed too, which takes longer
 * than the rest of most requests.
 */
export function sendJson(
  context: HttpContext,
  value: object,
  status: ContentfulStatusCode = 200,
  headers: Record<string, string> = {},
): Response {
  return sendJsonText(context, JSON.stringify(value), status, headers);
}

/** The same for a serialized value. */
export function sendJsonText(
  context: HttpContext,
  text: string,
  status: ContentfulStatusCode,
  headers: Record<string, string> = {},
): Response {
  const length = String(Buffer.byteLength(text));
  return context.body(text, status, { 'Content-Type': 'application/json', 'Content-Length': length, ...headers });
}
