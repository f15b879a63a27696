import type { ProblemDocument } from './api/problem.ts';
import type { HttpContext } from './http/context.ts';
import type { PageLanguage, RenderedPage } from './http/rendered-page.ts';
import { isFrameRequest } from './payments/links/embedding.ts';

export interface ProblemPages {
  /** A problem as a page, for browser navigation. */
  renderProblemPage: (
    problem: ProblemDocument,
    options: { acceptLanguage: string | undefined; canReload: boolean },
  ) => RenderedPage;
  /** A problem in place of an embedded page. Shows the developer's explanation only in the sandbox. */
  renderFrameError: (problem: ProblemDocument, language: PageLanguage, isSandbox: boolean) => RenderedPage;
}

/** Renders a problem as a page for browser navigation, or for the frame; API clients receive the problem document. */
export function renderProblemPage(
  pages: ProblemPages,
  context: HttpContext,
  problem: ProblemDocument,
  isSandbox: boolean,
): Response | null {
  if (context.req.method !== 'GET' && !isFormPost(context)) return null;
  const acceptLanguage = context.req.header('accept-language');
  if (isFrameRequest(context)) {
    const language = { locale: context.req.query('locale'), acceptLanguage };
    const response = pageResponse(context, pages.renderFrameError(problem, language, isSandbox), problem.status);
    response.headers.set('Cross-Origin-Resource-Policy', 'cross-origin');
    return response;
  }
  if (!(context.req.header('accept') ?? '').includes('text/html')) return null;
  const canReload = problem.retryable && context.req.method === 'GET';
  return pageResponse(context, pages.renderProblemPage(problem, { acceptLanguage, canReload }), problem.status);
}

/** True for a form post by a page without JavaScript. */
function isFormPost({ req }: HttpContext): boolean {
  return req.method === 'POST' && (req.header('content-type') ?? '').startsWith('application/x-www-form-urlencoded');
}

function pageResponse(context: HttpContext, { html, contentSecurityPolicy }: RenderedPage, status: number): Response {
  const response = context.html(html, status as 400);
  if (response instanceof Promise) throw new Error('A page was not rendered synchronously');
  response.headers.set('Content-Security-Policy', contentSecurityPolicy);
  return response;
}
