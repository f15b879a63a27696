import { Hono } from 'hono';
import { mailPreviewQuery, type MailPages } from '../api/mail.ts';
import * as operations from '../api/operations/emails.ts';
import { Problem } from '../api/problem-error.ts';
import type { HttpContext, HttpEnv } from '../http/context.ts';
import { pagingOf } from '../http/cursor.ts';
import { readQuery } from '../http/query.ts';
import { type EnforceRateLimit, limitByAddress } from '../http/rate-limits.ts';
import type { RenderedPage } from '../http/rendered-page.ts';
import type { Principal, ServeApi } from '../operations/principal.ts';
import type { Identify } from '../operations/serve.ts';
import { payerMailKinds } from '../shared/mail-kinds.ts';
import { type MailContext, readBrand } from './deliver.ts';
import { listEmails, mailReaderOf } from './list.ts';
import { setNotification } from './opt-outs.ts';
import { sampleMail } from './sample.ts';

/** Steps of the page that turns a notification off. */
type UnsubscribeStep = 'ask' | 'done' | 'invalid';

export interface UnsubscribePages {
  renderUnsubscribePage(step: UnsubscribeStep, acceptLanguage: string | undefined): RenderedPage;
}

/** The list of emails, previews for the account area, and links that turn notifications off. */
export function mailRoutes({
  context,
  pages,
  serve,
  identify,
  enforceRateLimit,
}: {
  context: MailContext;
  pages: MailPages & UnsubscribePages;
  serve: ServeApi;
  identify: Identify<Principal>;
  enforceRateLimit: EnforceRateLimit;
}): Hono<HttpEnv> {
  const { database, clock } = context;
  const routes = new Hono<HttpEnv>();

  serve(routes, operations.listEmails, async ({ caller, query }) => {
    const { cursor, limit, pageOf } = pagingOf(query);
    const { shown, nextCursor } = pageOf(await listEmails(database, mailReaderOf(caller), { before: cursor, limit }));
    return { is_set_up: context.transport !== null, emails: shown, next_cursor: nextCursor };
  });

  // Only in a frame of the account area: a link could show a convincing email on our origin.
  routes.get('/email-preview', async (http) => {
    const { merchantId } = await identify(http, { scope: 'preference:read', method: 'GET' });
    const { kind, locale = null, scheme } = readQuery(http, mailPreviewQuery);
    const destination = http.req.header('sec-fetch-dest');
    if (destination !== undefined && destination !== 'iframe')
      throw new Problem('forbidden', 'This preview is shown only on the Emails page of the account area.');
    const brand = await readBrand(context, merchantId);
    const isForPayer = (payerMailKinds as readonly string[]).includes(kind);
    const content = sampleMail(kind, { ...context, merchantName: brand?.name ?? '', now: clock.now() });
    const { isSandbox } = context;
    const document = { content, brand: isForPayer ? brand : null, locale, unsubscribeUrl: null, isSandbox };
    const images = brand?.logoUrl ? ` ${new URL(brand.logoUrl).origin}` : '';
    // `sandbox`: no scripts, popups or form submission.
    http.header(
      'Content-Security-Policy',
      `default-src 'none'; style-src 'unsafe-inline'; img-src 'self'${images}; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox`,
    );
    return http.html(pages.renderMail(document, scheme).html);
  });

  const respond = (http: HttpContext, step: UnsubscribeStep) => {
    const page = pages.renderUnsubscribePage(step, http.req.header('accept-language'));
    http.header('Content-Security-Policy', page.contentSecurityPolicy);
    return http.html(page.html, step === 'invalid' ? 404 : 200);
  };
  const path = '/unsubscribe/:token';
  return (
    routes
      .use(path, limitByAddress(enforceRateLimit, 'page'))
      // Mail clients and scanners open links: only the form, or a mail client's own button (RFC 8058), changes anything.
      .get(path, (http) => respond(http, context.unsubscribeTokens.verify(http.req.param('token')) ? 'ask' : 'invalid'))
      .post(path, async (http) => {
        const verified = context.unsubscribeTokens.verify(http.req.param('token'));
        if (!verified) return respond(http, 'invalid');
        await database.inTransaction(
          async (unit) => await setNotification(unit, { ...verified, isOn: false, now: clock.now() }),
        );
        return respond(http, 'done');
      })
  );
}
