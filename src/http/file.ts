import type { ServerResponse } from 'node:http';
import { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { FileAnswer, FileContent } from '../api/operation.ts';
import type { HttpContext } from './context.ts';

/** A reader who takes nothing for so long is let go: slow is fine, gone is not. */
const STALL_LIMIT_MS = 5 * 60_000;

/**
 * Answers with a file while it is made: nothing is made that is not taken, nothing more once the reader
 * has gone, and what goes wrong in the middle breaks the transfer off, so that nobody takes the beginning
 * of a file for all of it. The first piece is made before the head is sent, so that what fails at once is
 * answered as a problem.
 */
export async function answerFile(
  http: HttpContext,
  { mediaType, parameters }: FileAnswer,
  { name, chunks }: FileContent,
  stallLimitMs = STALL_LIMIT_MS,
): Promise<Response> {
  const pieces = chunks[Symbol.asyncIterator]();
  const first = await pieces.next();
  const taken = handOut(first, pieces, http.env.outgoing, stallLimitMs);
  return http.body(NodeReadableStream.from(taken) as ReadableStream<Uint8Array>, 200, {
    'Content-Type': `${mediaType}; ${parameters}`,
    'Content-Disposition': `attachment; filename="${name}"`,
  });
}

async function* handOut(
  first: IteratorResult<Uint8Array, unknown>,
  pieces: AsyncIterator<Uint8Array, unknown>,
  outgoing: ServerResponse,
  stallLimitMs: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let stall: NodeJS.Timeout | undefined;
  try {
    for (let piece = first; !piece.done; piece = await pieces.next()) {
      stall = setTimeout(() => outgoing.destroy(), stallLimitMs).unref();
      // Goes on when the next piece is wanted.
      yield piece.value;
      clearTimeout(stall);
    }
  } catch {
    // Whoever made it has told of it; the server would only tell again. No end is sent: it is not whole.
    outgoing.destroy();
  } finally {
    clearTimeout(stall);
    await pieces.return?.();
  }
}
