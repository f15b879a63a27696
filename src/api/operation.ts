import type { z } from 'zod';
import type { TokenScope } from '../shared/scopes.ts';
import type { ProblemCode } from './problem.ts';

/** The parts that the reference is divided into. */
export const operationGroups = {
  payments: 'Payments',
  invoices: 'Crypto invoices',
  withdrawals: 'Withdrawals',
  methods: 'Payment methods',
  events: 'Events',
  statistics: 'Statistics',
  callbacks: 'Callbacks',
  preferences: 'Preferences',
  people: 'People',
  merchants: 'Merchants',
  tokens: 'Access tokens',
} as const;

/** One thing that the merchant's API does: what is served, documented, tested and called by the client comes from here. */
export interface Operation {
  /** Its name in the document and in the client. */
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  group: keyof typeof operationGroups;
  /** One line: what it does. */
  summary: string;
  /** What else whoever calls it should know, in Markdown. */
  description?: string;
  /** What the access token must hold. */
  scope: TokenScope;
  /** Whether the token must be a manager's. */
  managerOnly?: boolean;
  /** Whether it is about the whole service, and not about the merchant of whoever calls. */
  isOfService?: boolean;
  query?: z.ZodType;
  /** The JSON body; a function where what is right depends on the moment (milliseconds since the epoch). */
  body?: z.ZodType | ((nowMs: number) => z.ZodType);
  /** Fields of the body of which not even a keyed hash is kept. */
  unkept?: readonly string[];
  /** Fields of the answer that are not stored: a repeated request gets new ones. */
  unkeptAnswer?: readonly string[];
  /** The body of the answer 200: JSON, or a file of another media type. */
  answer: z.ZodType | FileAnswer;
  /** Whether the answer holds a secret, of which no copy is kept: such a request has no `Idempotency-Key`. */
  isSecret?: boolean;
  /** What can go wrong beside what can with every operation. */
  problems: readonly ProblemCode[];
  /** Calls that work, in the order in which they do. */
  examples: readonly OperationExample[];
}

/** An answer that is no JSON: a file, sent while it is made. */
export interface FileAnswer {
  /** Without parameters, as the document names it. */
  mediaType: string;
  /** Of the media type, such as `charset=utf-8`. */
  parameters: string;
  /** The file as one string. */
  text: z.ZodType<string>;
}

/** A file as the handler gives it; what it throws on the way, having told of it, breaks the transfer off. */
export interface FileContent {
  /** What whoever saves it may call it: ASCII letters, digits, `.` and `-`. */
  name: string;
  chunks: AsyncIterable<Uint8Array>;
}

export function isFileAnswer(answer: Operation['answer']): answer is FileAnswer {
  return 'mediaType' in answer;
}

export interface OperationExample {
  summary: string;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  /** Who calls: a merchant's token unless it says otherwise. */
  role?: 'manager';
  answer: unknown;
}

/** What can go wrong with every operation. */
export const commonProblems = [
  'unauthorized',
  'forbidden',
  'validation_failed',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const satisfies readonly ProblemCode[];

/** What can go wrong with every operation that takes a body. */
export const bodyProblems = [
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
] as const satisfies readonly ProblemCode[];

/** What can go wrong with every operation that takes an `Idempotency-Key`. */
export const repeatProblems = [
  'malformed_request',
  'idempotency_key_in_use',
  'idempotency_key_reused',
] as const satisfies readonly ProblemCode[];

/** Whether an operation takes an `Idempotency-Key`: the others can be repeated as they are. */
export function takesIdempotencyKey({ method, isSecret }: Operation): boolean {
  return method === 'POST' && !isSecret;
}

/** Keeps the exact type of an operation. */
export function operation<const Described extends Operation>(described: Described): Described {
  return described;
}

/** A query as the handler gets it. */
export type QueryOf<Described extends Operation> = Described extends { query: z.ZodType }
  ? z.output<Described['query']>
  : undefined;
/** A body as the handler gets it. */
export type BodyOf<Described extends Operation> = Described extends { body: z.ZodType }
  ? z.output<Described['body']>
  : Described extends { body: (nowMs: number) => z.ZodType }
    ? z.output<ReturnType<Described['body']>>
    : undefined;
/** An answer as the handler gives it. */
export type AnswerOf<Described extends Operation> = Described extends { answer: z.ZodType }
  ? z.input<Described['answer']>
  : FileContent;
