import { type SqlBool, sql } from 'kysely';
import type { Runner } from '../database/engine.ts';
import { hasDeposit } from '../deposits/deposit.ts';
import type { CryptoStatus } from '../shared/crypto-status.ts';
import type { WalletUse } from '../wallets/context.ts';
import { isExactAmount } from './evaluate.ts';
import type { Instant } from '../shared/time.ts';
import { db } from './schema.ts';

/** Statuses of an invoice that awaits a deposit, confirmations or review. */
const openStatuses = ['pending', 'waiting', 'confirmed', 'approved_required'];

export const walletUse: WalletUse = {
  hasDeposit,
  hasUnminedDeposit: (reader, walletId) => hasDeposit(reader, walletId, { state: 'waiting' }),
  wasPayableSince(reader, walletId, moment) {
    const transactions = db(reader)
      .selectFrom('crypto_transactions as former')
      .select('former.id')
      .where('former.wallet_id', '=', walletId)
      .where((eb) =>
        eb.or([
          eb('former.status', '<>', 'failed'),
          eb('former.expires_at', 'is', null),
          eb('former.expires_at', '>=', moment),
        ]),
      );
    return sql<SqlBool>`exists ${transactions}`;
  },
  async findByInvoiceAmount(reader, walletIds, amount) {
    const invoices = await db(reader)
      .selectFrom('crypto_transactions')
      .select(['wallet_id', 'amount_required'])
      .where('wallet_id', 'in', walletIds)
      .where('kind', '=', 'invoice')
      .execute();
    const isSameAmount = (required: string | null) => isExactAmount(amount, BigInt(required ?? 0));
    return new Set(invoices.filter((row) => isSameAmount(row.amount_required)).map((row) => row.wallet_id));
  },
  async readLastInvoiceStatus(reader, walletId) {
    const last = await db(reader)
      .selectFrom('crypto_transactions')
      .select('status')
      .where('wallet_id', '=', walletId)
      .where('kind', '=', 'invoice')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return last?.status as CryptoStatus | undefined;
  },
  async hasOpenInvoice(reader, walletId) {
    const open = await openInvoices(reader, [walletId]).select('id').limit(1).executeTakeFirst();
    return open !== undefined;
  },
};

/** Returns the IDs of those wallets that have an open invoice. */
export async function findWithOpenInvoice(reader: Runner, walletIds: readonly number[]): Promise<number[]> {
  const open = await openInvoices(reader, walletIds).select('wallet_id').distinct().execute();
  return open.map(({ wallet_id: id }) => id);
}

/** Returns the IDs of those wallets whose last invoice changed at or after `since`. */
export async function findWithInvoiceSince(
  reader: Runner,
  walletIds: readonly number[],
  since: Instant,
): Promise<number[]> {
  const lastInvoices = db(reader)
    .selectFrom('crypto_transactions')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('wallet_id', 'in', walletIds)
    .where('kind', '=', 'invoice')
    .groupBy('wallet_id');
  const rows = await db(reader)
    .selectFrom('crypto_transactions')
    .select('wallet_id')
    .where('id', 'in', lastInvoices)
    .where('updated_at', '>=', since)
    .execute();
  return rows.map(({ wallet_id: id }) => id);
}

function openInvoices(reader: Runner, walletIds: readonly number[]) {
  return db(reader)
    .selectFrom('crypto_transactions')
    .where('wallet_id', 'in', walletIds)
    .where('kind', '=', 'invoice')
    .where('status', 'in', openStatuses);
}
