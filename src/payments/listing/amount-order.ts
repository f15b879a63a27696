import { sql } from 'kysely';

/**
 * SQL for a transaction's `amount` in whole units, to order and search across currencies. The index
 * `fiat_transactions_amount` has the same expression: a currency without two decimals must be added to both.
 */
export const amountExpression = sql<number>`(amount_minor / case currency when 'VND' then 1.0 else 100.0 end)`;
