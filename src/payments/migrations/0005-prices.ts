import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const table = (name: string) => {
  const ofTransaction = (column: string) =>
    `(select ${column} from fiat_transactions as paid where paid.merchant_id = ${name}.merchant_id and paid.id = ${name}.fiat_transaction_id)`;
  return [
    `alter table ${name} add column amount_minor bigint not null default 0`,
    `alter table ${name} add column fee_fix_minor bigint not null default 0`,
    `alter table ${name} add column fee_percent_millionths bigint not null default 0`,
    `update ${name} set amount_minor = ${ofTransaction('amount_charged_minor')},
      fee_fix_minor = ${ofTransaction('fee_fix_minor')},
      fee_percent_millionths = ${ofTransaction('fee_percent_millionths')}`,
  ];
};

const receiptsOf = (transaction: string) =>
  `from payment_receipts as receipt
    join payment_instructions as instructions on instructions.id = receipt.payment_instructions_id
    where receipt.merchant_id = ${transaction}.merchant_id and receipt.fiat_transaction_id = ${transaction}.id`;

/**
 * Adds the amount and fee of each attempt and of instructions: one may be paid while another is open. Existing rows get
 * the transaction's current fee, which differs if the buyer has switched methods.
 */
export const prices: Migration = {
  async up(query: Kysely<unknown>) {
    for (const statement of [
      ...table('card_attempts'),
      ...table('payment_instructions'),
      "alter table card_attempts add column payment_method text not null default 'credit_card'",
      // Instructions after a partial payment were for the remaining amount.
      `update payment_instructions set amount_minor = amount_minor - coalesce((
        select sum(receipt.amount_minor) from payment_receipts as receipt
        where receipt.merchant_id = payment_instructions.merchant_id
          and receipt.fiat_transaction_id = payment_instructions.fiat_transaction_id
          and receipt.payment_instructions_id <> payment_instructions.id
          and receipt.created_at <= payment_instructions.created_at), 0)`,
      // Closed instructions are polled for late payments.
      `update payment_instructions set next_check_at = 0, checks_made = 0
        where next_check_at is null and state in ('paid', 'withdrawn', 'expired')`,
      // A partial payment is completed by its own method.
      `update fiat_transactions set payment_method = (
        select instructions.payment_method ${receiptsOf('fiat_transactions')} order by receipt.id limit 1)
        where status <> 'confirmed' and exists (select 1 ${receiptsOf('fiat_transactions')})`,
    ]) {
      await sql.raw(statement).execute(query);
    }
  },
};
