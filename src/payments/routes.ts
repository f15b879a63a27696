import { Hono } from 'hono';
import { cardSubmissionRequest } from '../contract/card-submission.ts';
import {
  acceptTransactionRequest,
  cancelTransactionRequest,
  createTransactionRequest,
  transactionListQuery,
  transactionQuery,
} from '../contract/fiat-transaction.ts';
import { toMillis } from '../contract/time.ts';
import { type Authenticate, bearerCredential, unauthorized } from '../merchants/authentication.ts';
import { readBody } from '../platform/http/body.ts';
import type { HttpContext, HttpEnv } from '../platform/http/context.ts';
import { readQuery } from '../platform/http/query.ts';
import { Problem } from '../platform/problem.ts';
import { acceptTransaction } from './accept.ts';
import { cancelTransaction } from './cancel.ts';
import { looksLikeClientToken } from './client-token.ts';
import type { PaymentsContext } from './context.ts';
import { createTransaction } from './create.ts';
import { describeTransaction } from './detail.ts';
import { expireIfDue } from './expire.ts';
import { requireSupportedCountry } from '../merchants/restricted-countries.ts';
import { listTransactions } from './list.ts';
import { findById, findByReference } from './store.ts';
import { submitCard } from './submit.ts';
import type { FiatTransaction } from './transaction.ts';

/** Who submits a card: a merchant, or the page of one transaction. */
interface Submitter {
  merchantId: number;
  transactionId: number | null;
}

/** The merchant's API of fiat transactions; `submit` also takes a payment page's own token. */
export function paymentRoutes(options: { context: PaymentsContext; authenticate: Authenticate }): Hono<HttpEnv> {
  const { context, authenticate } = options;

  const find = async (merchantId: number, reference: string): Promise<FiatTransaction> => {
    const found = await findByReference(context.database, merchantId, reference);
    if (!found) throw new Problem('not_found', `There is no transaction with this transaction_id.`);
    return found;
  };
  const bearer = (http: HttpContext) => http.req.header('authorization');

  return new Hono<HttpEnv>()
    .post('/fiat/v1/transaction', async (http) => {
      const { merchantId } = await authenticate(bearer(http), 'link:write');
      const request = await readBody(http, createTransactionRequest);
      return http.json(await createTransaction(context, merchantId, request));
    })

    .get('/fiat/v1/transaction', async (http) => {
      const { merchantId } = await authenticate(bearer(http), 'transaction:read');
      const { transaction_id } = readQuery(http, transactionQuery);
      const transaction = await expireIfDue(context, await find(merchantId, transaction_id));
      return http.json(await describeTransaction(context, context.database, transaction));
    })

    .get('/fiat/v1/transactions', async (http) => {
      const { merchantId } = await authenticate(bearer(http), 'transaction:read');
      const list = await listTransactions(context.database, merchantId, readQuery(http, transactionListQuery));
      if (list.pagination.next_cursor) {
        const next = new URL(http.req.url);
        next.searchParams.delete('page');
        next.searchParams.set('cursor', list.pagination.next_cursor);
        http.header('Link', `<${context.publicUrl}${next.pathname}${next.search}>; rel="next"`);
      }
      return http.json(list);
    })

    .post('/fiat/v1/transaction/submit', async (http) => {
      const principal = await whoSubmits(http);
      const submission = await readBody(http, cardSubmissionRequest(toMillis(context.clock.now())));
      const transaction = await findSubmitted(principal, submission.transaction_id);
      if (principal.transactionId !== null) {
        await requireSupportedCountry(context.database, principal.merchantId, http.get('clientCountry'));
      }
      // A merchant's own server says nothing about where the payer is.
      const payer =
        principal.transactionId === null
          ? { address: null, country: null, isOnPage: false }
          : { address: http.get('clientAddress'), country: http.get('clientCountry'), isOnPage: true };
      return http.json(await submitCard(context, transaction, submission, payer));
    })

    .post('/fiat/v1/transaction/accept', async (http) => {
      const { merchantId } = await authenticate(bearer(http), 'approval:write');
      const { transaction_id } = await readBody(http, acceptTransactionRequest);
      const transaction = await acceptTransaction(context, await find(merchantId, transaction_id));
      return http.json(await describeTransaction(context, context.database, transaction));
    })

    .post('/fiat/v1/transaction/cancel', async (http) => {
      const { merchantId } = await authenticate(bearer(http), 'link:write');
      const { transaction_id } = await readBody(http, cancelTransactionRequest);
      const transaction = await cancelTransaction(context, await find(merchantId, transaction_id));
      return http.json(await describeTransaction(context, context.database, transaction));
    });

  /** A page's token is told nothing about references other than its own, not even that there are none. */
  async function findSubmitted(principal: Submitter, reference: string): Promise<FiatTransaction> {
    if (principal.transactionId === null) return await find(principal.merchantId, reference);
    const own = await findById(context.database, principal.merchantId, principal.transactionId);
    if (own?.reference !== reference) throw unauthorized('The token belongs to another payment.');
    return own;
  }

  /** A merchant's token may submit any of its transactions, a page's token the one it was made for. */
  async function whoSubmits(http: HttpContext): Promise<Submitter> {
    const credential = bearerCredential(bearer(http));
    if (!credential || !looksLikeClientToken(credential)) {
      const { merchantId } = await authenticate(bearer(http), 'card:submit');
      return { merchantId, transactionId: null };
    }
    const grant = context.clientTokens.verify(credential, context.clock.now());
    if (!grant) throw unauthorized('The page has been open for too long. Reload it and try again.');
    return grant;
  }
}
