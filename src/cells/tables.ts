import { type RawBuilder, sql } from 'kysely';
import { derivedTables, type TableSchema } from '../migrations/describe-tables.ts';

/**
 * Owner of a table's rows:
 * - `merchant`: the merchant in its column `merchant_id`. The rows move with the merchant.
 * - `part`: the merchant of the row of `table` whose column `key` equals `column`. The rows move with it.
 * - `wallet`: a merchant, but tied to the addresses and chain data of this cell. A merchant with such rows is not moved.
 * - `derived`: a merchant; computed from its other rows. The rows are deleted here, and computed again in the other cell.
 * - `user`: a user, who can be a member of merchants in several cells. The rows are copied.
 * - `cell`: the installation.
 */
export type TableOwner =
  | { owner: 'merchant' | 'wallet' | 'derived' | 'user' | 'cell' }
  | { owner: 'part'; column: string; table: string; key: string };

const merchant = { owner: 'merchant' } as const;
const wallet = { owner: 'wallet' } as const;
const derived = { owner: 'derived' } as const;
const user = { owner: 'user' } as const;
const cell = { owner: 'cell' } as const;

/** Every table. A test compares it with the schema, so that a new table cannot be forgotten. */
export const tableOwners: Readonly<Record<string, TableOwner>> = {
  ...{ merchants: merchant, preferences: merchant, merchant_logos: merchant, merchant_methods: merchant },
  ...{ fiat_transactions: merchant, fiat_transaction_metadata: merchant, former_links: merchant },
  ...{ reusable_links: merchant, card_attempts: merchant, card_authorizations: merchant },
  ...{ payment_instructions: merchant, payment_receipts: merchant, refunds: merchant, disputes: merchant },
  ...{ events: merchant, callbacks: merchant, callback_attempts: merchant, callback_url_changes: merchant },
  ...{ webhook_endpoints: merchant, access_tokens: merchant, oauth_clients: merchant, memberships: merchant },
  ...{ invitations: merchant, audit_entries: merchant, idempotency_keys: merchant, mails: merchant },
  ...{ acquirer_accounts: merchant, withdrawal_destinations: merchant, rate_locks: merchant },

  acquirer_routes: { owner: 'part', column: 'account_id', table: 'acquirer_accounts', key: 'id' },
  acquirer_notifications: { owner: 'part', column: 'account_key', table: 'acquirer_accounts', key: 'account_key' },
  sandbox_charges: { owner: 'part', column: 'attempt_key', table: 'card_attempts', key: 'attempt_key' },
  sandbox_refunds: { owner: 'part', column: 'refund_key', table: 'refunds', key: 'refund_key' },
  sandbox_push_payments: {
    ...{ owner: 'part', column: 'instructions_key', table: 'payment_instructions', key: 'instructions_key' },
  },
  sandbox_receipts: { owner: 'part', column: 'sandbox_push_payment_id', table: 'sandbox_push_payments', key: 'id' },

  ...{ wallets: wallet, watched_balances: wallet, crypto_transactions: wallet, crypto_transaction_metadata: wallet },
  ...{ deposits: wallet, late_deposit_values: wallet, withdrawals: wallet, withdrawal_versions: wallet },
  ...{ ledger_entries: wallet, coin_payments: wallet },

  ...Object.fromEntries(derivedTables.map((name) => [name, derived])),

  ...{ people: user, passkeys: user, recovery_codes: user, sessions: user, mail_opt_outs: user },

  ...{ service_keys: cell, installation: cell, rate_limits: cell, sealed_secrets: cell, passkey_challenges: cell },
  ...{ wallet_accounts: cell, unissued_addresses: cell, unissued_deposits: cell, chain_cursors: cell },
  ...{ chain_blocks: cell, reconciliations: cell, rate_sources: cell, rates: cell, acquirer_health: cell },
  ...{ simulated_chains: cell, simulated_blocks: cell, simulated_transactions: cell, simulated_outputs: cell },
  ...{ merchant_moves: cell, moved_rows: cell, moved_ids: cell, merchant_arrivals: cell },
};

/** The condition that selects a merchant's rows of a table. */
export function belongsTo(merchantId: number, name: string): RawBuilder<boolean> {
  const owner = tableOwners[name];
  if (owner?.owner === 'part') {
    const { column, table, key } = owner;
    return sql`${sql.ref(column)} in (select ${sql.ref(key)} from ${sql.table(table)} where ${belongsTo(merchantId, table)})`;
  }
  return name === 'merchants' ? sql`id = ${merchantId}` : sql`merchant_id = ${merchantId}`;
}

/** Tables that move with a merchant, in insertion order: rows that others refer to first. */
export function movedTables(tables: readonly TableSchema[]): TableSchema[] {
  const ofKind = (kind: TableOwner['owner']) => tables.filter(({ name }) => tableOwners[name]?.owner === kind);
  return [...ofKind('merchant'), ...ofKind('part').sort((one, other) => depth(one.name) - depth(other.name))];
}

function depth(name: string): number {
  const owner = tableOwners[name];
  return owner?.owner === 'part' ? 1 + depth(owner.table) : 0;
}
