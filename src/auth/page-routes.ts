import { type Handler, Hono } from 'hono';
import type { HttpEnv } from '../http/context.ts';
import type { RenderedPage, PageLanguage } from '../http/rendered-page.ts';

/** Serves the account area's single page at all its URLs; its script renders the view of the URL. */
export function accountPageRoutes(pages: {
  renderAccountPage: (pathname: string, language: PageLanguage) => RenderedPage;
}): Hono<HttpEnv> {
  const serve: Handler<HttpEnv> = (http) => {
    const language = { locale: http.req.query('locale'), acceptLanguage: http.req.header('accept-language') };
    const { html, contentSecurityPolicy } = pages.renderAccountPage(http.req.path, language);
    http.header('Content-Security-Policy', contentSecurityPolicy);
    return http.html(html);
  };
  return new Hono<HttpEnv>()
    .get('/account', serve)
    .get('/account/:page{sign-in|join|me|merchants}', serve)
    .get('/account/:merchant{[1-9][0-9]*}/*', serve);
}
