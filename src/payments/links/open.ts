import type { ClientLocation, HttpContext } from '../../http/context.ts';
import { Problem } from '../../api/problem-error.ts';
import type { PaymentsContext } from '../context.ts';
import { expireIfDue } from '../expire.ts';
import { findByLink, recordBuyerLocation } from '../store.ts';
import type { FiatTransaction } from '../schema.ts';

/** Finds the transaction of a buyer's request, expires it if due, and records the first view. */
export async function openLink(context: PaymentsContext, http: HttpContext): Promise<FiatTransaction> {
  return await recordFirstView(context, await findLink(context, http), http.get('client'));
}

/** Finds the transaction of a link without recording a view, for requests of the merchant. */
export async function findLink(context: PaymentsContext, http: HttpContext): Promise<FiatTransaction> {
  const transaction = await findByLink(context.database, http.req.param('linkId') ?? '');
  if (!transaction)
    throw new Problem(
      'not_found',
      'There is no payment at this address. Check the link, or ask the merchant for a new one.',
    );
  return await expireIfDue(context, transaction);
}

/** Records the buyer's likely location on the first view. The submission records the final one. */
async function recordFirstView(
  context: PaymentsContext,
  transaction: FiatTransaction,
  client: ClientLocation,
): Promise<FiatTransaction> {
  const { buyerCountry, buyerNetwork } = transaction;
  const isFirst = client.country === null ? buyerNetwork === null && client.address !== '' : buyerCountry === null;
  if (transaction.status !== 'pending' || !isFirst) return transaction;
  return await context.database.writeOne(async (runner) => await recordBuyerLocation(runner, transaction, client));
}
