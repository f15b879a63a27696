import { z } from 'zod';
import { transactionDetail, wireStatuses } from './fiat-transaction.ts';

/**
 * Body of a callback (Standard Webhooks): `data` is what `GET /fiat/v1/transaction` answered at that
 * moment, with the status before and the number of the change within its transaction (from 1, no gaps).
 */
export const fiatTransactionUpdated = z.object({
  type: z.literal('fiat.transaction.updated'),
  timestamp: z.string(),
  data: transactionDetail.extend({ previous_status: z.enum(wireStatuses), sequence: z.number().int() }),
});
export type FiatTransactionUpdated = z.infer<typeof fiatTransactionUpdated>;
