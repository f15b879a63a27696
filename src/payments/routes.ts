import { Hono } from 'hono';
import type { Operation } from '../api/operation.ts';
import { PROOF_HEADER } from '../shared/limits.ts';
import type { EventLog } from '../webhooks/events.ts';
import { listTransactionEvents } from '../api/operations/events.ts';
import * as operations from '../api/operations/payments.ts';
import { erasePayer as erasePayerOperation } from '../api/operations/payers.ts';
import { sendPaymentLink } from '../api/operations/emails.ts';
import { getStatistics } from '../api/operations/statistics.ts';
import { bearerCredential } from '../auth/authentication.ts';
import { type Principal, type ServeApi, unauthorized } from '../operations/principal.ts';
import type { HttpContext, HttpEnv } from '../http/context.ts';
import type { ApiCaller, Identify } from '../operations/serve.ts';
import { Problem } from '../api/problem-error.ts';
import { acceptTransaction } from './review/accept.ts';
import { captureTransaction, voidTransaction } from './authorizations/request.ts';
import { recordBrowserLanguage } from './buyer-language.ts';
import { cancelTransaction } from './cancel.ts';
import { isClientToken } from './links/client-token.ts';
import type { PaymentsContext } from './context.ts';
import { createTransaction } from './create.ts';
import { readTransactionDetail } from './detail.ts';
import { erasePayer } from './erase-payer.ts';
import { expireIfDue } from './expire.ts';
import { requireSupportedCountry } from '../merchants/restricted-countries.ts';
import { createExportResponses } from './listing/export-response.ts';
import { listReaderOf, listTransactions } from './listing/list.ts';
import { refundTransaction } from './refunds/refund.ts';
import { rejectTransaction } from './review/reject.ts';
import { renewTransaction } from './links/renew.ts';
import { findById, findByReference } from './store.ts';
import type { PendingWorkQueries } from './statistics/read.ts';
import { readStatistics } from './statistics/statistics.ts';
import type { BrowserInfo } from '../acquirers/port.ts';
import type { BrowserInfoRequest } from '../api/card-submission.ts';
import { submitCard } from './card/submit.ts';
import type { FiatTransaction } from './schema.ts';
import { sendLink } from './send-link.ts';

/** The submitter of a card: a merchant, or the page of one transaction. */
interface CardSubmitter extends ApiCaller {
  transactionId: number | null;
}

/** The merchant API of fiat transactions. `submit` also accepts a payment page's token. */
export function paymentRoutes(options: {
  context: PaymentsContext;
  eventLog: EventLog;
  pendingWork: PendingWorkQueries;
  identify: Identify<Principal>;
  serve: ServeApi;
}): Hono<HttpEnv> {
  const { context, eventLog, pendingWork: waitingRows, identify, serve } = options;
  const routes = new Hono<HttpEnv>();

  const find = async (
    { merchantId }: { merchantId: number },
    { transaction_id: reference }: { transaction_id: string },
  ): Promise<FiatTransaction> => {
    const transaction = await findByReference(context.database, merchantId, reference);
    if (!transaction) throw new Problem('not_found', `There is no transaction with this transaction_id.`);
    return transaction;
  };
  const readDetail = async (caller: Principal, transaction: FiatTransaction) =>
    await readTransactionDetail(context, context.database, transaction, listReaderOf(caller).canSeePayers);

  serve(
    routes,
    operations.createTransaction,
    async ({ caller, body, storeResponse, requestKey }) =>
      await createTransaction(context, caller.merchantId, body, requestKey === null ? undefined : storeResponse),
    { recreateFields: reissueToken },
  );

  serve(routes, operations.getTransaction, async ({ caller, query }) => {
    return await readDetail(caller, await expireIfDue(context, await find(caller, query)));
  });

  serve(routes, erasePayerOperation, async ({ caller, body }) => await erasePayer(context, caller.merchantId, body));

  serve(routes, listTransactionEvents, async ({ caller, query }) => {
    const { merchantId, id } = await find(caller, query);
    return { events: await eventLog.listByTransaction(merchantId, id) };
  });

  serve(routes, operations.listTransactions, async ({ http, caller, query }) => {
    const list = await context.database.onReplica((reader) => listTransactions(reader, listReaderOf(caller), query));
    if (list.pagination.next_cursor) {
      const next = new URL(http.req.url);
      next.searchParams.delete('page');
      next.searchParams.set('cursor', list.pagination.next_cursor);
      http.header('Link', `<${context.publicUrl}${next.pathname}${next.search}>; rel="next"`);
    }
    return list;
  });

  const exportResponse = createExportResponses(context);
  serve(routes, operations.exportTransactions, async ({ http, caller, query }) =>
    exportResponse(http, listReaderOf(caller), query),
  );

  serve(
    routes,
    getStatistics,
    async ({ caller, query }) =>
      await readStatistics({ ...context, pendingWork: waitingRows }, caller.merchantId, query),
  );

  serve(
    routes,
    operations.submitCard,
    async ({ http, caller, body, requestKey }) => {
      const transaction = await findForSubmitter(caller, body.transaction_id);
      if (caller.transactionId !== null)
        await requireSupportedCountry(context.database, caller.merchantId, http.get('client').country);
      if (caller.transactionId !== null) await recordBrowserLanguage(context, http, transaction);
      // The IP address of a merchant's server is not the buyer's.
      const buyer =
        caller.transactionId === null
          ? { location: null, isOnPage: false, ...browserOf(body.browser) }
          : {
              location: http.get('client'),
              isOnPage: true,
              proof: http.req.header(PROOF_HEADER) ?? null,
              ...browserOf(body.browser, http),
            };
      return await submitCard(context, transaction, body, buyer, requestKey);
    },
    { identify: identifySubmitter },
  );

  serve(routes, operations.acceptTransaction, async ({ caller, body }) => {
    const decision = { by: caller.identity, reason: body.reason ?? null };
    return await readDetail(caller, await acceptTransaction(context, await find(caller, body), decision));
  });

  serve(routes, operations.rejectTransaction, async ({ caller, body, requestKey }) => {
    const decision = { by: caller.identity, reason: body.reason ?? null };
    const options = { isOutOfBand: body.out_of_band ?? false, requestName: requestKey };
    return await readDetail(caller, await rejectTransaction(context, await find(caller, body), decision, options));
  });

  serve(routes, operations.cancelTransaction, async ({ caller, body }) => {
    return await readDetail(caller, await cancelTransaction(context, await find(caller, body)));
  });

  serve(routes, sendPaymentLink, async ({ caller, body, storeResponse }) => {
    const options = { email: body.email ?? null, canSeePayers: listReaderOf(caller).canSeePayers };
    return await sendLink(context, await find(caller, body), options, storeResponse);
  });

  serve(
    routes,
    operations.renewTransaction,
    async ({ caller, body, storeResponse }) => await renewTransaction(context, await find(caller, body), storeResponse),
    { recreateFields: reissueToken },
  );

  serve(routes, operations.captureTransaction, async ({ caller, body, requestKey }) => {
    const options = { amount: body.amount, requestName: requestKey };
    return await readDetail(caller, await captureTransaction(context, await find(caller, body), options));
  });

  serve(routes, operations.voidTransaction, async ({ caller, body, requestKey }) => {
    return await readDetail(caller, await voidTransaction(context, await find(caller, body), requestKey));
  });

  serve(routes, operations.refundTransaction, async ({ caller, body, requestKey }) => {
    const transaction = await find(caller, body);
    const { refunded, numbers } = await refundTransaction(context, transaction, {
      ...{ amount: body.amount, isOutOfBand: body.out_of_band ?? false, requestName: requestKey },
    });
    return { ...(await readDetail(caller, refunded)), requested_refunds: numbers };
  });
  return routes;

  /** For a page's token, every other reference gets the same response, whether it exists or not. */
  async function findForSubmitter(submitter: CardSubmitter, reference: string): Promise<FiatTransaction> {
    if (submitter.transactionId === null) return await find(submitter, { transaction_id: reference });
    const transaction = await findById(context.database, submitter.merchantId, submitter.transactionId);
    if (transaction?.reference !== reference) throw unauthorized('The token belongs to another payment.');
    return transaction;
  }

  async function reissueToken(
    { merchantId }: { merchantId: number },
    response: Readonly<Record<string, unknown>>,
  ): Promise<{ client_token?: string }> {
    if (response.type !== 'custom_form') return {};
    const { id: transactionId } = await find({ merchantId }, { transaction_id: String(response.transaction_id) });
    return { client_token: context.clientTokens.issue({ merchantId, transactionId }, context.clock.now()) };
  }

  /** A merchant's token may submit any of its transactions, a page's token only its own transaction. */
  async function identifySubmitter(
    http: HttpContext,
    operation: Pick<Operation, 'scope' | 'method'>,
  ): Promise<CardSubmitter> {
    const credential = bearerCredential(http.req.header('authorization'));
    if (!credential || !isClientToken(credential)) {
      const { merchantId, identity } = await identify(http, operation);
      return { merchantId, identity, transactionId: null };
    }
    const grant = context.clientTokens.verify(credential, context.clock.now());
    if (!grant) throw unauthorized('The page token has expired. Reload the page and try again.');
    return { ...grant, identity: `page ${grant.transactionId}`, isOnPage: true };
  }
}

/** The buyer's browser: headers come from their own request, or for a merchant's server from the body. */
function browserOf(
  browser: BrowserInfoRequest | undefined,
  http?: HttpContext,
): { browser?: BrowserInfo; ipAddress?: string } {
  const userAgent = http ? http.req.header('user-agent') : browser?.user_agent;
  const acceptHeader = http ? (http.req.header('accept') ?? '*/*') : browser?.accept_header;
  if (!browser || userAgent === undefined || acceptHeader === undefined) return {};
  return {
    browser: {
      ...{ userAgent, acceptHeader, language: browser.language, colorDepth: browser.color_depth },
      ...{ screenWidth: browser.screen_width, screenHeight: browser.screen_height },
      ...{ timeZoneOffsetMinutes: browser.time_zone_offset, javaEnabled: browser.java_enabled },
    },
    ...(!http && browser.ip_address !== undefined && { ipAddress: browser.ip_address }),
  };
}
