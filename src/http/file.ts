import type { ServerResponse } from 'node:http';
import { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { FileResponse, FileContent } from '../api/operation.ts';
import type { HttpContext } from './context.ts';

/** A client that needs longer for one chunk is disconnected; `server.timeout` disconnects one that reads nothing. */
const STALL_LIMIT_MS = 5 * 60_000;

/**
 * Streams a file while it is generated. Chunks are generated only as the client reads them, and no more after it
 * disconnects. An error aborts the transfer, so that a partial file is not mistaken for a complete one. The first
 * chunk is generated before the headers are sent, so that an early error becomes a problem response.
 */
export async function sendFile(
  http: HttpContext,
  { mediaType, parameters }: FileResponse,
  { name, chunks }: FileContent,
  stallLimitMs = STALL_LIMIT_MS,
): Promise<Response> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  const output = streamChunks(first, iterator, http.env.outgoing, stallLimitMs);
  return http.body(NodeReadableStream.from(output) as ReadableStream<Uint8Array>, 200, {
    'Content-Type': `${mediaType}; ${parameters}`,
    'Content-Disposition': `attachment; filename="${name}"`,
  });
}

async function* streamChunks(
  first: IteratorResult<Uint8Array, unknown>,
  iterator: AsyncIterator<Uint8Array, unknown>,
  outgoing: ServerResponse,
  stallLimitMs: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let stall: NodeJS.Timeout | undefined;
  try {
    for (let chunk = first; !chunk.done; chunk = await iterator.next()) {
      stall = setTimeout(() => outgoing.destroy(), stallLimitMs).unref();
      // Continues when the client is ready for the next chunk.
      yield chunk.value;
      clearTimeout(stall);
    }
  } catch {
    // The generator has logged the error. The connection is closed without completing the response, because the file is
    // incomplete.
    outgoing.destroy();
  } finally {
    clearTimeout(stall);
    await iterator.return?.();
  }
}
