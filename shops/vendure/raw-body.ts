import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request with its unparsed body, which the signature covers. */
export interface RawRequest extends IncomingMessage {
  rawBody?: Buffer;
}

/** Larger than any webhook. */
const MAX_BYTES = 1024 * 1024;

/** Middleware that stores the raw body before Vendure parses it. */
export function readRawBody(request: RawRequest, response: ServerResponse, next: (error?: unknown) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    // The rest of a rejected body: the response may wait for earlier ones of the same connection.
    if (size > MAX_BYTES) return;
    size += chunk.length;
    if (size <= MAX_BYTES) chunks.push(chunk);
    else response.writeHead(413, { connection: 'close' }).end(() => request.destroy());
  });
  request.on('error', next);
  request.on('end', () => {
    if (size > MAX_BYTES) return;
    request.rawBody = Buffer.concat(chunks);
    next();
  });
}
