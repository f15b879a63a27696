import { z } from 'zod';
import { validationProblem } from '../api/problem-error.ts';
import type { HttpContext } from './context.ts';
import { parseWith, queryPointer, sanitizeName } from './validation.ts';

/** The schema of a URL without query parameters. */
export const noParameters = z.strictObject({});

/**
 * Parses a request's query parameters. A repeated parameter is an error; an empty one counts as absent if it is known.
 * Parameters such as `metadata[order]` are collected in one object; an empty one is an error, because without it the
 * filter would match more. The values of a list are separated by commas.
 */
export function readQuery<Schema extends z.ZodType>(context: HttpContext, schema: Schema): z.output<Schema> {
  return readParameters(context, schema, () => true);
}

/** Like `readQuery`, for pages: ignores unknown parameters, which email clients and trackers add. */
export function readPageQuery<Schema extends z.ZodObject>(context: HttpContext, schema: Schema): z.output<Schema> {
  return readParameters(context, schema, (name) => Object.hasOwn(schema.shape, name));
}

function readParameters<Schema extends z.ZodType>(
  context: HttpContext,
  schema: Schema,
  isKnown: (name: string) => boolean,
): z.output<Schema> {
  const parameters = new Map<string, string>();
  const { url } = context.req;
  for (const [name, value] of new URLSearchParams(url.includes('?') ? new URL(url).search : '')) {
    if (!isKnown(name)) continue;
    if (parameters.has(name)) {
      throw validationProblem([
        { pointer: `?${sanitizeName(name)}`, code: 'repeated', detail: 'must be sent only once' },
      ]);
    }
    parameters.set(name, value);
  }
  const input = new Map<string, unknown>();
  const pairs: [string, string][] = [];
  for (const [name, value] of parameters) {
    const key = /^metadata\[([^\]]*)\]$/.exec(name)?.[1];
    if (key !== undefined) pairs.push([key, value]);
    else if (value !== '' || !fieldOf(schema, name)) input.set(name, isList(schema, name) ? value.split(',') : value);
  }
  if (pairs.length > 0 && !input.has('metadata')) input.set('metadata', Object.fromEntries(pairs));
  return parseWith(schema, Object.fromEntries(input), queryPointer);
}

function fieldOf(schema: z.ZodType, name: string): unknown {
  return schema instanceof z.ZodObject && Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
}

function isList(schema: z.ZodType, name: string): boolean {
  const field = fieldOf(schema, name);
  return (field instanceof z.ZodOptional ? field.unwrap() : field) instanceof z.ZodArray;
}
