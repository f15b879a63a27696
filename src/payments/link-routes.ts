import { Hono } from 'hono';
import { z } from 'zod';
import type { PageState } from '../contract/page-state.ts';
import { bearerCredential, unauthorized } from '../merchants/authentication.ts';
import { readBody } from '../platform/http/body.ts';
import { describeError } from '../platform/log.ts';
import type { HttpContext, HttpEnv } from '../platform/http/context.ts';
import { Problem } from '../platform/problem.ts';
import { abandonOpenChallenge } from './abandon.ts';
import type { ClientTokens } from './client-token.ts';
import { linkUrl, type PaymentsContext, providerOf } from './context.ts';
import { expireIfDue } from './expire.ts';
import { describePage, pageStatus } from './page-state.ts';
import { settle } from './settle.ts';
import { findByLink, listAttempts, rememberBuyerCountry } from './store.ts';
import type { FiatTransaction } from './transaction.ts';

/** Draws the link page: its whole HTML and the policy that it needs. */
export type RenderLinkPage = (
  state: PageState,
  request: { acceptLanguage: string | undefined },
) => { html: string; contentSecurityPolicy: string };

/** What a buyer's browser asks for: the page, its state, the way back from a challenge. */
export function linkRoutes(options: {
  context: PaymentsContext;
  clientTokens: ClientTokens;
  render: RenderLinkPage;
}): Hono<HttpEnv> {
  const { context, clientTokens } = options;

  const open = async (http: HttpContext): Promise<FiatTransaction> => {
    const found = await findByLink(context.database, http.req.param('linkId') ?? '');
    if (!found)
      throw new Problem(
        'not_found',
        'There is no payment at this address. Check the link, or ask the shop for a new one.',
      );
    const transaction = await expireIfDue(context, found);
    await noteFirstCountry(transaction, http.get('clientCountry'));
    return transaction;
  };
  /** The first look says where the buyer may be; the submit says it for certain. */
  const noteFirstCountry = async (transaction: FiatTransaction, country: string | null) => {
    if (transaction.status !== 'pending' || transaction.buyerCountry !== null || country === null) return;
    await context.database.inUnit(async (unit) => await rememberBuyerCountry(unit, transaction, country));
  };
  const describe = async (http: HttpContext, transaction: FiatTransaction) =>
    await describePage(context, clientTokens, transaction, http.get('clientCountry'));

  return (
    new Hono<HttpEnv>()
      .get('/p/:linkId', async (http) => {
        const transaction = await open(http);
        const state = await describe(http, transaction);
        const page = options.render(state, { acceptLanguage: http.req.header('accept-language') });
        http.header('Content-Security-Policy', page.contentSecurityPolicy);
        http.header('Vary', 'Accept-Language');
        return http.html(page.html, pageStatus(state.phase));
      })

      .get('/p/:linkId/state', async (http) => http.json(await describe(http, await open(http))))

      .post('/p/:linkId/abandon', async (http) => {
        const credential = bearerCredential(http.req.header('authorization'));
        const grant = credential ? clientTokens.verify(credential, context.clock.now()) : null;
        if (!grant) throw unauthorized('The page has been open for too long. Reload it and try again.');
        const transaction = await open(http);
        if (grant.transactionId !== transaction.id) throw unauthorized('The token belongs to another payment.');
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
        return http.redirect(await whereTo(context, await open(http)), 303);
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
async function whereTo(context: PaymentsContext, transaction: FiatTransaction): Promise<string> {
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
