import type { ClientLocation, HttpContext } from '../../http/context.ts';
import { Problem } from '../../api/problem-error.ts';
import type { PaymentsContext } from '../context.ts';
import { expireIfDue } from '../expire.ts';
import { findByLink, recordBuyerLocation } from '../store.ts';
import type { FiatTransaction } from '../schema.ts';

/** The transaction that a buyer's request is about, as it is now. */
export async function openLink(context: PaymentsContext, http: HttpContext): Promise<FiatTransaction> {
  return await recordFirstView(context, await findLink(context, http), http.get('client'));
}

/** The same for somebody who is not the buyer: who looks is not written down. */
export async function findLink(context: PaymentsContext, http: HttpContext): Promise<FiatTransaction> {
  const found = await findByLink(context.database, http.req.param('linkId') ?? '');
  if (!found)
    throw new Problem(
      'not_found',
      'There is no payment at this address. Check the link, or ask the shop for a new one.',
    );
  return await expireIfDue(context, found);
}

/** The first look says where the buyer may be; the submit says it for certain. */
async function recordFirstView(
  context: PaymentsContext,
  transaction: FiatTransaction,
  client: ClientLocation,
): Promise<FiatTransaction> {
  const { buyerCountry, buyerNetwork } = transaction;
  const isNews = client.country === null ? buyerNetwork === null && client.address !== '' : buyerCountry === null;
  if (transaction.status !== 'pending' || !isNews) return transaction;
  return await context.database.alone(async (on) => await recordBuyerLocation(on, transaction, client));
}
