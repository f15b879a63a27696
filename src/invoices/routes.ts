import { Hono } from 'hono';
import { cryptoCurrencies } from '../shared/crypto-currency.ts';
import * as operations from '../api/operations/invoices.ts';
import { requireScope, type ServeApi } from '../operations/principal.ts';
import type { HttpEnv } from '../http/context.ts';
import { Problem } from '../api/problem-error.ts';
import type { InvoicesContext } from './context.ts';
import { createInvoice } from './create.ts';
import { approveTransaction, rejectTransaction } from './review.ts';
import { readApiTransactions, readApiTransaction } from './api-transaction.ts';
import { listTransactions } from './list.ts';
import { readInvoiceRules } from '../wallets/rules.ts';
import { listBalances, listWallets } from './list-wallets.ts';
import { rotateWallet } from './rotate.ts';
import { findByPublicId, findByReference } from './store.ts';

/** API routes of crypto transactions, currencies and wallets. */
export function invoiceRoutes({ context, serve }: { context: InvoicesContext; serve: ServeApi }): Hono<HttpEnv> {
  const { database } = context;
  const routes = new Hono<HttpEnv>();

  serve(
    routes,
    operations.createInvoice,
    async ({ caller, body, storeResponse, requestKey }) =>
      await createInvoice(context, caller.merchantId, body, requestKey === null ? undefined : storeResponse),
  );

  serve(routes, operations.getCryptoTransaction, async ({ caller, query }) => {
    const { txId, code, id } = query;
    const byReference = txId !== undefined && code !== undefined;
    const transaction =
      id !== undefined
        ? await findByPublicId(database, caller.merchantId, id)
        : byReference && (await findByReference(database, caller.merchantId, txId, code));
    if (!transaction) throw new Problem('not_found', 'No crypto transaction matches this ID, or this txId and code.');
    return await readApiTransaction(context, database, transaction);
  });

  serve(routes, operations.listCryptoTransactions, async ({ caller, query }) => {
    const { transactions, next_cursor } = await database.onReplica((reader) =>
      listTransactions(reader, context.chains, caller.merchantId, query),
    );
    return { transactions: await readApiTransactions(context, database, transactions), next_cursor };
  });

  serve(
    routes,
    operations.approveCryptoTransaction,
    async ({ caller: { merchantId, identity }, body, storeResponse }) =>
      await approveTransaction(
        context,
        merchantId,
        { id: body.id, reviewer: identity, reason: body.reason ?? null },
        storeResponse,
      ),
  );

  serve(routes, operations.rejectCryptoTransaction, async ({ caller, body, storeResponse }) => {
    const { merchantId, identity } = caller;
    // A refund address makes this a payout.
    if (body.refundAddress !== undefined) requireScope(caller, 'withdrawal:write');
    const request = { id: body.id, reviewer: identity, reason: body.reason ?? null };
    return await rejectTransaction(
      context,
      merchantId,
      { ...request, refundAddress: body.refundAddress ?? null },
      storeResponse,
    );
  });

  serve(routes, operations.listCurrencies, async ({ caller }) => ({
    currencies: await Promise.all(
      context.chains.currencies.map(async (code) => {
        const { name, chain, decimals, minUnits } = cryptoCurrencies[code];
        const { minAmount, minConfirmations } = await readInvoiceRules(database, caller.merchantId, code);
        const effectiveMinimum = minAmount > minUnits ? minAmount : minUnits;
        return { code, name, chain, decimals, minAmount: effectiveMinimum.toString(), minConfirmations };
      }),
    ),
  }));
  serve(routes, operations.listBalances, async ({ caller }) => await listBalances(context, caller.merchantId));

  serve(
    routes,
    operations.listWallets,
    async ({ caller, query }) => await listWallets(context, caller.merchantId, query),
  );

  serve(routes, operations.rotateWallet, async ({ caller, body }) => {
    return await rotateWallet(context, caller.merchantId, body.walletAddress);
  });
  return routes;
}
