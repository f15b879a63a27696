import type { Runner } from '../database/engine.ts';
import type { AccountOnChain } from '../chains/connect.ts';
import { type BlockRef, ChainTrouble, type UnspentCoin } from '../chains/port.ts';
import type { ChainName } from '../shared/crypto-currency.ts';
import type { Database } from '../database/database.ts';
import { readBlock } from '../chains/blocks.ts';
import { readTip } from '../chains/cursor.ts';
import { accountOfDeposit, depositsWithFacts } from '../invoices/ledger.ts';
import { readAllAddresses } from '../wallets/addresses.ts';
import { findUnissuedKeys } from '../wallets/unissued.ts';
import { selectWallets } from '../wallets/wallet.ts';
import { withdrawalFacts } from '../withdrawals/facts.ts';
import type { Difference } from './reconcile.ts';

/** Coins that are looked up at a time. */
const COINS_AT_ONCE = 200;

export interface Scan {
  /** The block as of which the node has searched. */
  height: number;
  addresses: number;
  coins: number;
  /** Coins that the books lack, or have in another state. */
  differences: Difference[];
}

/** Accounts of deposits whose coin is at the wallet. */
const isHeld = (account: string | null) =>
  account !== null && !['incoming', 'withdrawn', 'written_off'].includes(account);

/**
 * Asks the node for every unspent output of our addresses, whether the books know it or not: issued ones, and as many
 * beyond them as wallet software looks through. Each coin is judged as of the block that the node has searched. Null on
 * chains whose balances are compared address by address anyway. Changes nothing.
 */
export async function scanCoins(
  database: Pick<Database, 'inSnapshot' | 'query'>,
  { name, chain, accountKey }: Pick<AccountOnChain, 'name' | 'chain' | 'accountKey'>,
  { nextIndex, gapLimit, onProgress }: { nextIndex: number; gapLimit: number; onProgress: (percent: number) => void },
): Promise<Scan | null> {
  const addresses = await readAllAddresses(database, name);
  for (let index = nextIndex; index < nextIndex + gapLimit; index += 1)
    addresses.add(chain.addresses.derive(accountKey, index));
  const answer = await chain.scan([...addresses], onProgress);
  if (!answer) return null;
  const { at, coins } = answer;
  const books = await readBooks(database, { name, chain }, at);
  const differences: Difference[] = [];
  for (let start = 0; start < coins.length; start += COINS_AT_ONCE) {
    const some = coins.slice(start, start + COINS_AT_ONCE);
    differences.push(
      ...(await database.inSnapshot(async (on) => await judgeCoins(on, books, some))).map((difference) => ({
        ...difference,
        code: chain.currencies[0] ?? '',
      })),
    );
  }
  return { height: at.height, addresses: addresses.size, coins: coins.length, differences };
}

interface Books {
  name: ChainName;
  /** The block that the node has searched. */
  at: BlockRef;
  /** The last block that was read. */
  readTo: number;
  /** Whether the books follow another branch, which they leave next. */
  isOther: boolean;
}

async function readBooks(
  on: Runner,
  { name, chain }: Pick<AccountOnChain, 'name' | 'chain'>,
  at: BlockRef,
): Promise<Books> {
  const tip = await readTip(on, name);
  if (!tip) throw new ChainTrouble('behind', `No block of ${name} has been read yet.`);
  const { height: readTo, hash } = tip;
  if (at.height > readTo) return { name, at, readTo, isOther: (await chain.hashAt(readTo)) !== hash };
  const block = await readBlock(on, name, at.height);
  return { name, at, readTo, isOther: block !== null && block.hash !== at.hash };
}

async function judgeCoins(
  on: Runner,
  { name, at, readTo, isOther }: Books,
  coins: readonly UnspentCoin[],
): Promise<Omit<Difference, 'code'>[]> {
  const keys = coins.map(({ paymentKey }) => paymentKey);
  const known = await depositsWithFacts(on, withdrawalFacts)
    .select(['deposit.payment_key', 'deposit.state', 'withdrawal.height as spent_height'])
    .select(accountOfDeposit.as('account'))
    .where('deposit.chain', '=', name)
    .where('deposit.payment_key', 'in', keys)
    .execute();
  const deposits = new Map(known.map((deposit) => [deposit.payment_key, deposit]));
  const owners = await selectWallets(on)
    .where('chain', '=', name)
    .where(
      'address',
      'in',
      coins.map(({ address }) => address),
    )
    .execute();
  const merchants = new Map(owners.map(({ address, merchant_id: id }) => [address, id]));
  const recorded = await findUnissuedKeys(on, name, keys);

  return coins.flatMap(({ paymentKey, address, amount, height }): Omit<Difference, 'code'>[] => {
    const deposit = deposits.get(paymentKey);
    const account = deposit?.account ?? null;
    if (deposit && isHeld(account)) return [];
    // Spent by a withdrawal in a block that the node had not seen then.
    if (account === 'withdrawn' && (deposit?.spent_height ?? 0) > at.height) return [];
    const merchantId = merchants.get(address) ?? null;
    const coin = { address, merchantId, ledger: 0n, chain: amount };
    const where = `${paymentKey}, unspent since block ${height}`;
    if (height > readTo || isOther)
      return [{ ...coin, explanation: 'blocks_not_read', detail: `${where}: its block is read next.` }];
    if (deposit) {
      const state = account ?? 'dropped from the chain';
      return [{ ...coin, explanation: 'other_state', detail: `${where}: the books have it as ${state}.` }];
    }
    if (recorded.has(paymentKey))
      return [{ ...coin, explanation: 'not_issued', detail: `${where}: listed by paylatch addresses list.` }];
    const owner = merchantId === null ? 'an address that was never issued' : `a wallet of merchant ${merchantId}`;
    return [{ ...coin, explanation: 'missed_deposit', detail: `${where}, at ${owner}: the books do not have it.` }];
  });
}
