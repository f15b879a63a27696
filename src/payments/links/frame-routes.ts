import { limitByAddress } from '../../http/rate-limits.ts';
import { Hono } from 'hono';
import { framedPageQuery } from '../../api/embedding.ts';
import type { Embedding } from '../../api/page-state.ts';
import type { HttpContext, HttpEnv } from '../../http/context.ts';
import type { RenderedPage, PageLanguage } from '../../http/rendered-page.ts';
import { readPageQuery } from '../../http/query.ts';
import { linkPath, type PaymentsContext } from '../context.ts';
import { requireAllowedOrigin } from './embedding.ts';
import { openLink } from './open.ts';
import { readPageState, pageStatus } from './page-state.ts';
import type { PaymentPage, PaymentPages } from './pages.ts';

/** Route of the card form, embedded in a merchant's page. */
export function frameRoutes(options: { context: PaymentsContext; pages: PaymentPages }): Hono<HttpEnv> {
  const { context, pages } = options;
  return new Hono<HttpEnv>()
    .use('/e/:linkId', limitByAddress(context.enforceRateLimit, 'page'))
    .get('/e/:linkId', async (http) => await renderFramed(context, http, pages.renderCardFrame));
}

/** Renders an embedded page, if the embedding page's origin is allowed. */
export async function renderFramed(
  context: PaymentsContext,
  http: HttpContext,
  render: (page: PaymentPage & { embedding: Embedding }, language: PageLanguage) => RenderedPage,
): Promise<Response> {
  const { origin: claimedOrigin, locale } = readPageQuery(http, framedPageQuery);
  const transaction = await openLink(context, http);
  const referer = http.req.header('referer');
  const embedding = await requireAllowedOrigin(context, transaction.merchantId, { claimedOrigin, referer });
  const state = await readPageState(context, transaction, http.get('client'));
  const language = {
    locale: locale ?? transaction.locale ?? undefined,
    acceptLanguage: http.req.header('accept-language'),
  };
  const { html, contentSecurityPolicy } = render(
    { state, linkPath: linkPath(transaction.linkId), capture: transaction.capture, embedding },
    language,
  );
  http.header('Content-Security-Policy', contentSecurityPolicy);
  http.header('Cross-Origin-Resource-Policy', 'cross-origin');
  http.header('Vary', 'Accept-Language, Referer');
  return http.html(html, pageStatus(state.phase));
}
