import type { CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import { ETHER_GAS } from '../ethereum/transfers.ts';
import type { Change } from './books.ts';
import { capsOf, type Holdings, minedNonces, mostCost, readHoldings } from './ethereum-accounts.ts';
import { readFeeRate } from './fee-rate.ts';

/** What `transfer` of a token costs here, to whatever address. */
export const TOKEN_GAS_USED = 52_000n;

/** A transaction that waits, with all that decides whether it may be in the next block, and what becomes of it there. */
interface Pending {
  id: number;
  /** null where it came from outside: there is enough for anything. */
  call: { sender: string; nonce: number; gas: bigint; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint } | null;
  outputs: { address: string; code: CryptoCurrencyCode; amount: bigint }[];
}

/**
 * Puts what waits into a block, in the order in which it came, as long as anything may follow. What may not
 * waits on: a nonce is missing before it, its account has not what it may cost, or it gives less than the base fee.
 */
export async function execute(change: Change, height: number): Promise<void> {
  const { tables, kind } = change;
  const rate = await readFeeRate(change, kind.name);
  const priority = rate.unit === 'wei/gas' ? rate.priority : 0n;
  const baseFee = rate.amount - priority;
  let left = await readPending(change);
  const senders = [...new Set(left.flatMap(({ call }) => (call ? [call.sender] : [])))];
  const holdings = await readHoldings(change, senders, height - 1);
  const nonces = new Map<string, number>();
  for (const sender of senders) nonces.set(sender, await minedNonces(change, sender));

  const mayFollow = ({ call, outputs }: Pending) =>
    !call ||
    (call.nonce === nonces.get(call.sender) &&
      call.maxFeePerGas >= baseFee &&
      holdings.of(call.sender, 'eth') >= mostCost({ ...call, value: etherOf(outputs) }));

  for (let hasMoved = true; hasMoved; ) {
    const later: Pending[] = [];
    for (const pending of left) {
      if (!mayFollow(pending)) {
        later.push(pending);
        continue;
      }
      if (pending.call) nonces.set(pending.call.sender, pending.call.nonce + 1);
      await tables
        .updateTable('simulated_transactions')
        .set({ height, ...run(pending, holdings, baseFee) })
        .where('id', '=', pending.id)
        .execute();
    }
    hasMoved = later.length < left.length;
    left = later;
  }
}

/** Moves what a transaction moves, and takes its fee. */
function run(
  { call, outputs }: Pending,
  holdings: Holdings,
  baseFee: bigint,
): { state: 'mined' | 'failed'; fee: string | null } {
  let fee: bigint | null = null;
  if (call) {
    const needed = outputs.some(({ code }) => code !== 'eth') ? TOKEN_GAS_USED : ETHER_GAS;
    const { sender, gas, maxFeePerGas, maxPriorityFeePerGas } = call;
    const price = smaller(maxFeePerGas, baseFee + maxPriorityFeePerGas);
    fee = smaller(needed, gas) * price;
    holdings.add(sender, 'eth', -fee);
    const canPay = outputs.every(({ code, amount }) => holdings.of(sender, code) >= amount);
    if (gas < needed || !canPay) return { state: 'failed', fee: String(fee) };
    for (const { code, amount } of outputs) holdings.add(sender, code, -amount);
  }
  for (const { address, code, amount } of outputs) holdings.add(address, code, amount);
  return { state: 'mined', fee: fee === null ? null : String(fee) };
}

async function readPending({ tables, kind }: Change): Promise<Pending[]> {
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
  const byId = new Map<number, Pending>();
  for (const { id, sender, nonce, address, code, amount, ...caps } of rows) {
    const pending = byId.get(id) ?? {
      id,
      call: sender === null || nonce === null ? null : { sender, nonce, ...capsOf(caps) },
      outputs: [],
    };
    byId.set(id, pending);
    if (address !== null && code !== null && amount !== null)
      pending.outputs.push({ address, code: code as CryptoCurrencyCode, amount: BigInt(amount) });
  }
  return [...byId.values()];
}

function etherOf(outputs: Pending['outputs']): bigint {
  return outputs.reduce((sum, { code, amount }) => (code === 'eth' ? sum + amount : sum), 0n);
}

const smaller = (one: bigint, other: bigint) => (one < other ? one : other);
