import type { z } from 'zod';
import { Problem } from '../api/problem-error.ts';
import type { HttpContext } from './context.ts';
import { noParameters, readQuery } from './query.ts';
import { parseWith } from './validation.ts';

/** The largest body that any request may have. */
export const MAX_BODY_BYTES = 64 * 1024;

/** The JSON value of a request's body, or the problem that says why it cannot be read. */
async function readJson(context: HttpContext): Promise<unknown> {
  const type = context.req.header('content-type') ?? '';
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new Problem(
      'unsupported_media_type',
      'Send the body as JSON, with the header "Content-Type: application/json".',
    );
  }
  const text = await readText(context);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's own message repeats a part of the body, which may hold a card number.
    throw new Problem('malformed_json', 'The body is not valid JSON.');
  }
}

/** A request's JSON body through `schema`; the address takes no query parameter. */
export async function readBody<Schema extends z.ZodType>(
  context: HttpContext,
  schema: Schema,
): Promise<z.output<Schema>> {
  readQuery(context, noParameters);
  return parseWith(schema, await readJson(context));
}

/** The fields of a posted HTML form. */
export async function readForm(context: HttpContext): Promise<URLSearchParams> {
  return new URLSearchParams(await readText(context));
}

async function readText(context: HttpContext): Promise<string> {
  const announced = Number(context.req.header('content-length') ?? 0);
  if (announced > MAX_BODY_BYTES) throw bodyTooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection's own stream: one of the web's in between takes three times as long as all the rest. It is
  // not destroyed with the loop, so that the answer can still be sent.
  const body: AsyncIterable<Buffer> = context.env.incoming.iterator({ destroyOnReturn: false });
  try {
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > MAX_BODY_BYTES) break;
      chunks.push(chunk);
    }
  } catch {
    // Nobody is there any more to read the answer: it stands in the log, as what the sender did.
    throw new Problem('malformed_request', 'The connection ended before the body did.');
  }
  if (size > MAX_BODY_BYTES) throw bodyTooLarge();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Problem('malformed_json', 'The body is not valid UTF-8.');
  }
}

function bodyTooLarge(): Problem {
  // What is still on its way is not read, so the connection cannot serve another request.
  return new Problem('body_too_large', `The body may have at most ${MAX_BODY_BYTES} bytes.`, {
    headers: { Connection: 'close' },
  });
}
