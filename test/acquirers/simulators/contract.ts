import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';

/** One operation of a vendor's API: its requests and responses. */
export interface Operation {
  /** Short name, by which tests script the next call. */
  name: string;
  method: 'GET' | 'POST';
  /** Path after the API's base address: `/payments/{payment_id}`. */
  path: string;
  headers: z.ZodType;
  query: z.ZodType;
  /** Schema of the body; `noBody` for an operation without one. */
  body: z.ZodType;
  /** Schemas of the responses by status. */
  responses: Readonly<Record<number, z.ZodType>>;
  /** The vendor's API, when it is not the main one. Recorded requests name it. */
  api?: string;
}

/** The parts of an operation that most operations share. */
export function operation<Body extends z.ZodType = z.ZodUndefined, Query extends z.ZodType = z.ZodObject>(
  declared: Pick<Operation, 'name' | 'method' | 'path' | 'headers' | 'responses' | 'api'> & {
    body?: Body;
    query?: Query;
  },
) {
  return {
    ...declared,
    body: declared.body ?? (noBody as unknown as Body),
    query: declared.query ?? (noQuery as unknown as Query),
  };
}

const noBody = z.undefined();
const noQuery = z.strictObject({});

/** A request that the contract accepts. */
export interface Call<Served extends Operation = Operation> {
  operation: Served;
  /** Values of the path's placeholders. */
  path: Readonly<Record<string, string>>;
  query: z.output<Served['query']>;
  body: z.output<Served['body']>;
  headers: IncomingHttpHeaders;
}

/** Text of a length. */
export function text(max: number, min = 1) {
  return z.string().min(min).max(max);
}

/** HTTPS, or HTTP to this machine, as the tests of pages use it. */
export const webAddress = z.url({ protocol: /^https?$/ }).refine(
  (address) => {
    const { protocol, hostname } = new URL(address);
    return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  },
  { error: 'must use https' },
);

export const alpha2 = z.string().regex(/^[A-Z]{2}$/);
export const alpha3 = z.string().regex(/^[A-Z]{3}$/);
export const instant = z.iso.datetime({ offset: true });
export const ipAddress = z.union([z.ipv4(), z.ipv6()]);
export const cardNumber = z.string().regex(/^\d{12,19}$/);
export const month = z.string().regex(/^(?:0[1-9]|1[0-2])$/);
export const securityCode = z.string().regex(/^\d{3,4}$/);

/** Headers of a request with a JSON body, and more. HTTP clients add their own. */
export function headers(more: z.ZodRawShape, { hasBody = true } = {}) {
  const type = z.string().regex(/^application\/json(?:;.*)?$/);
  return z.looseObject(hasBody ? { 'content-type': type, ...more } : more);
}

/** The reasons that a value does not follow a schema; empty if it does. */
export function mismatches(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).flatMap((issue) => describe(issue, issue.path));
}

/** Of a union, the reasons of the member that fits best. */
function describe(issue: z.core.$ZodIssue, path: readonly PropertyKey[]): string[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0)
    return [`/${path.map(String).join('/')} ${issue.message}`];
  const members = issue.errors.toSorted((a, b) => a.length - b.length);
  return (members[0] ?? []).flatMap((inner) => describe(inner, [...path, ...inner.path]));
}
