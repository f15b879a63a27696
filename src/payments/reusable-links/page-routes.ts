/*
 * Map of this folder: `page-routes.ts` serves the page of a reusable link, and `buy.ts` creates a transaction from its
 * form. `stock.ts` reserves stock, `form-token.ts` prevents double submission, `manage.ts` and `routes.ts` serve the
 * API. Documentation: docs/payments.md.
 */

import { Hono } from 'hono';
import { toAlpha2 } from '../../api/country.ts';
import { minorUnitsOf } from '../../api/currency.ts';
import { localeTag } from '../../api/link-page.ts';
import { payerFields, type PayerDetails } from '../../api/payer.ts';
import { Problem } from '../../api/problem-error.ts';
import type { BuyerFieldName, ReusableLinkPage } from '../../api/reusable-link-page.ts';
import { z } from 'zod';
import { readForm } from '../../http/body.ts';
import type { HttpContext, HttpEnv } from '../../http/context.ts';
import { readPageQuery } from '../../http/query.ts';
import { limitByAddress } from '../../http/rate-limits.ts';
import { findBrandAndRestriction } from '../../merchants/merchants.ts';
import { parseAmountText } from '../../shared/amount-input.ts';
import { formatMinor } from '../../shared/money.ts';
import type { PaymentsContext } from '../context.ts';
import type { PaymentPages } from '../links/pages.ts';
import type { ReusableLink } from '../schema.ts';
import { buy, type Order } from './buy.ts';
import type { FormTokens } from './form-token.ts';
import { reusableLinkPath } from './manage.ts';
import { readAvailable } from './stock.ts';
import { findReusableLink } from './store.ts';

const pageQuery = z.object({ locale: localeTag.optional() });
const phaseStatuses = { ready: 200, sold_out: 200, archived: 410, restricted: 403 } as const;

type Submitted = Pick<ReusableLinkPage, 'values' | 'invalidFields' | 'problem'>;
const untouched: Submitted = { values: {}, invalidFields: [], problem: null };

/** The page of a reusable link, and its form. Both work without a script and without cookies. */
export function reusableLinkPageRoutes({
  context,
  pages,
  formTokens,
}: {
  context: PaymentsContext;
  pages: PaymentPages;
  formTokens: FormTokens;
}): Hono<HttpEnv> {
  const open = async (http: HttpContext) => {
    const link = await findReusableLink(context.database, http.req.param('publicId') ?? '');
    if (!link) throw new Problem('not_found', 'There is no page at this address. Check the link, or ask the merchant.');
    return link;
  };

  const render = async (http: HttpContext, link: ReusableLink, submitted = untouched) => {
    const page = await readPage(context, link, http.get('client').country, submitted);
    const { html, contentSecurityPolicy } = pages.renderReusableLink(
      { ...page, path: page.path + localeQuery(http), token: formTokens.issue(link.publicId, context.clock.now()) },
      { locale: readPageQuery(http, pageQuery).locale, acceptLanguage: http.req.header('accept-language') },
    );
    http.header('Content-Security-Policy', contentSecurityPolicy);
    http.header('Vary', 'Accept-Language');
    // The browser's Back button must load a new form: the token of this one may be used up.
    http.header('Cache-Control', 'no-store');
    const isRejected = submitted !== untouched && page.phase === 'ready';
    return http.html(html, isRejected ? 422 : phaseStatuses[page.phase]);
  };

  return new Hono<HttpEnv>()
    .use('/b/:publicId', limitByAddress(context.enforceRateLimit, 'page'))

    .get('/b/:publicId', async (http) => await render(http, await open(http)))

    .post('/b/:publicId', async (http) => {
      const form = await readForm(http);
      const link = await open(http);
      const values = enteredValues(form);
      const { phase } = await readPage(context, link, http.get('client').country, untouched);
      // A form that has reserved the last stock is accepted again.
      if (phase === 'archived' || phase === 'restricted') return await render(http, link);
      const nonce = formTokens.verify(form.get('token') ?? '', link.publicId, context.clock.now());
      // Another site sent the form, or the page was open for hours: the buyer must submit the new form.
      if (nonce === null || http.req.header('sec-fetch-site') === 'cross-site')
        return await render(http, link, { values, invalidFields: [], problem: 'try_again' });
      const { order, invalidFields } = readOrder(link, values, form.get('locale') ?? '');
      if (!order) return await render(http, link, { values, invalidFields, problem: null });
      try {
        const path = await buy(context, link, order, { nonce, buyer: http.get('client') });
        return http.redirect(path + localeQuery(http), 303);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        // The link was sold out or archived in the meantime, which the new page shows.
        if (error.code === 'sold_out' || error.code === 'not_found') {
          const hasStock = (await readPage(context, link, null, untouched)).available !== 0;
          return await render(http, await open(http), {
            ...{ values, problem: null },
            invalidFields: hasStock ? ['quantity'] : [],
          });
        }
        // The link was changed after this form was sent for the first time, or at this moment.
        if (error.code === 'transaction_id_conflict')
          return http.redirect(reusableLinkPath(link.publicId) + localeQuery(http), 303);
        context.log.warn({ code: error.code, link: link.publicId }, 'reusable link could not be paid');
        const problem = error.code === 'rate_limited' ? 'rate_limited' : 'try_again';
        return await render(http, link, { values, invalidFields: [], problem });
      }
    });
}

/** The query string that keeps the language chosen in the URL; empty without one. */
function localeQuery(http: HttpContext): string {
  const { locale } = readPageQuery(http, pageQuery);
  return locale === undefined ? '' : `?${new URLSearchParams({ locale }).toString()}`;
}

async function readPage(
  context: PaymentsContext,
  link: ReusableLink,
  country: string | null,
  submitted: Submitted,
): Promise<Omit<ReusableLinkPage, 'token'>> {
  const { brand, isRestricted } = await findBrandAndRestriction(context.database, link.merchantId, country);
  const available = await readAvailable(context.database, link);
  const decimal = (minor: bigint) => formatMinor(minor, minorUnitsOf(link.currency));
  const { minimumMinor, maximumMinor, suggestedMinor, minimumQuantity } = link;
  const maximumQuantity = Math.min(link.maximumQuantity, available ?? link.maximumQuantity);
  const isSoldOut = available !== null && available < minimumQuantity;
  return {
    phase: link.archivedAt === null ? (isRestricted ? 'restricted' : isSoldOut ? 'sold_out' : 'ready') : 'archived',
    path: reusableLinkPath(link.publicId),
    address: context.publicUrl + reusableLinkPath(link.publicId),
    ...{ merchant: brand, title: link.title, description: link.description, imageUrl: link.imageUrl },
    currency: link.currency,
    amount: link.amountMinor === null ? null : decimal(link.amountMinor),
    customAmount:
      minimumMinor === null || maximumMinor === null
        ? null
        : {
            ...{ minimum: decimal(minimumMinor), maximum: decimal(maximumMinor) },
            suggested: suggestedMinor === null ? null : decimal(suggestedMinor),
          },
    quantity: link.maximumQuantity === 1 ? null : { minimum: minimumQuantity, maximum: maximumQuantity },
    available,
    ...{ asksEmail: link.asksEmail, asksName: link.asksName },
    buyerCountry: country,
    payerCountry: country ?? toAlpha2(link.country),
    returnUrl: link.failRedirectUrl,
    sandbox: context.isSandbox,
    ...submitted,
  };
}

/** Longest entered value that is kept. */
const MAX_VALUE = 254;

function enteredValues(form: URLSearchParams): Submitted['values'] {
  const names = ['amount', 'quantity', 'email', 'first_name', 'last_name'] as const;
  return Object.fromEntries(
    names.flatMap((name) => (form.has(name) ? [[name, (form.get(name) ?? '').slice(0, MAX_VALUE).trim()]] : [])),
  );
}

/** Parses the entered fields; returns the names of invalid ones instead if there are any. */
function readOrder(
  link: ReusableLink,
  values: Submitted['values'],
  locale: string,
): { order: Order | null; invalidFields: BuyerFieldName[] } {
  const invalidFields: BuyerFieldName[] = [];
  const unitMinor = link.amountMinor ?? parseAmountText(values.amount ?? '', minorUnitsOf(link.currency), locale);
  const isAmountInRange =
    unitMinor !== null &&
    (link.amountMinor !== null || (unitMinor >= (link.minimumMinor ?? 0n) && unitMinor <= (link.maximumMinor ?? 0n)));
  if (!isAmountInRange) invalidFields.push('amount');
  const quantity = link.maximumQuantity === 1 ? 1 : wholeNumber(values.quantity ?? '', locale);
  const isQuantityInRange = quantity !== null && quantity >= link.minimumQuantity && quantity <= link.maximumQuantity;
  if (!isQuantityInRange) invalidFields.push('quantity');
  const asked = [...(link.asksEmail ? ['email'] : []), ...(link.asksName ? ['first_name', 'last_name'] : [])] as (
    | 'email'
    | 'first_name'
    | 'last_name'
  )[];
  const payer: PayerDetails = {};
  for (const name of asked) {
    const parsed = payerFields[name].safeParse(values[name] ?? '');
    if (parsed.success) payer[name] = parsed.data;
    else invalidFields.push(name);
  }
  if (unitMinor === null || quantity === null || invalidFields.length > 0) return { order: null, invalidFields };
  return { order: { unitMinor, quantity, payer }, invalidFields };
}

/** Digits of any script. */
function wholeNumber(text: string, locale: string): number | null {
  const value = parseAmountText(text, 0, locale);
  return value !== null && value > 0n && value < 1_000_000n ? Number(value) : null;
}
