/*
 * Map of this module: `operations/` declares every operation with its schemas and examples, and `operations.ts` lists
 * them. The other files contain the schemas by object, `problem.ts` the error codes, `webhook-events.ts` the event
 * types, and `statuses.ts` the statuses. `openapi.ts` generates the OpenAPI document. Reasons:
 * docs/decisions/operations.md.
 */

import type { z } from 'zod';
import type { TokenScope } from '../shared/scopes.ts';
import type { ProblemCode } from './problem.ts';

/** Groups of the API reference. */
export const operationGroups = {
  payments: 'Payments',
  reusableLinks: 'Reusable links',
  invoices: 'Crypto invoices',
  withdrawals: 'Withdrawals',
  methods: 'Payment methods',
  events: 'Events',
  statistics: 'Statistics',
  rates: 'Exchange rates',
  callbacks: 'Webhooks',
  preferences: 'Preferences',
  people: 'Team',
  merchants: 'Merchants',
  tokens: 'Access tokens',
  acquirers: 'Acquirers',
} as const;

/** An operation of the API. Routes, documentation, tests and the client derive from it. */
export interface Operation {
  /** Operation ID in OpenAPI, and method name in the client. */
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  group: keyof typeof operationGroups;
  /** Short imperative title. */
  summary: string;
  /** Details for callers, in Markdown. */
  description?: string;
  /** Scope that the caller needs. */
  scope: TokenScope;
  /** True if only managers can call it. */
  managerOnly?: boolean;
  /** True if it concerns the whole service rather than the caller's merchant. */
  isServiceWide?: boolean;
  /** True if a signed-in user must have confirmed their identity recently (step-up). */
  needsStepUp?: boolean;
  /** Audited for access tokens too, although its scope is not administrative. */
  isAudited?: boolean;
  query?: z.ZodType;
  /**
   * Schema of the JSON body. A function if validity depends on the current time (milliseconds since the epoch), or on
   * the caller: a payment page may send less than a merchant's server.
   */
  body?: z.ZodType | ((nowMs: number, caller?: { isOnPage: boolean }) => z.ZodType);
  /** Maximum size of the body, if it differs from that of other operations (64 KiB). */
  maxBodyBytes?: number;
  /** Paths of fields in the parsed body that are excluded even from the stored keyed hash, such as `card.cvv`. */
  unhashedFields?: readonly string[];
  /** Paths of card numbers, of which only the first six and last four digits are hashed. */
  truncatedFields?: readonly string[];
  /** Response fields that are not stored: a replayed response gets new ones. */
  unstoredResponseFields?: readonly string[];
  /** Body of the 200 response: JSON, or a file of another media type. */
  response: z.ZodType | FileResponse;
  /** True if the response contains a secret. It is never stored, so the request accepts no `Idempotency-Key`. */
  isSecret?: boolean;
  /** Problem codes in addition to those of every operation. */
  problems: readonly ProblemCode[];
  /** Valid requests with their responses, in execution order. */
  examples: readonly OperationExample[];
}

/** A non-JSON response: a file, streamed. */
export interface FileResponse {
  /** Media type without parameters. */
  mediaType: string;
  /** Parameters of the media type, such as `charset=utf-8`. */
  parameters: string;
  /** The file as one string. */
  text: z.ZodType<string>;
}

/** A file from a handler. An error while streaming is logged by the handler and aborts the transfer. */
export interface FileContent {
  /** Suggested file name: ASCII letters, digits, `.` and `-`. */
  name: string;
  chunks: AsyncIterable<Uint8Array>;
}

export function isFileResponse(response: Operation['response']): response is FileResponse {
  return 'mediaType' in response;
}

export interface OperationExample {
  summary: string;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  /** Caller; a merchant's token by default. */
  role?: 'manager';
  response: unknown;
}

/** Problem codes that every operation can return. */
export const commonProblems = [
  'unauthorized',
  'forbidden',
  'validation_failed',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const satisfies readonly ProblemCode[];

/** Problem codes of every operation with a body. */
export const bodyProblems = [
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
] as const satisfies readonly ProblemCode[];

/** Problem codes of every operation that accepts an `Idempotency-Key`. */
export const idempotencyProblems = [
  'malformed_request',
  'idempotency_key_in_use',
  'idempotency_key_reused',
] as const satisfies readonly ProblemCode[];

/** True if an operation accepts an `Idempotency-Key`; all others are safe to repeat. */
export function acceptsIdempotencyKey({ method, isSecret }: Operation): boolean {
  return method === 'POST' && !isSecret;
}

/** Declares an operation and keeps its exact type. */
export function operation<const Definition extends Operation>(definition: Definition): Definition {
  return definition;
}

/** Parsed query of an operation. */
export type QueryOf<Definition extends Operation> = Definition extends { query: z.ZodType }
  ? z.output<Definition['query']>
  : undefined;
/** Parsed body of an operation. */
export type BodyOf<Definition extends Operation> = Definition extends { body: z.ZodType }
  ? z.output<Definition['body']>
  : Definition extends { body: (nowMs: number, caller?: { isOnPage: boolean }) => z.ZodType }
    ? z.output<ReturnType<Definition['body']>>
    : undefined;
/** Response of an operation's handler. */
export type ResponseOf<Definition extends Operation> = Definition extends { response: z.ZodType }
  ? z.input<Definition['response']>
  : FileContent;
