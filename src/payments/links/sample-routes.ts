import { Hono } from 'hono';
import { samplePageQuery } from '../../api/link-page.ts';
import { Problem } from '../../api/problem-error.ts';
import type { HttpEnv } from '../../http/context.ts';
import { readQuery } from '../../http/query.ts';
import { readCardFormFields } from '../../merchants/card-form-fields.ts';
import type { Identify } from '../../operations/serve.ts';
import type { Principal } from '../../operations/principal.ts';
import type { PaymentsContext } from '../context.ts';
import type { PaymentPages } from './pages.ts';
import { samplePage } from './sample-page.ts';

/**
 * A sample payment page with the branding in the query, for the Branding page. It is shown only in a frame of the
 * account area, to signed-in users: otherwise a link could show any text on our origin.
 */
export function samplePageRoutes(options: {
  context: PaymentsContext;
  pages: PaymentPages;
  identify: Identify<Principal>;
}): Hono<HttpEnv> {
  const { context, pages, identify } = options;
  return new Hono<HttpEnv>().get('/payment-page-sample', async (http) => {
    const { merchantId } = await identify(http, { scope: 'preference:read', method: 'GET' });
    const query = readQuery(http, samplePageQuery);
    const destination = http.req.header('sec-fetch-dest');
    if (destination !== undefined && destination !== 'iframe')
      throw new Problem('forbidden', 'This sample is shown only on the Branding page of the account area.');
    const { name, color, logo, contact, terms, privacy, scheme, locale } = query;
    const merchant = {
      ...{ name, color: color ?? null, logoUrl: logo ?? null },
      ...{ contact: contact ?? null, termsUrl: terms ?? null, privacyUrl: privacy ?? null },
    };
    const setting = await readCardFormFields(context.database, merchantId);
    const state = samplePage(merchant, { now: context.clock.now(), setting, isSandbox: context.isSandbox });
    const { html, contentSecurityPolicy } = pages.renderLinkPreview(
      { state, linkPath: '/payment-page-sample', embedding: null },
      { locale, acceptLanguage: http.req.header('accept-language') },
      scheme,
    );
    http.header('Content-Security-Policy', contentSecurityPolicy);
    return http.html(html);
  });
}
