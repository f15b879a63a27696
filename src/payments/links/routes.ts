/*
 * Map of this folder: `routes.ts` serves the payment page, `frame-routes.ts` the card form, and `form-routes.ts` their
 * plain forms. `page-state.ts` decides what a page shows, `client-token.ts` issues its tokens, and `embedding.ts`
 * checks origins. `live-updates.ts` updates open pages. `sample-page.ts` is the branding preview. Reasons:
 * docs/decisions/pages.md, page-tokens.md and embedding.md.
 */

import { hasOpenAuthorization } from '../transaction.ts';
import { limitByAddress } from '../../http/rate-limits.ts';
import { unauthorized } from '../../operations/principal.ts';
import { Hono } from 'hono';
import { z } from 'zod';
import { toAlpha2 } from '../../api/country.ts';
import { startMethodRequest } from '../../api/instructions.ts';
import { chooseLocaleRequest, linkPageQuery, linkPreviewQuery } from '../../api/link-page.ts';
import type { SubmittedForm } from '../../api/page-state.ts';
import { bearerCredential } from '../../auth/authentication.ts';
import { readBody, readForm } from '../../http/body.ts';
import type { PageLanguage } from '../../http/rendered-page.ts';
import type { LiveUpdates } from '../../http/live-updates.ts';
import { describeError } from '../../system/log.ts';
import type { HttpContext, HttpEnv } from '../../http/context.ts';
import { sendJson } from '../../http/json.ts';
import { readPageQuery } from '../../http/query.ts';
import { Problem, validationProblem } from '../../api/problem-error.ts';
import { requireSupportedCountry } from '../../merchants/restricted-countries.ts';
import { abandonOpenChallenge } from '../card/abandon.ts';
import { PAID_RETURN_QUERY, linkPath, linkUrl, type PaymentsContext, cardAcquirerOf, chargeKeyOf } from '../context.ts';
import { isFrameRequest, readEmbedding } from './embedding.ts';
import { formRoutes } from './form-routes.ts';
import { renderFramed } from './frame-routes.ts';
import { refreshInstructions } from '../push/poll.ts';
import { paymentLiveUpdates } from './live-updates.ts';
import { startPushPayment } from '../push/start.ts';
import { findLink, openLink } from './open.ts';
import { readPageState, pageStatus } from './page-state.ts';
import type { PaymentPages } from './pages.ts';
import { applyOutcome } from '../card/outcome.ts';
import { recordBrowserLanguage } from '../buyer-language.ts';
import { listAttempts, recordBuyerLocale } from '../store.ts';
import type { FiatTransaction } from '../schema.ts';

/** Routes of the link page: the page, its state and live updates, its actions, and the return from a challenge. */
export function linkRoutes(options: {
  context: PaymentsContext;
  pages: PaymentPages;
  liveUpdates: LiveUpdates;
}): Hono<HttpEnv> {
  const { context, pages, liveUpdates } = options;

  const open = async (http: HttpContext) => await openLink(context, http);
  /** Opens the link for a request with the page's token. */
  const openAuthorized = async (http: HttpContext) => {
    const credential = bearerCredential(http.req.header('authorization'));
    const grant = credential ? context.clientTokens.verify(credential, context.clock.now()) : null;
    if (!grant) throw unauthorized('The page token has expired. Reload the page and try again.');
    const transaction = await open(http);
    if (grant.transactionId !== transaction.id) throw unauthorized('The token belongs to another payment.');
    return transaction;
  };
  const readState = async (http: HttpContext, transaction: FiatTransaction) =>
    await readPageState(context, transaction, http.get('client'));
  /** The page's language: from the query, the buyer's earlier choice, the merchant, or the browser's preference. */
  const languageOf = (http: HttpContext, transaction: FiatTransaction) => ({
    locale: readPageQuery(http, linkPageQuery).locale ?? transaction.buyerLocale ?? transaction.locale ?? undefined,
    acceptLanguage: http.req.header('accept-language'),
  });
  /** Stores the chosen language, if the page supports it. */
  const storeLocale = async (transaction: FiatTransaction, locale: string | undefined) => {
    if (locale === undefined || locale === transaction.buyerLocale || !pages.hasLanguage(locale)) return;
    await context.database.inTransaction(async (unit) => await recordBuyerLocale(unit, transaction, locale));
  };

  const renderPage = async (
    http: HttpContext,
    transaction: FiatTransaction,
    language: PageLanguage,
    submitted?: SubmittedForm,
  ) => {
    const state = await readState(http, transaction);
    const isReturning = readPageQuery(http, linkPageQuery).paid !== undefined;
    const page = pages.renderLinkPage(
      {
        state,
        linkPath: linkPath(transaction.linkId),
        capture: transaction.capture,
        embedding: null,
        isReturning,
        ...(submitted && { submitted }),
      },
      language,
    );
    http.header('Content-Security-Policy', page.contentSecurityPolicy);
    http.header('Vary', 'Accept-Language');
    return http.html(page.html, submitted && state.phase === 'ready' ? 422 : pageStatus(state.phase));
  };

  const limit = (path: string, name: 'page' | 'page_state') =>
    [path, limitByAddress(context.enforceRateLimit, name)] as const;

  return (
    new Hono<HttpEnv>()
      .use(...limit('/p/:linkId', 'page'))
      .use(...limit('/p/:linkId/preview', 'page'))
      .use(...limit('/p/:linkId/method', 'page'))
      .use(...limit('/p/:linkId/abandon', 'page'))
      .use(...limit('/p/:linkId/challenge', 'page'))
      .use(...limit('/p/:linkId/return', 'page'))
      .use(...limit('/p/:linkId/state', 'page_state'))
      .use(...limit('/p/:linkId/events', 'page_state'))
      .use(...limit('/p/:linkId/locale', 'page_state'))
      .route(
        '/',
        formRoutes({
          context,
          render: async (http, transaction, form) =>
            await renderPage(http, transaction, languageOf(http, transaction), form),
        }),
      )

      .get('/p/:linkId', async (http) => {
        if (isFrameRequest(http)) return await renderFramed(context, http, pages.renderLinkPage);
        const transaction = await open(http);
        // After a renewal the old link redirects to the current one.
        if (http.req.param('linkId') !== transaction.linkId)
          return http.redirect(linkPath(transaction.linkId) + new URL(http.req.url).search, 303);
        const language = languageOf(http, transaction);
        await storeLocale(transaction, readPageQuery(http, linkPageQuery).locale);
        return await renderPage(http, transaction, language);
      })

      // A preview for the merchant, as a buyer in the transaction's country sees the page.
      .get('/p/:linkId/preview', async (http) => {
        const transaction = await findLink(context, http);
        const { locale } = readPageQuery(http, linkPreviewQuery);
        const viewer = { country: toAlpha2(transaction.country), address: '' };
        const state = await readPageState(context, transaction, viewer);
        const { html, contentSecurityPolicy } = pages.renderLinkPreview(
          { state: { ...state, clientToken: null }, linkPath: linkPath(transaction.linkId), embedding: null },
          { locale, acceptLanguage: http.req.header('accept-language') },
        );
        http.header('Content-Security-Policy', contentSecurityPolicy);
        http.header('Vary', 'Accept-Language');
        return http.html(html);
      })

      .get('/p/:linkId/state', async (http) => sendJson(http, await readState(http, await open(http))))

      .get(
        '/p/:linkId/events',
        async (http) =>
          await liveUpdates.respond(
            http,
            async () => paymentLiveUpdates(context, await open(http), http.get('client')),
            http.req.param('linkId'),
          ),
      )

      // The buyer starts a non-card method: issues its instructions, or returns the issued ones.
      .post('/p/:linkId/method', async (http) => {
        const transaction = await openAuthorized(http);
        const { payment_method, choice, ...entered } = await readBody(http, startMethodRequest);
        await requireSupportedCountry(context.database, transaction.merchantId, http.get('client').country);
        await recordBrowserLanguage(context, http, transaction);
        const buyer = { location: http.get('client'), isOnPage: true };
        const selection = { paymentMethod: payment_method, choice: choice ?? null, payer: entered };
        await startPushPayment(context, transaction, selection, buyer);
        return sendJson(http, await readState(http, await open(http)));
      })

      // The buyer chose a language: stores it for the link, and returns the page's texts.
      .post('/p/:linkId/locale', async (http) => {
        const transaction = await open(http);
        const { locale } = await readBody(http, chooseLocaleRequest);
        if (!pages.hasLanguage(locale)) {
          const detail = 'is not a language of the page';
          throw validationProblem([{ pointer: '/locale', code: 'unknown_locale', detail }]);
        }
        await storeLocale(transaction, locale);
        return sendJson(http, pages.readTexts('methods', locale));
      })

      .post('/p/:linkId/abandon', async (http) => {
        const transaction = await openAuthorized(http);
        await readBody(http, z.strictObject({}));
        const result = await abandonOpenChallenge(context, transaction);
        if (result === 'none')
          throw new Problem('challenge_not_open', 'This payment has no open 3-D Secure challenge.');
        if (result === 'still_open') {
          throw new Problem(
            'acquirer_unavailable',
            'The 3-D Secure challenge could not be canceled. Try again in a minute.',
          );
        }
        return sendJson(http, await readState(http, await open(http)));
      })

      // Returns the form that starts a challenge with a POST to the issuer, or redirects to the start URL. Without an
      // open challenge, the link page shows the next step.
      .get('/p/:linkId/challenge', async (http) => {
        const transaction = await open(http);
        const attempts = await listAttempts(context.database, transaction);
        const challenged = attempts.find(({ state }) => state === 'challenge');
        if (!challenged?.challengeUrl || challenged.challengeFields === null)
          return http.redirect(challenged?.challengeUrl ?? linkPath(transaction.linkId), 303);
        const embedding = await readEmbedding(context, transaction.merchantId);
        const form = { url: challenged.challengeUrl, fields: challenged.challengeFields };
        const page = pages.renderChallengeForm(form, embedding, languageOf(http, transaction));
        http.header('Content-Security-Policy', page.contentSecurityPolicy);
        return http.html(page.html);
      })

      // The issuer or bank redirects the buyer here. The request proves nothing: the acquirer is polled.
      .on(['GET', 'POST'], '/p/:linkId/return', async (http) => {
        const stored = await open(http);
        await refreshChallenge(context, stored, await readReturnParameters(http));
        await refreshInstructions(context, stored);
        const transaction = await open(http);
        // In the challenge's frame, no redirect to the shop: our page around the frame continues.
        if (http.req.header('sec-fetch-dest') === 'iframe') {
          const embedding = await readEmbedding(context, transaction.merchantId);
          const page = pages.renderChallengeEnd(embedding, languageOf(http, transaction));
          http.header('Content-Security-Policy', page.contentSecurityPolicy);
          return http.html(page.html);
        }
        return http.redirect(returnUrlFor(context, transaction), 303);
      })
  );
}

/** Reads the parameters of the buyer's return: the query and, for a form post, its fields. Long values are dropped. */
async function readReturnParameters(http: HttpContext): Promise<Record<string, string>> {
  const isForm = (http.req.header('content-type') ?? '').startsWith('application/x-www-form-urlencoded');
  const fields = [
    ...new URL(http.req.url).searchParams,
    ...(http.req.method === 'POST' && isForm ? await readForm(http) : []),
  ];
  return Object.fromEntries(fields.filter(([, value]) => value.length <= MAX_RETURN_VALUE));
}

/**
 * Maximum length of a parameter on the return URL: an Adyen `redirectResult` or a 3-D Secure `cres` has up to about
 * 4,000 characters.
 */
const MAX_RETURN_VALUE = 8192;

/**
 * Completes an open challenge with the parameters of the buyer's return, or polls its outcome. After a failure, the
 * resolution job polls again.
 */
async function refreshChallenge(
  context: PaymentsContext,
  transaction: FiatTransaction,
  returned: Readonly<Record<string, string>>,
): Promise<void> {
  if (transaction.status !== 'waiting') return;
  const attempts = await listAttempts(context.database, transaction);
  const challenged = attempts.find((attempt) => attempt.state === 'challenge');
  const acquirer = challenged && cardAcquirerOf(context, challenged);
  if (!acquirer) return;
  try {
    const charge = chargeKeyOf(challenged, transaction);
    const outcome =
      acquirer.complete && Object.keys(returned).length > 0
        ? await acquirer.complete(charge, returned)
        : await acquirer.fetchOutcome?.(charge);
    if (outcome) await applyOutcome(context, challenged.attemptKey, outcome);
  } catch (error) {
    context.log.warn({ account: challenged.accountKey, error: describeError(error) }, 'acquirer could not be polled');
  }
}

/**
 * Returns the redirect target after a challenge: the shop after a payment or a failure, the merchant's form after a
 * decline on that form, otherwise the link page.
 */
function returnUrlFor(context: PaymentsContext, transaction: FiatTransaction): string {
  const page = linkUrl(context, transaction.linkId);
  if (transaction.status === 'confirmed' || hasOpenAuthorization(transaction))
    return toHeaderValue(transaction.successRedirectUrl) ?? `${page}${PAID_RETURN_QUERY}`;
  const isDeclined = transaction.status === 'pending' && transaction.kind === 'custom_form';
  if (isDeclined || transaction.status === 'failed') return toHeaderValue(transaction.failRedirectUrl) ?? page;
  return page;
}

/** Escapes a URL for a header: ASCII only, without escaping twice. */
function toHeaderValue(url: string | null): string | null {
  return url === null ? null : new URL(url).href;
}
