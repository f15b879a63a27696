/*
 * Map of this module: `serve.ts` runs the pipeline of every operation: authenticate (`identify`, from
 * `auth/authentication.ts`), parse, replay a stored response (`idempotency.ts`), audit, handle. `principal.ts` is the authenticated caller. Reasons: docs/decisions/operations.md
 * and idempotency.md.
 */

import type { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { z } from 'zod';
import {
  type ResponseOf,
  type BodyOf,
  isFileResponse,
  type Operation,
  type QueryOf,
  acceptsIdempotencyKey,
} from '../api/operation.ts';
import { isAdministrative, type TokenRole } from '../shared/scopes.ts';
import { type Instant, SECOND, toMillis } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import { Problem } from '../api/problem-error.ts';
import { readBody } from '../http/body.ts';
import type { HttpContext, HttpEnv } from '../http/context.ts';
import { sendFile } from '../http/file.ts';
import { sendJson, sendJsonText } from '../http/json.ts';
import {
  type IdempotencyStore,
  keyInUse,
  type StoredResponse,
  readIdempotencyKey,
  type RequestKey,
} from './idempotency.ts';
import { noParameters, readQuery } from '../http/query.ts';

/** The caller of an operation. */
export interface ApiCaller {
  merchantId: number;
  /** The access token, the signed-in user, or the page of a transaction. */
  identity: string;
  /** The rate-limit key, if several identities share a limit. */
  rateLimitKey?: string;
  /** Set if the caller is a user. */
  userId?: number;
  /** Not set for a payment page. */
  role?: TokenRole;
  /** True if the caller is a payment page, with the token of its transaction. */
  isOnPage?: boolean;
}

/** The audit log: writes an entry before the operation and completes it with the outcome. */
export interface AuditLog {
  begin(call: {
    http: HttpContext;
    caller: ApiCaller;
    operation: Operation;
    body: unknown;
  }): Promise<{ succeed(response: unknown): Promise<void>; fail(error: unknown): Promise<void> }>;
}

/** Stores the response in the unit of work whose result it reports, so that a repeated request gets the same response. */
export type StoreResponse<Body> = (unit: UnitOfWork, response: Body) => Promise<void>;

/** A call as its handler receives it: the authenticated caller and the parsed request. */
interface Call<Definition extends Operation, Caller> {
  http: HttpContext;
  caller: Caller;
  query: QueryOf<Definition>;
  body: BodyOf<Definition>;
  storeResponse: StoreResponse<ResponseOf<Definition>>;
  /** A keyed hash of caller, operation and `Idempotency-Key`, to resume an interrupted request; null without a key. */
  requestKey: string | null;
}

/** Authenticates and authorizes the caller of an operation; throws a problem otherwise. */
export type Identify<Caller> = (
  http: HttpContext,
  operation: Pick<Operation, 'scope' | 'method' | 'isServiceWide' | 'needsStepUp'>,
) => Promise<Caller>;

/**
 * Recreates the response fields that are not stored (`unstoredResponseFields`) when a response is replayed. Receives the
 * stored fields.
 */
type RecreateFields = (
  caller: ApiCaller,
  stored: Readonly<Record<string, unknown>>,
) => Promise<Record<string, unknown>>;

/** The caller of a body that takes longer is identified again: access may have ended before the last byte arrived. */
const MAX_PROMPT_BODY: Instant = SECOND;

/** Serves an operation with `handle`; `identify` replaces the default authentication. */
export interface ServeOperation<Caller> {
  <Definition extends Operation>(
    routes: Hono<HttpEnv>,
    operation: Definition,
    handle: (call: Call<Definition, Caller>) => Promise<ResponseOf<Definition>>,
    options?: { recreateFields: RecreateFields },
  ): void;
  <Definition extends Operation, Other extends ApiCaller>(
    routes: Hono<HttpEnv>,
    operation: Definition,
    handle: (call: Call<Definition, Other>) => Promise<ResponseOf<Definition>>,
    options: { identify: Identify<Other> },
  ): void;
}

/**
 * Serves operations from their definitions: authenticate, authorize, parse, check for a stored response, audit, handle.
 * No handler can skip a step, and every served operation has a definition.
 */
export function createServeOperation<Caller extends ApiCaller>(options: {
  database: Database;
  clock: Clock;
  identify: Identify<Caller>;
  idempotency: IdempotencyStore;
  auditLog?: AuditLog;
}): ServeOperation<Caller> {
  const { database, idempotency } = options;

  /** Handles a request once per idempotency key; repeats get the stored response. */
  const withIdempotency = async (
    key: RequestKey,
    { body: request, operation, requestId }: { body: unknown; operation: Operation; requestId: string },
    handle: (store: StoreResponse<unknown>) => Promise<unknown>,
  ): Promise<{ response: unknown } | { stored: StoredResponse }> => {
    const full = omitFields(request, operation.unhashedFields);
    const hashed = changeFields(full, operation.truncatedFields, truncateNumber);
    // Releases up to 0.2 stored the digest of the full request, for a day.
    const started = await idempotency.begin(key, hashed, operation.truncatedFields && full);
    if ('stored' in started) return started;
    const { locked } = started;
    const toStored = (response: unknown): StoredResponse => ({
      status: 200,
      body: JSON.stringify(omitFields(response, operation.unstoredResponseFields)),
    });
    let isStored = false;
    const store: StoreResponse<unknown> = async (unit, response) => {
      // Another process has taken over the request, so this unit of work must roll back.
      if (!(await idempotency.storeResponse(unit, locked, toStored(response)))) throw keyInUse();
      unit.afterCommit(() => {
        isStored = true;
      });
    };
    try {
      const response = await handle(store);
      // The handler made its changes idempotent itself, so a process that took over has the same response.
      if (!isStored)
        await database.inTransaction(async (unit) => await idempotency.storeResponse(unit, locked, toStored(response)));
      return { response };
    } catch (error) {
      // A retryable error is not stored: the request had no effect and can be sent again. Nor is a 401: access may
      // have ended during the request.
      if (!(error instanceof Problem) || error.status >= 500 || error.status === 401 || error.isRetryable)
        await idempotency.release(locked);
      else {
        const body = JSON.stringify(error.toDocument(requestId));
        await database.inTransaction(
          async (unit) => await idempotency.storeResponse(unit, locked, { status: error.status, body }),
        );
      }
      throw error;
    }
  };

  /** Audits changes and exports by users, and administrative changes by access tokens. */
  const withAudit = async <Body>(
    { http, caller, body }: { http: HttpContext; caller: Caller; body: unknown },
    operation: Operation,
    run: () => Promise<Body>,
  ): Promise<Body> => {
    const isRecorded = caller.userId !== undefined || operation.isAudited || isAdministrative(operation.scope);
    if (!options.auditLog || !isRecorded) return await run();
    // Some reads use POST, because their parameters are too long for a URL.
    const isReadOnly = operation.method === 'GET' || operation.scope.endsWith(':read');
    if (isReadOnly && !isFileResponse(operation.response)) return await run();
    const entry = await options.auditLog.begin({ http, caller, operation, body });
    try {
      const response = await run();
      await entry.succeed(response);
      return response;
    } catch (error) {
      await entry.fail(error);
      throw error;
    }
  };

  return <Definition extends Operation>(
    routes: Hono<HttpEnv>,
    operation: Definition,
    handle: (call: Call<Definition, Caller>) => Promise<ResponseOf<Definition>>,
    {
      identify = options.identify,
      recreateFields,
    }: { identify?: Identify<Caller>; recreateFields?: RecreateFields } = {},
  ): void => {
    const { method, path } = operation;
    const bodySchema = (caller: Caller): z.ZodType | undefined =>
      typeof operation.body === 'function'
        ? operation.body(toMillis(options.clock.now()), { isOnPage: caller.isOnPage ?? false })
        : operation.body;
    routes.on(method, path, async (http) => {
      const sender = await identify(http, operation);
      http.set('caller', sender);
      const schema = bodySchema(sender);
      const query = schema ? undefined : readQuery(http, operation.query ?? noParameters);
      const startedAt = options.clock.now();
      const body = schema ? await readBody(http, schema, operation.maxBodyBytes) : undefined;
      const isPrompt = options.clock.now() - startedAt <= MAX_PROMPT_BODY;
      const caller = isPrompt ? sender : await identify(http, operation);
      // A payment page needs no key: its payment is charged once. Its anonymous buyer could store any number of them.
      const acceptsKey = acceptsIdempotencyKey(operation) && !caller.isOnPage;
      const sent = acceptsKey ? readIdempotencyKey(http.req.header('idempotency-key')) : null;
      const { merchantId, identity } = caller;
      const name = `${method} ${path}`;
      const requestKey = sent === null ? null : idempotency.hashKey({ identity, operation: name, key: sent });
      const run = async (storeResponse: StoreResponse<never>) => {
        const call = { http, caller, query, body, storeResponse, requestKey } as Call<Definition, Caller>;
        return await withAudit(call, operation, async () => {
          if (operation.managerOnly && caller.role !== 'manager')
            throw new Problem('manager_only', 'Only a manager of the service can do this.');
          return await handle(call);
        });
      };
      if (requestKey === null) {
        const response = await run(() => Promise.resolve());
        if (!isFileResponse(operation.response)) return sendJson(http, response);
        return await sendFile(http, operation.response, response);
      }
      const request = { merchantId, identity, operation: name, key: requestKey };
      const result = await withIdempotency(request, { body, operation, requestId: http.get('requestId') }, run);
      if ('response' in result) return sendJson(http, result.response as object);
      const { status } = result.stored;
      const stored = result.stored.body;
      const replayed =
        status === 200 && recreateFields
          ? await withRecreatedFields(stored, async (fields) => await recreateFields(caller, fields))
          : stored;
      return sendJsonText(http, replayed, status as ContentfulStatusCode, {
        'Content-Type': status === 200 ? 'application/json' : 'application/problem+json',
        'Idempotency-Replayed': 'true',
      });
    });
  };
}

async function withRecreatedFields(
  stored: string,
  recreateFields: (response: Record<string, unknown>) => Promise<Record<string, unknown>>,
): Promise<string> {
  const response = JSON.parse(stored) as Record<string, unknown>;
  return JSON.stringify({ ...response, ...(await recreateFields(response)) });
}

/** Copies an object without the fields at `paths`. */
function omitFields(value: unknown, paths?: readonly string[]): unknown {
  return changeFields(value, paths, () => undefined);
}

/** Copies an object with changed fields at `paths`; an undefined one is omitted. */
function changeFields(value: unknown, paths: readonly string[] = [], change: (field: unknown) => unknown): unknown {
  if (paths.length === 0 || typeof value !== 'object' || value === null) return value;
  const pathsBelow = (name: string) =>
    paths.flatMap((path) => (path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : []));
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, each]) => [name, paths.includes(name) ? change(each) : changeFields(each, pathsBelow(name), change)])
      .filter(([, each]) => each !== undefined),
  );
}

/** The digits of a card number that are stored (PCI DSS 3.5.1). */
function truncateNumber(number: unknown): unknown {
  return typeof number === 'string' ? `${number.slice(0, 6)}${number.slice(-4)}` : number;
}
