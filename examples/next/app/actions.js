'use server';

import * as shop from '../../server.mjs';

/** Asks the payment service. Browser events are hints and prove nothing. */
export async function isPaid(reference) {
  return await shop.isPaid(reference);
}
