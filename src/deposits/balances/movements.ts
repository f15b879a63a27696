import type { Runner } from '../../database/engine.ts';
import type { WithdrawalFacts } from '../context.ts';
import { db } from '../schema.ts';
import { selectBlocks, STORED_BLOCKS } from '../../chains/blocks.ts';
import type { ChainAccount } from '../../chains/family.ts';
import type { BlockRef } from '../../chains/port.ts';
import { type ChainName, chains } from '../../shared/crypto-currency.ts';

/** State of an address at a block: its balance and the number of transactions it has sent. */
export interface AccountState {
  balance: bigint;
  sentCount: number;
}

/** A watched wallet with its last checkpoint. */
export interface WatchedWallet {
  walletId: number;
  address: string;
  height: number;
  account: AccountState;
}

/** A known movement of ether in or out of a wallet. */
export type Movement =
  /** A deposit in a block. */
  | { kind: 'deposit'; height: number; amount: bigint }
  /** Gas funding by the operator; `block` is null until it is mined. */
  | { kind: 'gas_funding'; block: BlockRef | null; amount: bigint; isReverted: boolean }
  /** A transaction sent by the wallet; `amount` is its ether without the fee. */
  | { kind: 'sent'; block: BlockRef; txHash: string; amount: bigint };

/** Fees paid, by transaction hash, with the block of each. */
type FeesPaid = Map<string, { block: BlockRef; fee: bigint }>;

/** Evidence about movements: fees paid, and scanned blocks. */
export interface ChainEvidence {
  fees: FeesPaid;
  /** True if the block belongs to the chain as scanned so far. */
  isInScannedChain(block: BlockRef): boolean;
}

/**
 * Computes the expected state at a block from the checkpoint and the known movements. Null if it is uncertain: a
 * movement of ours is not mined yet, or its block is not in the chain.
 */
export function expectedAccountAt(
  { height: from, account }: WatchedWallet,
  movements: readonly Movement[],
  upTo: number,
  { fees, isInScannedChain }: ChainEvidence,
): AccountState | null {
  let { balance, sentCount } = account;
  for (const movement of movements) {
    if (movement.kind === 'deposit') {
      if (movement.height > from && movement.height <= upTo) balance += movement.amount;
      continue;
    }
    const { block } = movement;
    if (!block) return null;
    if (block.height <= from || block.height > upTo) continue;
    if (!isInScannedChain(block)) return null;
    if (movement.kind === 'gas_funding') {
      balance += movement.isReverted ? 0n : movement.amount;
      continue;
    }
    const paid = fees.get(movement.txHash);
    if (paid?.block.hash !== block.hash) return null;
    balance -= movement.amount + paid.fee;
    sentCount += 1;
  }
  return { balance, sentCount };
}

/** Reads all known movements of ether since the oldest checkpoint, by wallet. */
export async function readMovements(
  reader: Runner,
  { readMovements }: WithdrawalFacts,
  chain: ChainName,
  watched: readonly WatchedWallet[],
): Promise<Map<number, Movement[]>> {
  const byWallet = new Map<number, Movement[]>(watched.map(({ walletId }) => [walletId, []]));
  if (watched.length === 0) return byWallet;
  const byAddress = new Map(watched.map(({ address, walletId }) => [address, byWallet.get(walletId)]));
  const addresses = [...byAddress.keys()];
  const since = Math.min(...watched.map(({ height }) => height));
  const deposits = await db(reader)
    .selectFrom('deposits')
    .select(['wallet_id', 'height', 'amount'])
    .where('wallet_id', 'in', [...byWallet.keys()])
    .where('code', '=', chains[chain].feeCode)
    .where('state', '=', 'mined')
    .where('height', '>', since)
    .execute();
  for (const { wallet_id: id, height, amount } of deposits)
    byWallet.get(id)?.push({ kind: 'deposit', height: height ?? 0, amount: BigInt(amount) });
  for (const { address, movement } of await readMovements(reader, chain, addresses, since))
    byAddress.get(address)?.push(movement);
  return byWallet;
}

/** Reads the fees that our transactions paid, in addition to known ones, and which of their blocks are in the chain. */
export async function collectEvidence(
  reader: Runner,
  { name, chain }: Pick<ChainAccount, 'name' | 'chain'>,
  movements: readonly Movement[],
  { last, fees }: { last: BlockRef; fees: FeesPaid },
): Promise<ChainEvidence> {
  const isDeep = ({ height }: BlockRef) => height <= last.height - STORED_BLOCKS;
  const heights = movements.flatMap((movement) =>
    movement.kind !== 'deposit' && movement.block && !isDeep(movement.block) ? [movement.block.height] : [],
  );
  const storedBlocks =
    heights.length === 0
      ? []
      : await selectBlocks(reader, name)
          .where('height', 'in', [...new Set(heights)])
          .execute();
  const hashes = new Set(storedBlocks.map(({ hash }) => hash));
  for (const movement of movements) {
    if (movement.kind !== 'sent' || fees.get(movement.txHash)?.block.hash === movement.block.hash) continue;
    const paid = await chain.feePaid(movement.txHash);
    if (paid) fees.set(movement.txHash, paid);
  }
  return { fees, isInScannedChain: (block) => isDeep(block) || hashes.has(block.hash) };
}

/**
 * Compares a wallet's ether at a block with its checkpoint and known movements, as detection does. `pending`: detection
 * will record the rest as a deposit, or has not compared it yet. `blocked`: the wallet sent or lost ether otherwise.
 */
export async function readDetection(
  reader: Runner,
  facts: WithdrawalFacts,
  connected: Pick<ChainAccount, 'name' | 'chain'>,
  { walletId, address, account, at }: Omit<WatchedWallet, 'height'> & { at: BlockRef },
): Promise<'unwatched' | 'pending' | 'complete' | 'blocked'> {
  const row = await db(reader)
    .selectFrom('watched_balances')
    .select(['height', 'balance', 'sent'])
    .where('wallet_id', '=', walletId)
    .executeTakeFirst();
  if (!row) return 'unwatched';
  const { height, balance, sent } = row;
  if (balance === null || sent === null) return 'pending';
  const watched = { walletId, address, height, account: { balance: BigInt(balance), sentCount: sent } };
  const movements = (await readMovements(reader, facts, connected.name, [watched])).get(walletId) ?? [];
  const evidence = await collectEvidence(reader, connected, movements, { last: at, fees: new Map() });
  const expected = expectedAccountAt(watched, movements, at.height, evidence);
  if (!expected) return 'pending';
  if (expected.sentCount !== account.sentCount || account.balance < expected.balance) return 'blocked';
  return account.balance > expected.balance ? 'pending' : 'complete';
}
