import { sql } from 'kysely';
import { currencyCodes, minorUnitsOf } from '../../api/currency.ts';

const codesWith = (decimals: number) =>
  currencyCodes
    .filter((code) => minorUnitsOf(code) === decimals)
    .map((code) => `'${code}'`)
    .join(', ');

/**
 * SQL for a transaction's `amount` in major units, to order and search across currencies. The index
 * `fiat_transactions_amount` has the same expression: a currency without two decimals must be added to both.
 */
export const amountExpression = sql.raw<number>(
  `(amount_minor / case when currency in (${codesWith(0)}) then 1.0 when currency in (${codesWith(3)}) then 1000.0 else 100.0 end)`,
);
