import type { CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import { ETHER_GAS_LIMIT } from '../ethereum/transfers.ts';
import type { ChainChange } from './store.ts';
import { parseCaps, type Balances, readNextMinedNonce, maxCost, readBalances } from './ethereum-accounts.ts';
import { readFeeRate } from './fee-rate.ts';

/** What `transfer` of a token costs here, to whatever address. */
export const TOKEN_GAS_USED = 52_000n;

/** A transaction that waits, with all that decides whether it may be in the next block, and what becomes of it there. */
interface PendingTransaction {
  id: number;
  /** null where it came from outside: there is enough for anything. */
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
 * Puts what waits into a block, in the order in which it came, as long as anything may follow. What may not
 * waits on: a nonce is missing before it, its account has not what it may cost, or it gives less than the base fee.
 */
export async function executeBlock(change: ChainChange, height: number): Promise<void> {
  const { tables, kind } = change;
  const rate = await readFeeRate(change, kind.name);
  const priority = rate.unit === 'wei/gas' ? rate.priority : 0n;
  const baseFee = rate.amount - priority;
  let remaining = await readPending(change);
  const senders = [...new Set(remaining.flatMap(({ signed }) => (signed ? [signed.sender] : [])))];
  const balances = await readBalances(change, senders, height - 1);
  const nonces = new Map<string, number>();
  for (const sender of senders) nonces.set(sender, await readNextMinedNonce(change, sender));

  const isExecutable = ({ signed, outputs }: PendingTransaction) =>
    !signed ||
    (signed.nonce === nonces.get(signed.sender) &&
      signed.maxFeePerGas >= baseFee &&
      balances.get(signed.sender, 'eth') >= maxCost({ ...signed, value: etherValue(outputs) }));

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
        .set({ height, ...executeTransaction(pending, balances, baseFee) })
        .where('id', '=', pending.id)
        .execute();
    }
    hasProgress = skipped.length < remaining.length;
    remaining = skipped;
  }
}

/** Moves what a transaction moves, and takes its fee. */
function executeTransaction(
  { signed, outputs }: PendingTransaction,
  balances: Balances,
  baseFee: bigint,
): { state: 'mined' | 'failed'; fee: string | null } {
  let fee: bigint | null = null;
  if (signed) {
    const gasUsed = outputs.some(({ code }) => code !== 'eth') ? TOKEN_GAS_USED : ETHER_GAS_LIMIT;
    const { sender, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = signed;
    const price = min(maxFeePerGas, baseFee + maxPriorityFeePerGas);
    fee = min(gasUsed, gasLimit) * price;
    balances.add(sender, 'eth', -fee);
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

function etherValue(outputs: PendingTransaction['outputs']): bigint {
  return outputs.reduce((sum, { code, amount }) => (code === 'eth' ? sum + amount : sum), 0n);
}

const min = (one: bigint, other: bigint) => (one < other ? one : other);
