import { signatureProblem } from '../bitcoin/signature.ts';
import type { NetworkParameters } from '../../shared/chains/description.ts';
import { db } from './schema.ts';
import { hex } from '@scure/base';
import { Transaction } from '@scure/btc-signer';
import type { Runner } from '../../database/engine.ts';
import { parseTransaction } from '../bitcoin/blocks.ts';
import { createScriptToAddress } from '../bitcoin/script-address.ts';
import type { ChainStore, ChainChange } from './store.ts';
import type { BitcoinKind } from './chain-kinds.ts';
import { insertMempoolTransaction, removeTransactions, findWithDescendants } from './mempool.ts';
import { isAlreadyKnown, parseOrReject, TransactionRejected } from './broadcast.ts';

/** Throws a `TransactionRejected` unless an input's signature spends its P2WPKH output. */
function requireSignature(
  transaction: Transaction,
  input: number,
  output: { address: string; amount: bigint },
  network: NetworkParameters,
): void {
  const problem = signatureProblem(transaction, input, output, network);
  if (problem !== null) throw new TransactionRejected(problem);
}

/** Satoshi per virtual byte: the relay minimum, and the minimum extra fee of a replacement (BIP 125). */
const RELAY_RATE = 1n;

/** An output that a transaction spends. */
interface SpentOutput {
  transactionId: number;
  place: number;
  address: string;
  amount: bigint;
  spentBy: { id: number; isUnconfirmed: boolean } | null;
}

/** Adds a signed transaction to the mempool. It replaces conflicting transactions with a lower fee. */
export async function acceptBitcoinTransaction(
  store: ChainStore,
  { name: chain, network, feeCode: code }: BitcoinKind,
  raw: string,
): Promise<void> {
  const transaction = await parseOrReject(() =>
    Transaction.fromRaw(hex.decode(raw), { allowUnknownOutputs: true, disableScriptCheck: true }),
  );
  const { txid, outputs } = await parseTransaction(raw, createScriptToAddress(network));
  const inputs = Array.from({ length: transaction.inputsLength }, (_, index) => inputOutpoint(transaction, index));
  if (inputs.length === 0 || new Set(inputs.map(({ outpoint }) => outpoint)).size < inputs.length)
    throw new TransactionRejected('A transaction must spend at least one output, each only once.');

  await store.change(async (change) => {
    if (await isAlreadyKnown(change, txid)) return;
    const spentOutputs: SpentOutput[] = [];
    for (const [index, { txHash, vout, outpoint }] of inputs.entries()) {
      const spentOutput = await findOutput(change, { chain, txHash, vout });
      if (!spentOutput || (spentOutput.spentBy && !spentOutput.spentBy.isUnconfirmed))
        throw new TransactionRejected(`Output ${outpoint} is missing or spent.`, 'inputs');
      requireSignature(transaction, index, spentOutput, network);
      spentOutputs.push(spentOutput);
    }
    const fee = totalAmount(spentOutputs) - totalAmount(transactionOutputs(transaction));
    if (fee < 0n) throw new TransactionRejected(`Its outputs exceed its inputs by ${-fee} satoshi.`);
    const minFee = BigInt(transaction.vsize) * RELAY_RATE;
    if (fee < minFee)
      throw new TransactionRejected(`Its fee is ${fee} satoshi; the relay minimum is ${minFee}.`, 'fee');
    await replaceConflicts(change, spentOutputs, fee - minFee);

    const id = await insertMempoolTransaction(change, {
      txHash: txid,
      outputs: outputs.map(({ vout, address, amount }) => ({
        place: vout,
        paymentKey: `${txid}:${vout}`,
        address,
        code,
        amount,
      })),
      signed: { fee: String(fee) },
    });
    for (const { transactionId, place } of spentOutputs) {
      await db(change)
        .updateTable('simulated_outputs')
        .set({ spent_by_id: id })
        .where('transaction_id', '=', transactionId)
        .where('place', '=', place)
        .execute();
    }
  });
}

/** Removes conflicting transactions and their descendants, if their fees are at most `maxReplacedFees`. */
async function replaceConflicts(
  change: ChainChange,
  spentOutputs: readonly SpentOutput[],
  maxReplacedFees: bigint,
): Promise<void> {
  const conflicts = [...new Set(spentOutputs.flatMap(({ spentBy }) => (spentBy ? [spentBy.id] : [])))];
  if (conflicts.length === 0) return;
  const replaced = await findWithDescendants(change, conflicts);
  if (spentOutputs.some(({ transactionId }) => replaced.includes(transactionId)))
    throw new TransactionRejected('It spends an output of a transaction that it replaces.');
  const rows = await db(change)
    .selectFrom('simulated_transactions')
    .select('fee')
    .where('id', 'in', replaced)
    .execute();
  const replacedFees = rows.reduce((sum, { fee }) => sum + BigInt(fee ?? 0), 0n);
  if (replacedFees > maxReplacedFees)
    throw new TransactionRejected(
      `It must pay ${RELAY_RATE} sat/vB more than the ${replacedFees} satoshi of the transactions that it replaces.`,
    );
  await removeTransactions(change, conflicts, 'removed');
}

async function findOutput(
  reader: Runner,
  { chain, txHash, vout }: { chain: string; txHash: string; vout: number },
): Promise<SpentOutput | null> {
  const row = await db(reader)
    .selectFrom('simulated_transactions as tx')
    .innerJoin('simulated_outputs as output', 'output.transaction_id', 'tx.id')
    .leftJoin('simulated_transactions as spending', 'spending.id', 'output.spent_by_id')
    .select(['tx.id', 'output.place', 'output.address', 'output.amount'])
    .select(['spending.id as spending_id', 'spending.state'])
    .where('tx.chain', '=', chain)
    .where('tx.tx_hash', '=', txHash)
    .where('output.place', '=', vout)
    .executeTakeFirst();
  if (!row) return null;
  const { id: transactionId, place, address, amount, spending_id, state } = row;
  const spentBy = spending_id === null ? null : { id: spending_id, isUnconfirmed: state === 'waiting' };
  return { transactionId, place, address, amount: BigInt(amount), spentBy };
}

function inputOutpoint(transaction: Transaction, input: number): { txHash: string; vout: number; outpoint: string } {
  const { txid, index: vout } = transaction.getInput(input);
  if (!txid || vout === undefined) throw new TransactionRejected(`Input ${input} has no output.`);
  const txHash = hex.encode(txid);
  return { txHash, vout, outpoint: `${txHash}:${vout}` };
}

function transactionOutputs(transaction: Transaction): { amount: bigint }[] {
  return Array.from({ length: transaction.outputsLength }, (_, index) => ({
    amount: transaction.getOutput(index).amount ?? 0n,
  }));
}

function totalAmount(parts: readonly { amount: bigint }[]): bigint {
  return parts.reduce((sum, { amount }) => sum + amount, 0n);
}
