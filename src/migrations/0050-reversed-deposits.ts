import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Makes deposits reversible. Adds the amount that a merchant accepted as the payment, the deposit that another one
 * replaces, and the time when a chain was last read to its tip. Earlier versions did not reverse dropped deposits, so
 * payment links with a receipt whose deposit is no longer on the chain are checked once more. Other links are not
 * checked: rounding of their parts could change their receipts.
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
            and receipt.payment_instructions_id = payment_instructions.id
            and not exists (
              select 1 from chain_payments as deposit
              join coin_payments as coin on coin.crypto_transaction_id = deposit.crypto_transaction_id
              join crypto_transactions as paid on paid.id = deposit.crypto_transaction_id
              join chain_cursors as tip on tip.chain = deposit.chain
              where coin.instructions_key = payment_instructions.instructions_key
                and deposit.payment_key = receipt.receipt_key
                and ((deposit.state = 'mined' and deposit.counts_at <= tip.height)
                  or (deposit.state = 'waiting' and paid.min_confirmations = 0))))`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};
