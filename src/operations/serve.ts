import type { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { z } from 'zod';
import {
  type AnswerOf,
  type BodyOf,
  isFileAnswer,
  type Operation,
  type QueryOf,
  takesIdempotencyKey,
} from '../api/operation.ts';
import { toMillis } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import { Problem } from '../api/problem-error.ts';
import { readBody } from '../http/body.ts';
import type { HttpContext, HttpEnv } from '../http/context.ts';
import { answerFile } from '../http/file.ts';
import { type IdempotencyStore, inUse, type KeptAnswer, readIdempotencyKey, type RequestName } from './idempotency.ts';
import { noParameters, readQuery } from '../http/query.ts';

/** The caller of an operation. */
export interface ApiCaller {
  merchantId: number;
  /** The access token, the signed-in user, or the page of a transaction. */
  identity: string;
  /** The rate-limit key, if several identities share a limit. */
  limitedAs?: string;
  /** Set if the caller is a user. */
  personId?: number;
}

/** The audit log: writes an entry before the operation and completes it with the outcome. */
export interface Trail {
  begin(call: {
    http: HttpContext;
    caller: ApiCaller;
    described: Operation;
    body: unknown;
  }): Promise<{ done(answer: unknown): Promise<void>; failed(error: unknown): Promise<void> }>;
}

/** Scopes whose operations are audited for access tokens too. Payments by tokens are in the event log. */
const administrativeScopes: readonly string[] = [
  ...['preference:write', 'callback:manage', 'token:manage', 'team:manage', 'withdrawal:write'],
];

/** Stores the response in the unit of work that it reports, so that a repeated request gets the same response. */
export type KeepAnswer<Answer> = (unit: UnitOfWork, answer: Answer) => Promise<void>;

/** A call for its handler: the authenticated caller and the parsed request. */
export interface Call<Described extends Operation, Caller> {
  http: HttpContext;
  caller: Caller;
  query: QueryOf<Described>;
  body: BodyOf<Described>;
  keepAnswer: KeepAnswer<AnswerOf<Described>>;
  /** A keyed hash of caller, operation and `Idempotency-Key`, to resume an interrupted request; null without a key. */
  requestName: string | null;
}

/** Authenticates and authorizes the caller of an operation; throws a problem otherwise. */
export type Identify<Caller> = (
  http: HttpContext,
  described: Pick<Operation, 'scope' | 'method' | 'isOfService'>,
) => Promise<Caller>;

/**
 * Recreates the response fields that are not stored (`unkeptAnswer`) when a response is replayed. Receives the
 * stored fields.
 */
export type Reissue = (caller: ApiCaller, kept: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>;

/** Serves an operation with `handle`; `identify` replaces the default authentication. */
export interface ServeOperation<Caller> {
  <Described extends Operation>(
    routes: Hono<HttpEnv>,
    described: Described,
    handle: (call: Call<Described, Caller>) => Promise<AnswerOf<Described>>,
    options?: { reissue: Reissue },
  ): void;
  <Described extends Operation, Other extends ApiCaller>(
    routes: Hono<HttpEnv>,
    described: Described,
    handle: (call: Call<Described, Other>) => Promise<AnswerOf<Described>>,
    options: { identify: Identify<Other> },
  ): void;
}

/**
 * Serves operations by their description: authenticate, authorize, parse, check for a stored response, audit,
 * handle. No handler can skip a step, and every served operation is described.
 */
export function createServeOperation<Caller extends ApiCaller>(options: {
  database: Database;
  clock: Clock;
  identify: Identify<Caller>;
  idempotency: IdempotencyStore;
  trail?: Trail;
}): ServeOperation<Caller> {
  const { database, idempotency } = options;

  /** Handles a request once per idempotency key; repeats get the stored response. */
  const doOnce = async (
    name: RequestName,
    { body: request, described, requestId }: { body: unknown; described: Operation; requestId: string },
    handle: (keep: KeepAnswer<unknown>) => Promise<unknown>,
  ): Promise<{ answer: unknown } | { kept: KeptAnswer }> => {
    const begun = await idempotency.begin(name, without(request, described.unkept));
    if ('kept' in begun) return begun;
    const { held } = begun;
    const done = (answer: unknown): KeptAnswer => ({
      status: 200,
      body: JSON.stringify(without(answer, described.unkeptAnswer)),
    });
    let isKept = false;
    const keep: KeepAnswer<unknown> = async (unit, answer) => {
      // Another process has taken over the request, so this unit of work must roll back.
      if (!(await idempotency.keep(unit, held, done(answer)))) throw inUse();
      unit.afterCommit(() => {
        isKept = true;
      });
    };
    try {
      const answer = await handle(keep);
      // The handler made its changes idempotent itself, so a process that took over has the same response.
      if (!isKept) await database.inTransaction(async (unit) => await idempotency.keep(unit, held, done(answer)));
      return { answer };
    } catch (error) {
      // A retryable error is not stored: the request had no effect and can be sent again.
      if (!(error instanceof Problem) || error.status >= 500 || error.isRetryable) await idempotency.release(held);
      else {
        const body = JSON.stringify(error.toDocument(requestId));
        await database.inTransaction(async (unit) => await idempotency.keep(unit, held, { status: error.status, body }));
      }
      throw error;
    }
  };

  /** Audits changes and exports by users, and administrative changes by access tokens. */
  const onTrail = async <Answer>(
    { http, caller, body }: { http: HttpContext; caller: Caller; body: unknown },
    described: Operation,
    act: () => Promise<Answer>,
  ): Promise<Answer> => {
    const isRecorded = caller.personId !== undefined || administrativeScopes.includes(described.scope);
    if (!options.trail || !isRecorded) return await act();
    // Some reads use POST, because their parameters are too long for a URL.
    const isReading = described.method === 'GET' || described.scope.endsWith(':read');
    if (isReading && !isFileAnswer(described.answer)) return await act();
    const entry = await options.trail.begin({ http, caller, described, body });
    try {
      const answer = await act();
      await entry.done(answer);
      return answer;
    } catch (error) {
      await entry.failed(error);
      throw error;
    }
  };

  return <Described extends Operation>(
    routes: Hono<HttpEnv>,
    described: Described,
    handle: (call: Call<Described, Caller>) => Promise<AnswerOf<Described>>,
    { identify = options.identify, reissue }: { identify?: Identify<Caller>; reissue?: Reissue } = {},
  ): void => {
    const { method, path } = described;
    const bodySchema = (): z.ZodType | undefined =>
      typeof described.body === 'function' ? described.body(toMillis(options.clock.now())) : described.body;
    routes.on(method, path, async (http) => {
      const caller = await identify(http, described);
      http.set('caller', caller);
      const schema = bodySchema();
      const query = schema ? undefined : readQuery(http, described.query ?? noParameters);
      const body = schema ? await readBody(http, schema) : undefined;
      const sent = takesIdempotencyKey(described) ? readIdempotencyKey(http.req.header('idempotency-key')) : null;
      const { merchantId, identity } = caller;
      const operation = `${method} ${path}`;
      const requestName = sent === null ? null : idempotency.hashKey({ identity, operation, key: sent });
      const run = async (keepAnswer: KeepAnswer<never>) => {
        const call = { http, caller, query, body, keepAnswer, requestName } as Call<Described, Caller>;
        return await onTrail(call, described, async () => await handle(call));
      };
      if (requestName === null) {
        const answer = await run(() => Promise.resolve());
        if (!isFileAnswer(described.answer)) return http.json(answer);
        return await answerFile(http, described.answer, answer);
      }
      const name = { merchantId, identity, operation, key: requestName };
      const done = await doOnce(name, { body, described, requestId: http.get('requestId') }, run);
      if ('answer' in done) return http.json(done.answer as object);
      const { status } = done.kept;
      const kept = done.kept.body;
      const replayed =
        status === 200 && reissue ? await withReissued(kept, async (of) => await reissue(caller, of)) : kept;
      return http.body(replayed, status as ContentfulStatusCode, {
        'Content-Type': status === 200 ? 'application/json' : 'application/problem+json',
        'Idempotency-Replayed': 'true',
      });
    });
  };
}

async function withReissued(
  kept: string,
  reissue: (answer: Record<string, unknown>) => Promise<Record<string, unknown>>,
): Promise<string> {
  const answer = JSON.parse(kept) as Record<string, unknown>;
  return JSON.stringify({ ...answer, ...(await reissue(answer)) });
}

function without(value: unknown, fields: readonly string[] = []): unknown {
  if (fields.length === 0 || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !fields.includes(name)));
}
