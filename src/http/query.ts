import { z } from 'zod';
import { validationProblem } from '../api/problem-error.ts';
import type { HttpContext } from './context.ts';
import { parseWith, queryPointer, shorten } from './validation.ts';

/** The schema of an address that takes no query parameter. */
export const noParameters = z.strictObject({});

/** A request's query parameters through `schema`; a parameter given twice is refused, an empty one counts as not given. */
export function readQuery<Schema extends z.ZodType>(context: HttpContext, schema: Schema): z.output<Schema> {
  return readParameters(context, schema, () => true);
}

/** The same for a page: what mail programs and trackers add to its address is nobody's mistake, and left alone. */
export function readPageQuery<Schema extends z.ZodObject>(context: HttpContext, schema: Schema): z.output<Schema> {
  return readParameters(context, schema, (name) => Object.hasOwn(schema.shape, name));
}

function readParameters<Schema extends z.ZodType>(
  context: HttpContext,
  schema: Schema,
  isRead: (name: string) => boolean,
): z.output<Schema> {
  const parameters = new Map<string, string>();
  const { url } = context.req;
  for (const [name, value] of new URLSearchParams(url.includes('?') ? new URL(url).search : '')) {
    if (!isRead(name)) continue;
    if (parameters.has(name)) {
      throw validationProblem([{ pointer: `?${shorten(name)}`, code: 'repeated', detail: 'is given more than once' }]);
    }
    parameters.set(name, value);
  }
  const given = [...parameters].filter(([, value]) => value !== '');
  return parseWith(schema, Object.fromEntries(given), queryPointer);
}
