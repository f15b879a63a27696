import type { Runner } from '../database/engine.ts';
import { db } from './schema.ts';
import { sql } from 'kysely';
import { type ChainName, chains } from '../shared/crypto-currency.ts';
import type { Account } from './accounts.ts';

interface LedgerRow {
  code: string;
  debit: string;
  credit: string;
  amount: string;
}

/** Account balances by currency code: debits minus credits. Liabilities are negative. */
export class AccountBalances {
  readonly #balances = new Map<string, Map<Account, bigint>>();

  add({ code, debit, credit, amount }: LedgerRow): void {
    const accounts = this.#balances.get(code) ?? new Map<Account, bigint>();
    this.#balances.set(code, accounts);
    const change = (account: string, by: bigint) =>
      accounts.set(account as Account, (accounts.get(account as Account) ?? 0n) + by);
    change(debit, BigInt(amount));
    change(credit, -BigInt(amount));
  }

  balanceOf(code: string, account: Account): bigint {
    return this.#balances.get(code)?.get(account) ?? 0n;
  }

  get codes(): string[] {
    return [...this.#balances.keys()].sort();
  }

  /** Accounts of a currency whose balance is not zero. */
  nonZeroAccounts(code: string): [Account, bigint][] {
    return [...(this.#balances.get(code) ?? [])].filter(([, balance]) => balance !== 0n);
  }
}

/** Returns the account balances of each wallet, and adds the entries to `total`. */
export async function readBalancesByWallet(
  reader: Runner,
  walletIds: readonly number[],
  total: AccountBalances = new AccountBalances(),
): Promise<Map<number, AccountBalances>> {
  const byWallet = new Map(walletIds.map((id) => [id, new AccountBalances()]));
  if (walletIds.length === 0) return byWallet;
  const rows = await db(reader)
    .selectFrom('ledger_entries')
    .select(['wallet_id', 'code', 'debit', 'credit', 'amount'])
    .where('wallet_id', 'in', [...walletIds])
    .execute();
  for (const row of rows) {
    byWallet.get(row.wallet_id ?? 0)?.add(row);
    total.add(row);
  }
  return byWallet;
}

/** Balance of the gas wallet: minus everything paid out since the ledger was opened, its own fees included. */
export async function readGasWalletBalance(reader: Runner, chain: ChainName, total: AccountBalances): Promise<bigint> {
  const rows = await db(reader)
    .selectFrom('ledger_entries')
    .select(['wallet_id', 'code', 'debit', 'credit', 'amount'])
    .where('chain', '=', chain)
    // Raw SQL: the partial index applies only if the query repeats its condition.
    .where(sql<boolean>`(debit = 'gas_wallet' or credit = 'gas_wallet')`)
    .execute();
  const balances = new AccountBalances();
  for (const row of rows) {
    balances.add(row);
    // `readBalancesByWallet` has already added entries of wallets.
    if (row.wallet_id === null) total.add(row);
  }
  return balances.balanceOf(chains[chain].feeCode, 'gas_wallet');
}
