import { sql } from 'kysely';
import type { Fixture } from './fixture.ts';

/**
 * Moves the number of the last event of a payment (by its reference) or an invoice (by its ID). Moved back by one, the
 * next event has a number that is in use, so every change of the record fails.
 */
export async function moveLastEventNumber(
  fixture: Fixture,
  record: { payment: string } | { invoice: string },
  by: 1 | -1,
): Promise<void> {
  const [table, column, value] =
    'payment' in record
      ? ['fiat_transactions', 'transaction_id', record.payment]
      : ['crypto_transactions', 'public_id', record.invoice];
  await sql`
    update ${sql.table(table)} set sequence = sequence + ${by} where ${sql.ref(column)} = ${value}`.execute(
    fixture.service().database.query,
  );
}
