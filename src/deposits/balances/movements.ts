import type { Runner } from '../../database/engine.ts';
import type { WithdrawalFacts } from '../context.ts';
import { db } from '../schema.ts';
import type { BlockRef } from '../../chains/port.ts';
import { type ChainName, chains } from '../../shared/crypto-currency.ts';

/** An account in a block's state: what it holds, and how many transactions it has sent. */
export interface Account {
  balance: bigint;
  sent: number;
}

/** A wallet, and what is known of it from a block on. */
export interface Watched {
  walletId: number;
  address: string;
  height: number;
  account: Account;
}

/** Ether that is known to have moved. */
export type Movement =
  /** Seen in a block. */
  | { kind: 'came'; height: number; amount: bigint }
  /** The operator's, for gas; `block` is null while it is under way. */
  | { kind: 'gas'; block: BlockRef | null; amount: bigint; isReverted: boolean }
  /** A transaction of the wallet's own; `amount` is the ether that it sends besides its fee. */
  | { kind: 'went'; block: BlockRef; txHash: string; amount: bigint };

/** What a transaction has cost, in the block where it did. */
type FeesPaid = ReadonlyMap<string, { block: BlockRef; fee: bigint }>;

/** What of the movements can be taken as settled. */
export interface Certainty {
  fees: FeesPaid;
  /** Whether a block is of the chain as far as that was read. */
  isRead(block: BlockRef): boolean;
}

/**
 * The account as it must be in a block, by what is known to have come and gone since; null where that cannot be said:
 * something of ours is under way, or is not in the blocks that it was in.
 */
export function accountAt(
  { height: from, account }: Watched,
  movements: readonly Movement[],
  upTo: number,
  { fees, isRead }: Certainty,
): Account | null {
  let { balance, sent } = account;
  for (const movement of movements) {
    if (movement.kind === 'came') {
      if (movement.height > from && movement.height <= upTo) balance += movement.amount;
      continue;
    }
    const { block } = movement;
    if (!block) return null;
    if (block.height <= from || block.height > upTo) continue;
    if (!isRead(block)) return null;
    if (movement.kind === 'gas') {
      balance += movement.isReverted ? 0n : movement.amount;
      continue;
    }
    const paid = fees.get(movement.txHash);
    if (paid?.block.hash !== block.hash) return null;
    balance -= movement.amount + paid.fee;
    sent += 1;
  }
  return { balance, sent };
}

/** All ether that is known to have moved at wallets since the first of them is looked at, by wallet. */
export async function readMovements(
  on: Runner,
  { movements }: WithdrawalFacts,
  chain: ChainName,
  watched: readonly Watched[],
): Promise<Map<number, Movement[]>> {
  const byWallet = new Map<number, Movement[]>(watched.map(({ walletId }) => [walletId, []]));
  if (watched.length === 0) return byWallet;
  const byAddress = new Map(watched.map(({ address, walletId }) => [address, byWallet.get(walletId)]));
  const addresses = [...byAddress.keys()];
  const since = Math.min(...watched.map(({ height }) => height));
  const came = await db(on)
    .selectFrom('deposits')
    .select(['wallet_id', 'height', 'amount'])
    .where('wallet_id', 'in', [...byWallet.keys()])
    .where('code', '=', chains[chain].feeCode)
    .where('state', '=', 'mined')
    .where('height', '>', since)
    .execute();
  for (const { wallet_id: id, height, amount } of came)
    byWallet.get(id)?.push({ kind: 'came', height: height ?? 0, amount: BigInt(amount) });
  for (const { address, movement } of await movements(on, chain, addresses, since))
    byAddress.get(address)?.push(movement);
  return byWallet;
}
