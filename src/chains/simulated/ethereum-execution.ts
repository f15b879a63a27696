import type { CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import { ETHER_GAS_LIMIT } from '../ethereum/transfers.ts';
import type { ChainKind } from './chain-kinds.ts';
import type { ChainChange } from './store.ts';
import { parseCaps, type Balances, readNextMinedNonce, maxCost, readBalances } from './ethereum-accounts.ts';
import { readFeeRate } from './fee-rate.ts';

/** Gas of a token's `transfer` on this chain, to any address. */
export const TOKEN_GAS_USED = 52_000n;

/** An unconfirmed transaction with its outputs. */
interface PendingTransaction {
  id: number;
  /** Null for external payers, who have unlimited funds. */
  signed: {
    sender: string;
    nonce: number;
    gasLimit: bigint;
    maxFeePerGas: bigint;
    maxPriorityFeePerGas: bigint;
  } | null;
  outputs: { address: string; code: CryptoCurrencyCode; amount: bigint }[];
}

/**
 * Mines mempool transactions into a block in their order, until none is executable. A transaction stays in the mempool
 * while an earlier nonce is missing, its maximum cost exceeds the balance, or it pays less than the base fee.
 */
export async function executeBlock(change: ChainChange, height: number): Promise<void> {
  const { tables, kind } = change;
  const rate = await readFeeRate(change, kind.name);
  const priority = rate.unit === 'wei/gas' ? rate.priority : 0n;
  const baseFee = rate.amount - priority;
  let remaining = await readPending(change);
  const senders = [...new Set(remaining.flatMap(({ signed }) => (signed ? [signed.sender] : [])))];
  const balances = await readBalances(change, kind, senders, height - 1);
  const nonces = new Map<string, number>();
  for (const sender of senders) nonces.set(sender, await readNextMinedNonce(change, kind.name, sender));

  const isExecutable = ({ signed, outputs }: PendingTransaction) =>
    !signed ||
    (signed.nonce === nonces.get(signed.sender) &&
      signed.maxFeePerGas >= baseFee &&
      balances.get(signed.sender, kind.feeCode) >= maxCost({ ...signed, value: etherValue(kind, outputs) }));

  for (let hasProgress = true; hasProgress; ) {
    const skipped: PendingTransaction[] = [];
    for (const pending of remaining) {
      if (!isExecutable(pending)) {
        skipped.push(pending);
        continue;
      }
      if (pending.signed) nonces.set(pending.signed.sender, pending.signed.nonce + 1);
      await tables
        .updateTable('simulated_transactions')
        .set({ height, ...executeTransaction(kind, pending, balances, baseFee) })
        .where('id', '=', pending.id)
        .execute();
    }
    hasProgress = skipped.length < remaining.length;
    remaining = skipped;
  }
}

/** Applies a transaction and its fee to the balances. */
function executeTransaction(
  { feeCode }: ChainKind,
  { signed, outputs }: PendingTransaction,
  balances: Balances,
  baseFee: bigint,
): { state: 'mined' | 'failed'; fee: string | null } {
  let fee: bigint | null = null;
  if (signed) {
    const gasUsed = outputs.some(({ code }) => code !== feeCode) ? TOKEN_GAS_USED : ETHER_GAS_LIMIT;
    const { sender, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = signed;
    const price = min(maxFeePerGas, baseFee + maxPriorityFeePerGas);
    fee = min(gasUsed, gasLimit) * price;
    balances.add(sender, feeCode, -fee);
    const canPay = outputs.every(({ code, amount }) => balances.get(sender, code) >= amount);
    if (gasLimit < gasUsed || !canPay) return { state: 'failed', fee: String(fee) };
    for (const { code, amount } of outputs) balances.add(sender, code, -amount);
  }
  for (const { address, code, amount } of outputs) balances.add(address, code, amount);
  return { state: 'mined', fee: fee === null ? null : String(fee) };
}

async function readPending({ tables, kind }: ChainChange): Promise<PendingTransaction[]> {
  const rows = await tables
    .selectFrom('simulated_transactions as tx')
    .leftJoin('simulated_outputs as output', 'output.transaction_id', 'tx.id')
    .select(['tx.id', 'tx.sender', 'tx.nonce', 'tx.gas_limit', 'tx.max_fee_per_gas', 'tx.max_priority_fee_per_gas'])
    .select(['output.address', 'output.code', 'output.amount'])
    .where('tx.chain', '=', kind.name)
    .where('tx.state', '=', 'waiting')
    .orderBy('tx.id')
    .orderBy('output.place')
    .execute();
  const byId = new Map<number, PendingTransaction>();
  for (const { id, sender, nonce, address, code, amount, ...caps } of rows) {
    const pending = byId.get(id) ?? {
      id,
      signed: sender === null || nonce === null ? null : { sender, nonce, ...parseCaps(caps) },
      outputs: [],
    };
    byId.set(id, pending);
    if (address !== null && code !== null && amount !== null)
      pending.outputs.push({ address, code: code as CryptoCurrencyCode, amount: BigInt(amount) });
  }
  return [...byId.values()];
}

function etherValue({ feeCode }: ChainKind, outputs: PendingTransaction['outputs']): bigint {
  return outputs.reduce((sum, { code, amount }) => (code === feeCode ? sum + amount : sum), 0n);
}

const min = (a: bigint, b: bigint) => (a < b ? a : b);
