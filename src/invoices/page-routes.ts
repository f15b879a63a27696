import { limitByAddress, type EnforceRateLimit } from '../http/rate-limits.ts';
import { Hono } from 'hono';
import { invoicePageQuery } from '../api/invoice-page.ts';
import type { HttpContext, HttpEnv } from '../http/context.ts';
import { sendJson } from '../http/json.ts';
import type { LiveUpdates } from '../http/live-updates.ts';
import { readPageQuery } from '../http/query.ts';
import { Problem } from '../api/problem-error.ts';
import { findByTransactions } from './link-payments/store.ts';
import type { InvoicesContext } from './context.ts';
import { invoicePath } from './api-transaction.ts';
import { subscribeInvoicePage } from './page-updates.ts';
import { createLastHeights } from '../chains/last-heights.ts';
import { type InvoicePageRecords, readPageRecords } from './page-records.ts';
import { buildPageState, pageStatus } from './page-state.ts';
import type { InvoicePages } from './pages.ts';

/** Routes of the invoice page: HTML, state and live updates. */
export function invoicePageRoutes(options: {
  context: InvoicesContext;
  pages: InvoicePages;
  liveUpdates: LiveUpdates;
  enforceRateLimit: EnforceRateLimit;
}): Hono<HttpEnv> {
  const { context, pages, liveUpdates } = options;
  const lastBlocks = createLastHeights(
    context.database,
    context.chains.all.map(({ name }) => name),
  );

  const open = async (http: HttpContext): Promise<InvoicePageRecords> => {
    const records = await readPageRecords(
      context.database,
      http.req.param('publicId') ?? '',
      http.get('client').country,
    );
    if (records) return records;
    throw new Problem(
      'not_found',
      'There is no payment at this address. Check the link, or ask the merchant for a new one.',
    );
  };
  const readState = async (http: HttpContext) => buildPageState(context, await open(http), http.get('client').country);

  return new Hono<HttpEnv>()
    .use('/i/:publicId', limitByAddress(options.enforceRateLimit, 'page'))
    .use('/i/:publicId/state', limitByAddress(options.enforceRateLimit, 'page_state'))
    .use('/i/:publicId/events', limitByAddress(options.enforceRateLimit, 'page_state'))
    .get('/i/:publicId', async (http) => {
      const { transaction } = await open(http);
      // A crypto payment of a payment link is shown on the link’s page.
      const [linkPayment] =
        transaction.paysFor === null ? [] : await findByTransactions(context.database, [transaction.id]);
      if (linkPayment?.returnUrl) return http.redirect(linkPayment.returnUrl, 303);
      const state = await readState(http);
      const { locale } = readPageQuery(http, invoicePageQuery);
      const { html, contentSecurityPolicy } = pages.renderInvoicePage(
        { state, path: invoicePath(http.req.param('publicId')) },
        { locale: locale ?? transaction.locale ?? undefined, acceptLanguage: http.req.header('accept-language') },
      );
      http.header('Content-Security-Policy', contentSecurityPolicy);
      http.header('Vary', 'Accept-Language');
      return http.html(html, pageStatus(state));
    })

    .get('/i/:publicId/state', async (http) => sendJson(http, await readState(http)))

    .get(
      '/i/:publicId/events',
      async (http) =>
        await liveUpdates.respond(
          http,
          async () => {
            const { transaction } = await open(http);
            return subscribeInvoicePage(context, lastBlocks, transaction, http.get('client').country);
          },
          http.req.param('publicId'),
        ),
    );
}
