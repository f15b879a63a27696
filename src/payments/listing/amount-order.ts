import { sql } from 'kysely';

/**
 * The `amount` of a transaction as the API writes it, for ordering and search across currencies. The index
 * `fiat_transactions_amount` has the same expression: a currency that does not have two decimals belongs in both.
 */
export const amountExpression = sql<number>`(amount_minor / case currency when 'VND' then 1.0 else 100.0 end)`;
