import type { Runner } from '../database/engine.ts';
import type { ChainAccount } from '../chains/family.ts';
import { type BlockRef, ChainError, type UnspentOutput } from '../chains/port.ts';
import type { ChainName } from '../shared/crypto-currency.ts';
import type { Database } from '../database/database.ts';
import { findStoredBlock } from '../chains/blocks.ts';
import { readLastBlock } from '../chains/cursor.ts';
import { depositAccount, selectDepositsWithFacts } from '../invoices/ledger.ts';
import { readAllAddresses } from '../wallets/addresses.ts';
import { findUnissuedDepositKeys } from '../wallets/unissued-addresses.ts';
import { selectWallets } from '../wallets/wallet.ts';
import { withdrawalQueries } from '../withdrawals/facts.ts';
import type { Difference } from './reconcile.ts';

/** Outputs looked up per statement. */
const OUTPUT_BATCH = 200;

export interface UtxoScan {
  /** Height of the block at which the node searched. */
  height: number;
  addresses: number;
  coins: number;
  /** Outputs that the ledger lacks, or lists in a different state. */
  differences: Difference[];
}

/** True for ledger accounts of deposits whose output is unspent. */
const isHeld = (account: string | null) =>
  account !== null && !['incoming', 'withdrawn', 'written_off'].includes(account);

/**
 * Requests every unspent output of our addresses from the node: issued ones, and as many beyond them as the gap limit.
 * Each output is compared with the ledger at the block of the node's search. Null on account-based chains, which
 * reconciliation covers. Read-only.
 */
export async function scanOutputs(
  database: Pick<Database, 'inSnapshot' | 'query'>,
  { name, chain, accountKey }: Pick<ChainAccount, 'name' | 'chain' | 'accountKey'>,
  { nextIndex, gapLimit, onProgress }: { nextIndex: number; gapLimit: number; onProgress: (percent: number) => void },
): Promise<UtxoScan | null> {
  const addresses = await readAllAddresses(database, name);
  for (let index = nextIndex; index < nextIndex + gapLimit; index += 1)
    addresses.add(chain.addresses.derive(accountKey, index));
  const result = await chain.scanUtxoSet([...addresses], onProgress);
  if (!result) return null;
  const { at, outputs } = result;
  const position = await readScanPosition(database, { name, chain }, at);
  const differences: Difference[] = [];
  for (let start = 0; start < outputs.length; start += OUTPUT_BATCH) {
    const batch = outputs.slice(start, start + OUTPUT_BATCH);
    differences.push(
      ...(await database.inSnapshot(async (reader) => await compareOutputs(reader, position, batch))).map(
        (difference) => ({
          ...difference,
          code: chain.currencies[0] ?? '',
        }),
      ),
    );
  }
  return { height: at.height, addresses: addresses.size, coins: outputs.length, differences };
}

interface ScanPosition {
  name: ChainName;
  /** The block at which the node searched. */
  at: BlockRef;
  /** Height of the last scanned block. */
  scannedHeight: number;
  /** True if the scanned blocks belong to a branch that the chain has left. */
  isOnOtherBranch: boolean;
}

async function readScanPosition(
  reader: Runner,
  { name, chain }: Pick<ChainAccount, 'name' | 'chain'>,
  at: BlockRef,
): Promise<ScanPosition> {
  const tip = await readLastBlock(reader, name);
  if (!tip) throw new ChainError('behind', `No block of ${name} has been read yet.`);
  const { height: scannedHeight, hash } = tip;
  if (at.height > scannedHeight)
    return { name, at, scannedHeight, isOnOtherBranch: (await chain.blockHash(scannedHeight)) !== hash };
  const block = await findStoredBlock(reader, name, at.height);
  return { name, at, scannedHeight, isOnOtherBranch: block !== null && block.hash !== at.hash };
}

async function compareOutputs(
  reader: Runner,
  { name, at, scannedHeight, isOnOtherBranch }: ScanPosition,
  outputs: readonly UnspentOutput[],
): Promise<Omit<Difference, 'code'>[]> {
  const keys = outputs.map(({ paymentKey }) => paymentKey);
  const rows = await selectDepositsWithFacts(reader, withdrawalQueries)
    .select(['deposit.payment_key', 'deposit.state', 'withdrawal.height as spent_height'])
    .select(depositAccount.as('account'))
    .where('deposit.chain', '=', name)
    .where('deposit.payment_key', 'in', keys)
    .execute();
  const deposits = new Map(rows.map((deposit) => [deposit.payment_key, deposit]));
  const owners = await selectWallets(reader)
    .where('chain', '=', name)
    .where(
      'address',
      'in',
      outputs.map(({ address }) => address),
    )
    .execute();
  const merchants = new Map(owners.map(({ address, merchant_id: id }) => [address, id]));
  const recorded = await findUnissuedDepositKeys(reader, name, keys);

  return outputs.flatMap(({ paymentKey, address, amount, height }): Omit<Difference, 'code'>[] => {
    const deposit = deposits.get(paymentKey);
    const account = deposit?.account ?? null;
    if (deposit && isHeld(account)) return [];
    // Spent by a withdrawal in a block after the node's search.
    if (account === 'withdrawn' && (deposit?.spent_height ?? 0) > at.height) return [];
    const merchantId = merchants.get(address) ?? null;
    const difference = { address, merchantId, ledger: 0n, chain: amount };
    const where = `${paymentKey}, unspent since block ${height}`;
    if (height > scannedHeight || isOnOtherBranch)
      return [{ ...difference, explanation: 'blocks_not_scanned', detail: `${where}: its block will be read next.` }];
    if (deposit) {
      const state = account ?? 'dropped from the chain';
      return [{ ...difference, explanation: 'state_mismatch', detail: `${where}: the ledger lists it as ${state}.` }];
    }
    if (recorded.has(paymentKey))
      return [{ ...difference, explanation: 'unissued_address', detail: `${where}: see paylatch addresses list.` }];
    const owner = merchantId === null ? 'an unissued address' : `a wallet of merchant ${merchantId}`;
    return [
      {
        ...difference,
        explanation: 'missed_deposit',
        detail: `${where}, at ${owner}: the ledger does not contain it.`,
      },
    ];
  });
}
