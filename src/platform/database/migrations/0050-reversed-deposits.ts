import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Deposits that can be reversed: the amount that a merchant accepted as the payment, the deposit that another one
 * replaces, and when a chain was last read to its end. Payment links that were paid in coins are checked once more,
 * since earlier versions kept the credit of vanished deposits.
 */
export const reversedDeposits: Migration = {
  async up(query: Kysely<unknown>) {
    const statements = [
      'alter table fiat_transactions add column accepted_minor bigint',
      `update fiat_transactions set accepted_minor = amount_received_minor
        where status = 'confirmed' and decided_by is not null`,
      'alter table chain_payments add column replaces_id bigint',
      'alter table chain_cursors add column read_to_end_at bigint',
      `update payment_instructions set next_check_at = 0, checks_made = 0
        where provider = 'chains' and state in ('paid', 'withdrawn', 'expired') and exists (
          select 1 from payment_receipts as receipt
          where receipt.merchant_id = payment_instructions.merchant_id
            and receipt.payment_instructions_id = payment_instructions.id)`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
