import { Hono } from 'hono';
import { z } from 'zod';
import { beginMethodRequest } from '../contract/instructions.ts';
import { bearerCredential, unauthorized } from '../merchants/authentication.ts';
import { readBody } from '../platform/http/body.ts';
import { describeError } from '../platform/log.ts';
import type { HttpContext, HttpEnv } from '../platform/http/context.ts';
import { Problem } from '../platform/problem.ts';
import { requireSupportedCountry } from '../merchants/restricted-countries.ts';
import { abandonOpenChallenge } from './abandon.ts';
import { linkPath, linkUrl, type PaymentsContext, providerOf } from './context.ts';
import { asksForFrame, embeddingOf } from './embedding.ts';
import { answerFramed } from './frame-routes.ts';
import { beginMethod } from './instruct.ts';
import { openLink } from './open-link.ts';
import { describePage, pageStatus } from './page-state.ts';
import type { PaymentPages } from './pages.ts';
import { settle } from './settle.ts';
import { listAttempts } from './store.ts';
import type { FiatTransaction } from './transaction.ts';

/** What a buyer's browser asks for: the page, its state, the way back from a challenge. */
export function linkRoutes(options: { context: PaymentsContext; pages: PaymentPages }): Hono<HttpEnv> {
  const { context, pages } = options;

  const open = async (http: HttpContext) => await openLink(context, http);
  /** The same, for whoever holds the page's token. */
  const openOwn = async (http: HttpContext) => {
    const credential = bearerCredential(http.req.header('authorization'));
    const grant = credential ? context.clientTokens.verify(credential, context.clock.now()) : null;
    if (!grant) throw unauthorized('The page has been open for too long. Reload it and try again.');
    const transaction = await open(http);
    if (grant.transactionId !== transaction.id) throw unauthorized('The token belongs to another payment.');
    return transaction;
  };
  const describe = async (http: HttpContext, transaction: FiatTransaction) =>
    await describePage(context, transaction, http.get('clientCountry'));
  const languageOf = (http: HttpContext) => ({
    locale: undefined,
    acceptLanguage: http.req.header('accept-language'),
  });

  return (
    new Hono<HttpEnv>()
      .get('/p/:linkId', async (http) => {
        if (asksForFrame(http)) return await answerFramed(context, http, pages.renderLinkPage);
        const transaction = await open(http);
        const state = await describe(http, transaction);
        const page = pages.renderLinkPage(
          { state, linkPath: linkPath(transaction.linkId), embedding: null },
          languageOf(http),
        );
        http.header('Content-Security-Policy', page.contentSecurityPolicy);
        http.header('Vary', 'Accept-Language');
        return http.html(page.html, pageStatus(state.phase));
      })

      .get('/p/:linkId/state', async (http) => http.json(await describe(http, await open(http))))

      // The buyer begins a method that is no card: what they need is made, or what was made is answered.
      .post('/p/:linkId/method', async (http) => {
        const transaction = await openOwn(http);
        const { payment_method, choice } = await readBody(http, beginMethodRequest);
        await requireSupportedCountry(context.database, transaction.merchantId, http.get('clientCountry'));
        const payer = { address: http.get('clientAddress'), country: http.get('clientCountry'), isOnPage: true };
        await beginMethod(context, transaction, { paymentMethod: payment_method, choice: choice ?? null }, payer);
        return http.json(await describe(http, await open(http)));
      })

      .post('/p/:linkId/abandon', async (http) => {
        const transaction = await openOwn(http);
        await readBody(http, z.strictObject({}));
        const left = await abandonOpenChallenge(context, transaction);
        if (left === 'none') throw new Problem('no_challenge', 'No confirmation is open for this payment any more.');
        if (left === 'still_open') {
          throw new Problem(
            'provider_unavailable',
            'The confirmation could not be ended just now. Try again in a minute.',
          );
        }
        return http.json(await describe(http, await open(http)));
      })

      // The issuer sends the buyer here. Nothing in the address is believed: the provider is asked.
      .on(['GET', 'POST'], '/p/:linkId/return', async (http) => {
        await followChallenge(context, await open(http));
        const transaction = await open(http);
        // In a frame of its own inside our page the buyer must not end at the shop: the page around it goes on.
        if (http.req.header('sec-fetch-dest') === 'iframe') {
          const embedding = await embeddingOf(context, transaction.merchantId);
          const page = pages.renderChallengeEnd(embedding, languageOf(http));
          http.header('Content-Security-Policy', page.contentSecurityPolicy);
          return http.html(page.html);
        }
        return http.redirect(whereTo(context, transaction), 303);
      })
  );
}

/** Asks the provider what became of the challenge that is open; a provider that fails is asked again later. */
async function followChallenge(context: PaymentsContext, transaction: FiatTransaction): Promise<void> {
  if (transaction.status !== 'waiting') return;
  const attempts = await listAttempts(context.database, transaction);
  const challenged = attempts.find((attempt) => attempt.state === 'challenge');
  const provider = challenged && providerOf(context, challenged);
  if (!provider) return;
  try {
    const outcome = await provider.lookUp(challenged.attemptKey);
    if (outcome) await settle(context, challenged.attemptKey, outcome);
  } catch (error) {
    context.log.warn({ provider: provider.name, error: describeError(error) }, 'a provider could not be asked');
  }
}

/**
 * After a success to the shop; after a refusal back to the page with the choice of another card, or to
 * the merchant's own form when the card was typed there.
 */
function whereTo(context: PaymentsContext, transaction: FiatTransaction): string {
  const page = linkUrl(context, transaction.linkId);
  if (transaction.status === 'confirmed') return asHeader(transaction.successRedirectUrl) ?? page;
  const decided = transaction.status === 'pending' || transaction.status === 'failed';
  if (decided && transaction.kind === 'custom_form') return asHeader(transaction.failRedirectUrl) ?? page;
  return page;
}

/** A merchant's address as a header can carry it: ASCII only, what was escaped already left as it is. */
function asHeader(url: string | null): string | null {
  return url === null ? null : new URL(url).href;
}
