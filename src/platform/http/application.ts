import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { matchedRoutes } from 'hono/route';
import type { ProblemDocument } from '../../contract/problem.ts';
import { describeError, type Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { Problem } from '../problem.ts';
import type { Random } from '../random.ts';
import type { ClientLocator } from './client-address.ts';
import type { HttpContext, HttpEnv } from './context.ts';
import { securityHeaders } from './headers.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * An application that does for every route what none should do for itself: a reference for each
 * request, who asks and from where, security headers, one log line without a body or an identifier
 * in it, figures, and problems as `application/problem+json`. `renderProblem` may draw a page
 * instead for whoever asked for one.
 */
export function createHttpApplication(options: {
  log: Log;
  random: Random;
  metrics: Metrics;
  clients: ClientLocator;
  https: boolean;
  renderProblem?: (context: HttpContext, document: ProblemDocument) => Response | null;
}): Hono<HttpEnv> {
  const application = new Hono<HttpEnv>();

  application.use(async (context, next) => {
    const startedMs = performance.now();
    const requestId = `req_${Buffer.from(options.random.bytes(12)).toString('base64url')}`;
    context.set('requestId', requestId);
    context.set('clientAddress', options.clients.address(context));
    context.set('clientCountry', options.clients.country(context));
    await next();
    context.res.headers.set('Request-Id', requestId);
    const durationMs = performance.now() - startedMs;
    const route = routeOf(context);
    const { method } = context.req;
    options.metrics.requests.observe({ method, route, status: context.res.status }, durationMs / 1000);
    options.log.info(
      { requestId, method, route, status: context.res.status, durationMs: Math.round(durationMs) },
      'request',
    );
  });
  application.use(securityHeaders({ https: options.https }));
  application.use(compress());

  const answerProblem = (context: HttpContext, problem: Problem): Response => {
    const document = problem.toDocument(context.get('requestId'));
    const page = options.renderProblem?.(context, document) ?? null;
    const response =
      page ?? context.json(document, problem.status as 400, { 'Content-Type': 'application/problem+json' });
    for (const [name, value] of Object.entries(problem.headers)) response.headers.set(name, value);
    return response;
  };

  application.onError((error, context) => {
    if (error instanceof Problem) return answerProblem(context, error);
    const requestId = context.get('requestId');
    options.log.error({ requestId, route: routeOf(context), error: describeError(error) }, 'request failed');
    const detail = `Something went wrong on our side. Try again, and name ${requestId} when you ask for help.`;
    return answerProblem(context, new Problem('internal_error', detail));
  });

  application.notFound((context) => {
    const allowed = METHODS.filter((method) => hasRoute(application, method, context.req.path));
    if (allowed.length === 0 || allowed.some((method) => method === context.req.method))
      return answerProblem(context, new Problem('not_found', 'There is nothing at this address.'));
    const list = allowed.join(', ');
    return answerProblem(
      context,
      new Problem('method_not_allowed', `This address takes ${list}.`, { headers: { Allow: list } }),
    );
  });
  return application;
}

function hasRoute(application: Hono<HttpEnv>, method: string, path: string): boolean {
  const [handlers] = application.router.match(method === 'HEAD' ? 'GET' : method, path);
  return handlers.some(([[, route]]) => route.method !== 'ALL');
}

/** The pattern of the route that answered, never the path itself: links are secrets. */
function routeOf(context: HttpContext): string {
  return matchedRoutes(context).findLast((route) => route.method !== 'ALL')?.path ?? 'none';
}
