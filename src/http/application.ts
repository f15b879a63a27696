/*
 * Map of this module: `server.ts` listens, and `application.ts` adds the middleware of every route.
 * `client-address.ts` and `geo.ts` locate the client. `body.ts`, `query.ts` and `validation.ts` parse requests.
 * `rate-limits.ts` enforces limits, and `outbound.ts` sends requests to merchants' URLs. `live-updates.ts` and
 * `event-stream.ts` update open pages. Reasons: docs/decisions/rate-limits.md and live-updates.md.
 */

import { COMPRESSIBLE_CONTENT_TYPE_REGEX, compress } from 'hono/compress';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ProblemDocument } from '../api/problem.ts';
import { isConnectionError, isDeadlock } from '../database/errors.ts';
import { describeError, type Log } from '../system/log.ts';
import { formatId } from '../system/cell.ts';
import type { Metrics } from '../system/metrics.ts';
import { Problem } from '../api/problem-error.ts';
import type { Random } from '../system/random.ts';
import type { ClientLocator } from './client-address.ts';
import type { HttpContext, HttpEnv } from './context.ts';
import { securityHeaders } from './headers.ts';
import { sendJson } from './json.ts';
import type { IncomingTraces } from '../system/tracing-settings.ts';
import { errorType, type NewSpan, noTracer, type Span, type Tracer } from '../system/tracing.ts';

/** Compresses text for clients that accept it, and sets `Vary` for caches (RFC 9110, section 12.5.5). */
function compression(): MiddlewareHandler<HttpEnv>[] {
  return [compress(), varyByEncoding];
}

/**
 * Sets `Vary` on the existing headers. `compress` would copy every response with a stream as its body, which takes
 * longer than the rest of a short response.
 */
const varyByEncoding: MiddlewareHandler<HttpEnv> = async (context, next) => {
  await next();
  const { headers } = context.res;
  if (headers.has('Content-Encoding') || !COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers.get('Content-Type') ?? ''))
    return;
  const vary = headers.get('Vary');
  if (!/(?:^|,)\s*(?:accept-encoding|\*)\s*(?:,|$)/i.test(vary ?? '')) headers.append('Vary', 'Accept-Encoding');
};

/** `Retry-After` while the database is unavailable. */
const DATABASE_RETRY_SECONDS = 2;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A request's identifier, for finding its log lines. */
export function createRequestId(random: Random): string {
  return `req_${Buffer.from(random.bytes(12)).toString('base64url')}`;
}

/** Requests from probes and Prometheus, which would outnumber all others. */
const UNTRACED_PATHS: readonly string[] = ['/healthz', '/readyz', '/metrics'];

/**
 * Creates the application with the middleware of every route: request ID, client location, security headers,
 * metrics, and one log line without bodies or identifiers. Errors become `application/problem+json`;
 * `renderProblem` may return an HTML page for browsers instead.
 */
export function createHttpApplication(options: {
  log: Log;
  random: Random;
  metrics: Metrics;
  clients: ClientLocator;
  https: boolean;
  tracer?: Tracer;
  /** Handling of the `traceparent` request header. */
  incomingTraces?: IncomingTraces;
  renderProblem?: (context: HttpContext, document: ProblemDocument) => Response | null;
}): Hono<HttpEnv> {
  const { tracer = noTracer, incomingTraces = 'ignore' } = options;
  const application = new Hono<HttpEnv>();

  // Outermost, so that a streamed response has the same headers as any other.
  application.use(async (context, next) => {
    await next();
    const streamTo = context.get('streamTo');
    if (!streamTo) return;
    const { outgoing } = context.env;
    const { status, headers } = context.res;
    // Cleared first: otherwise Hono copies the headers into the marker, and the server sends it as a response.
    context.res = undefined;
    context.res = RESPONSE_ALREADY_SENT;
    // Flushed: Node.js keeps the headers while a stream is open, as one string instead of 60 parts if sent alone.
    if (!outgoing.destroyed) outgoing.writeHead(status, Object.fromEntries(headers)).flushHeaders();
    streamTo(outgoing);
  });
  const traceRequest = async (context: HttpContext, next: () => Promise<void>): Promise<void> => {
    const { method, path } = context.req;
    if (tracer === noTracer || UNTRACED_PATHS.includes(path)) return await next();
    const route = routeOf(context);
    const received = context.req.header('traceparent') ?? null;
    const span: NewSpan = {
      ...{ name: `${method} ${route}`, kind: 'server', parent: incomingTraces === 'parent' ? received : null },
      ...(incomingTraces === 'link' && { link: received }),
      attributes: {
        ...{ 'http.request.method': method, 'http.route': route, 'paylatch.request.id': context.get('requestId') },
      },
    };
    await tracer.trace(span, async (current) => {
      await next();
      reportResponse(context, current);
    });
  };
  application.use(async (context, next) => {
    const startedMs = performance.now();
    const requestId = createRequestId(options.random);
    context.set('requestId', requestId);
    context.set('client', options.clients(context));
    await traceRequest(context, next);
    context.res.headers.set('Request-Id', requestId);
    const durationMs = performance.now() - startedMs;
    const route = routeOf(context);
    const { method } = context.req;
    options.metrics.requests.observe({ method, route, status: context.res.status }, durationMs / 1000);
    const caller = context.get('caller');
    options.log.info(
      {
        requestId,
        method,
        route,
        status: context.res.status,
        durationMs: Math.round(durationMs),
        ...(caller && { merchant: caller.merchantId, caller: describeCaller(caller.identity) }),
      },
      'request',
    );
  });
  application.use(securityHeaders({ https: options.https }));
  for (const part of compression()) application.use(part);

  const problemResponse = (context: HttpContext, problem: Problem): Response => {
    const document = problem.toDocument(context.get('requestId'));
    // A middleware may replace a response; Hono keeps the headers of the first one.
    if (context.finalized) context.res.headers.delete('Content-Length');
    const page = options.renderProblem?.(context, document) ?? null;
    const response =
      page ?? sendJson(context, document, problem.status as 400, { 'Content-Type': 'application/problem+json' });
    for (const [name, value] of Object.entries(problem.headers)) response.headers.set(name, value);
    return response;
  };

  application.onError((error, context) => {
    if (error instanceof Problem) return problemResponse(context, error);
    const requestId = context.get('requestId');
    options.log.error({ requestId, route: routeOf(context), error: describeError(error) }, 'request failed');
    if (isConnectionError(error) || isDeadlock(error)) {
      const headers = { 'Retry-After': String(DATABASE_RETRY_SECONDS) };
      return problemResponse(
        context,
        new Problem('unavailable', 'The database does not respond. Try again.', { headers }),
      );
    }
    const detail = `An internal error occurred. Try again. If it persists, contact support with the request ID ${requestId}.`;
    return problemResponse(context, new Problem('internal_error', detail));
  });

  application.notFound((context) => {
    const allowed = METHODS.filter((method) => hasRoute(application, method, context.req.path));
    if (allowed.length === 0 || allowed.some((method) => method === context.req.method))
      return problemResponse(context, new Problem('not_found', 'No resource exists at this URL. Check the URL.'));
    const list = allowed.join(', ');
    return problemResponse(
      context,
      new Problem('method_not_allowed', `This URL accepts only ${list}.`, { headers: { Allow: list } }),
    );
  });
  return application;
}

function hasRoute(application: Hono<HttpEnv>, method: string, path: string): boolean {
  const [handlers] = application.router.match(method === 'HEAD' ? 'GET' : method, path);
  return handlers.some(([[, route]]) => route.method !== 'ALL');
}

function reportResponse(context: HttpContext, span: Span): void {
  const { status } = context.res;
  const caller = context.get('caller');
  span.set({ 'http.response.status_code': status, ...(caller && { 'paylatch.merchant.id': caller.merchantId }) });
  if (status >= 500) span.fail(context.error ? errorType(context.error) : String(status));
}

/** `token 12`, and in a cell `token aa-12`. */
function describeCaller(identity: string): string {
  return identity.replace(/\d+$/, (id) => String(formatId(Number(id))));
}

/** The pattern of the matched route, never the path itself: links are secret. */
function routeOf(context: HttpContext): string {
  return matchedRoutes(context).findLast((route) => route.method !== 'ALL')?.path ?? 'none';
}
