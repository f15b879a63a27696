import type { Runner } from '../../database/engine.ts';
import { db } from '../../wallets/crypto-tables.ts';
import { sql } from 'kysely';
import type { BlockRef } from '../../chains/port.ts';
import type { ChainName } from '../../shared/crypto-currency.ts';

type Reader = Runner;

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
export type FeesPaid = ReadonlyMap<string, { block: BlockRef; fee: bigint }>;

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
  on: Reader,
  chain: ChainName,
  watched: readonly Watched[],
): Promise<Map<number, Movement[]>> {
  const byWallet = new Map<number, Movement[]>(watched.map(({ walletId }) => [walletId, []]));
  if (watched.length === 0) return byWallet;
  const byAddress = new Map(watched.map(({ address, walletId }) => [address, byWallet.get(walletId)]));
  const addresses = [...byAddress.keys()];
  const since = Math.min(...watched.map(({ height }) => height));
  const came = await db(on)
    .selectFrom('chain_payments')
    .select(['wallet_id', 'height', 'amount'])
    .where('wallet_id', 'in', [...byWallet.keys()])
    .where('code', '=', 'eth')
    .where('state', '=', 'mined')
    .where('height', '>', since)
    .execute();
  for (const { wallet_id: id, height, amount } of came)
    byWallet.get(id)?.push({ kind: 'came', height: height ?? 0, amount: BigInt(amount) });
  const went = await db(on)
    .selectFrom('withdrawals')
    .select(['sender', 'code', 'height', 'block_hash', 'tx_hash', 'amount', 'is_reverted'])
    .where('chain', '=', chain)
    .where('sender', 'in', addresses)
    .where('nonce', 'is not', null)
    .where('height', '>', since)
    .execute();
  for (const row of went)
    byAddress.get(row.sender ?? '')?.push({
      kind: 'went',
      block: blockOf(row) ?? { height: 0, hash: '' },
      txHash: row.tx_hash ?? '',
      // What failed has sent nothing, and tokens are no ether.
      amount: row.is_reverted === 1 || row.code !== 'eth' ? 0n : BigInt(row.amount ?? 0),
    });
  const gas = await db(on)
    .selectFrom('withdrawals')
    .select(['destination', 'height', 'block_hash', 'amount', 'is_reverted', 'spent'])
    .where('chain', '=', chain)
    .where('destination', 'in', addresses)
    // A literal: the index of such transfers is used only where it reads that they are meant.
    .where('purpose', '=', sql.lit('gas'))
    .where((row) =>
      row.or([
        row('height', '>', since),
        row.and([row('height', 'is', null), row('status', 'in', ['waiting', 'to_sign', 'sent'])]),
      ]),
    )
    .execute();
  for (const { destination, spent, amount, is_reverted: isReverted, ...row } of gas)
    byAddress.get(destination)?.push({
      kind: 'gas',
      block: blockOf(row),
      amount: BigInt(amount ?? spent),
      isReverted: isReverted === 1,
    });
  return byWallet;
}

function blockOf({ height, block_hash: hash }: { height: number | null; block_hash: string | null }): BlockRef | null {
  return height === null || hash === null ? null : { height, hash };
}
