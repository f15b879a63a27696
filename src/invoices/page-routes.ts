import { limitByAddress, type EnforceRateLimit } from '../http/rate-limits.ts';
import { Hono } from 'hono';
import { invoicePageQuery } from '../api/invoice-page.ts';
import type { HttpContext, HttpEnv } from '../http/context.ts';
import type { LiveUpdates } from '../http/live-updates.ts';
import { readPageQuery } from '../http/query.ts';
import { Problem } from '../api/problem-error.ts';
import { findOfTransactions } from './coin-payments/store.ts';
import type { InvoicesContext } from './context.ts';
import { invoicePath } from './describe.ts';
import { followInvoice } from './follow-invoice.ts';
import { createLastBlocks } from '../chains/last-blocks.ts';
import { type PageReading, readPage } from './page-reading.ts';
import { describePage, pageStatus } from './page-state.ts';
import type { InvoicePages } from './pages.ts';

/** What a payer's browser asks for: the page of an invoice, and its state. */
export function invoicePageRoutes(options: {
  context: InvoicesContext;
  pages: InvoicePages;
  liveUpdates: LiveUpdates;
  enforceRateLimit: EnforceRateLimit;
}): Hono<HttpEnv> {
  const { context, pages, liveUpdates } = options;
  const lastBlocks = createLastBlocks(
    context.database,
    context.chains.all.map(({ name }) => name),
  );

  const open = async (http: HttpContext): Promise<PageReading> => {
    const reading = await readPage(context.database, http.req.param('publicId') ?? '', http.get('client').country);
    if (reading) return reading;
    throw new Problem(
      'not_found',
      'There is no payment at this address. Check the link, or ask the shop for a new one.',
    );
  };
  const describe = async (http: HttpContext) => describePage(context, await open(http), http.get('client').country);

  return new Hono<HttpEnv>()
    .use('/i/:publicId', limitByAddress(options.enforceRateLimit, 'page'))
    .use('/i/:publicId/state', limitByAddress(options.enforceRateLimit, 'page_state'))
    .use('/i/:publicId/events', limitByAddress(options.enforceRateLimit, 'page_state'))
    .get('/i/:publicId', async (http) => {
      const { transaction } = await open(http);
      // What pays a payment link is shown on the link’s own page.
      const [ofLink] = transaction.paysFor === null ? [] : await findOfTransactions(context.database, [transaction.id]);
      if (ofLink?.returnUrl) return http.redirect(ofLink.returnUrl, 303);
      const state = await describe(http);
      const { locale } = readPageQuery(http, invoicePageQuery);
      const { html, contentSecurityPolicy } = pages.renderInvoicePage(
        { state, path: invoicePath(http.req.param('publicId')) },
        { locale, acceptLanguage: http.req.header('accept-language') },
      );
      http.header('Content-Security-Policy', contentSecurityPolicy);
      http.header('Vary', 'Accept-Language');
      return http.html(html, pageStatus(state));
    })

    .get('/i/:publicId/state', async (http) => http.json(await describe(http)))

    .get(
      '/i/:publicId/events',
      async (http) =>
        await liveUpdates.respond(
          http,
          async () => {
            const { transaction } = await open(http);
            return followInvoice(context, lastBlocks, transaction, http.get('client').country);
          },
          http.req.param('publicId'),
        ),
    );
}
