import { createHash } from 'node:crypto';
import { minorUnitsOf } from '../../api/currency.ts';
import type { PayerDetails } from '../../api/payer.ts';
import { Problem } from '../../api/problem-error.ts';
import type { UnitOfWork } from '../../database/database.ts';
import { networkOf } from '../../http/address.ts';
import type { ClientLocation } from '../../http/context.ts';
import { amountNumber } from '../../shared/money.ts';
import { MINUTE } from '../../shared/time.ts';
import type { PaymentsContext } from '../context.ts';
import { createTransaction } from '../create.ts';
import { db, type ReusableLink } from '../schema.ts';
import { reusableLinkPath } from './manage.ts';
import { RESERVATION_LIFETIME, reserveStock } from './stock.ts';

/** The entered fields of the buyer's form. */
export interface Order {
  /** Unit price. */
  unitMinor: bigint;
  quantity: number;
  payer: PayerDetails;
}

/**
 * Maximum open transactions that one network can start through a link within half an hour: fewer for a link with stock,
 * because each reserves part of it. Many buyers, such as an audience, can share one network.
 */
const OPEN_PER_NETWORK = { withStock: 20, unlimited: 100 };
const OPEN_WINDOW = 30 * MINUTE;

/**
 * Creates the transaction of a buyer and returns the path of its payment page. The same form sent twice returns the
 * same transaction. Throws a `Problem`: `sold_out`, `rate_limited`, or if the link cannot be paid at the moment.
 */
export async function buy(
  context: PaymentsContext,
  link: ReusableLink,
  { unitMinor, quantity, payer }: Order,
  { nonce, buyer }: { nonce: string; buyer: ClientLocation },
): Promise<string> {
  const ownPath = reusableLinkPath(link.publicId);
  const request = createRequest(link, { unitMinor, quantity, payer }, context.publicUrl + ownPath, nonce);
  const { merchantId, publicId, stock } = link;
  const created = await createTransaction(context, merchantId, request, undefined, {
    ...{ reusableLinkId: publicId, quantity, buyer },
    maximumLifetime: stock === null ? null : RESERVATION_LIFETIME,
    async reserve(unit) {
      const lockedStock = await reserveStock(unit, { merchantId, publicId, quantity });
      // The lifetime of the transaction was determined without the stock.
      if (stock === null && lockedStock !== null)
        throw new Problem('transaction_id_conflict', 'The reusable link was changed in the meantime.');
      await limitOpenTransactions(context, unit, link, buyer);
    },
  });
  // The form of a transaction that failed in the meantime: the buyer starts again.
  if (created.type !== 'link' || created.status === 'transaction_status_failed') return ownPath;
  return new URL(created.value.link).pathname;
}

function createRequest(link: ReusableLink, { unitMinor, quantity, payer }: Order, ownUrl: string, nonce: string) {
  const units = minorUnitsOf(link.currency);
  const entered = JSON.stringify([nonce, String(unitMinor), quantity, payer]);
  const hash = createHash('sha256').update(entered).digest('base64url').slice(0, 20);
  const item = {
    ...{ name: link.title, quantity, unit_amount: amountNumber(unitMinor, units) },
    ...(link.imageUrl !== null && { image_url: link.imageUrl }),
  };
  return {
    transaction_id: `${link.publicId.slice(0, 8)}-${hash}`,
    transaction_type: 'link' as const,
    payment_method: link.paymentMethod,
    amount: amountNumber(unitMinor * BigInt(quantity), units),
    ...{ country: link.country, currency: link.currency, description: link.title },
    type_of_calculation: link.feeCalculation,
    ...(link.successRedirectUrl !== null && { success_redirect_url: link.successRedirectUrl }),
    fail_redirect_url: link.failRedirectUrl ?? ownUrl,
    ...(Object.keys(payer).length > 0 && { payer }),
    ...(link.metadata && { metadata: link.metadata }),
    ...((quantity > 1 || link.imageUrl !== null) && { line_items: [item] }),
  };
}

/** Throws `rate_limited` if the buyer's network has too many open transactions through the link. */
async function limitOpenTransactions(
  context: PaymentsContext,
  unit: UnitOfWork,
  { merchantId, publicId, stock }: ReusableLink,
  { address }: ClientLocation,
): Promise<void> {
  const network = networkOf(address);
  if (network === null) return;
  const { open } = await db(unit)
    .selectFrom('fiat_transactions')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('merchant_id', '=', merchantId)
    .where('reusable_link_id', '=', publicId)
    .where('status', 'in', ['pending', 'waiting'])
    .where('buyer_network', '=', network)
    .where('created_at', '>', context.clock.now() - OPEN_WINDOW)
    .executeTakeFirstOrThrow();
  const limit = stock === null ? OPEN_PER_NETWORK.unlimited : OPEN_PER_NETWORK.withStock;
  if (open >= limit)
    throw new Problem('rate_limited', 'Too many payments were started from this network. Try again later.');
}
