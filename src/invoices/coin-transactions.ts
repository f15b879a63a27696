import type { CoinTransaction } from '../api/page-state.ts';
import type { Deposit } from '../deposits/schema.ts';
import type { InvoicesContext } from './context.ts';
import type { CryptoTransaction } from './schema.ts';

/** A wallet that is paid repeatedly may have many. */
const MAX_TRANSACTIONS = 3;

/** The latest blockchain transactions with a deposit, with their pages in a block explorer. */
export function latestTransactions(
  { chains }: Pick<InvoicesContext, 'chains'>,
  { code }: Pick<CryptoTransaction, 'code'>,
  deposits: readonly Pick<Deposit, 'state' | 'txHash'>[],
): CoinTransaction[] {
  const hashes = deposits.filter(({ state, txHash }) => state !== 'gone' && txHash !== '').map(({ txHash }) => txHash);
  const addresses = chains.forCurrency(code)?.chain.addresses;
  return [...new Set(hashes)]
    .slice(-MAX_TRANSACTIONS)
    .map((hash) => ({ hash, url: addresses?.explorerUrl(hash) ?? null }));
}
