import { db, statement, type SimulatedTransactionTable } from './schema.ts';
import type { Insertable } from 'kysely';
import type { CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import type { Runner } from '../../database/engine.ts';
import type { OutputState, UnspentOutput } from '../port.ts';
import type { ChainChange } from './store.ts';
import type { ChainKind, StoredOutput, SimulatedOutput } from './chain-kinds.ts';
import type { OutputRow } from './own-deposits.ts';

const unconfirmedOutputs = statement((query, { chain }: { chain: string }) =>
  query
    .selectFrom('simulated_transactions as tx')
    .innerJoin('simulated_outputs as output', 'output.transaction_id', 'tx.id')
    .select(['tx.tx_hash', 'output.payment_key', 'output.address', 'output.code', 'output.amount'])
    .where('tx.chain', '=', chain)
    .where('tx.state', '=', 'waiting')
    .orderBy('tx.id')
    .orderBy('output.place'),
);

/** Visible outputs in the mempool. */
export async function readUnconfirmed(reader: Runner, chain: string): Promise<OutputRow[]> {
  const { rows } = await unconfirmedOutputs(reader, { chain });
  return rows.flatMap(({ payment_key, code, ...output }) =>
    payment_key === null ? [] : [{ ...output, payment_key, code: code as CryptoCurrencyCode }],
  );
}

const unconfirmedOutputsTo = statement((query, { chain, address }: { chain: string; address: string }) =>
  query
    .selectFrom('simulated_transactions as tx')
    .innerJoin('simulated_outputs as output', 'output.transaction_id', 'tx.id')
    .select(['tx.tx_hash', 'output.code', 'output.amount'])
    .where('tx.chain', '=', chain)
    .where('tx.state', '=', 'waiting')
    .where('output.address', '=', address)
    .orderBy('tx.id')
    .orderBy('output.place'),
);

/** Mempool outputs of an address, even those that nodes would not report. */
export async function readUnconfirmedTo(
  reader: Runner,
  { name, addresses }: ChainKind,
  address: string,
): Promise<(SimulatedOutput & { txHash: string })[]> {
  const normalized = addresses.normalize(address);
  if (normalized === null) return [];
  const { rows } = await unconfirmedOutputsTo(reader, { chain: name, address: normalized });
  return rows.map(({ tx_hash: txHash, code, amount }) => ({
    ...{ txHash, address: normalized, code: code as CryptoCurrencyCode },
    amount: BigInt(amount),
  }));
}

/** Validates the outputs of an external payment and normalizes their addresses. Throws a `RangeError` if invalid. */
export function normalizeOutputs(
  { name, currencies, addresses }: ChainKind,
  outputs: SimulatedOutput | readonly SimulatedOutput[],
): SimulatedOutput[] {
  const list = 'address' in outputs ? [outputs] : outputs;
  if (list.length === 0) throw new RangeError('A transaction must pay at least one address.');
  return list.map(({ address: text, code, amount }) => {
    const address = addresses.normalize(text);
    if (address === null) throw new RangeError(`${text} is not an address of the simulated chain ${name}.`);
    if (!currencies.includes(code)) throw new RangeError(`The simulated chain ${name} has no ${code}.`);
    if (amount <= 0n) throw new RangeError(`The amount must be greater than 0, not ${amount}.`);
    return { address, code, amount };
  });
}

/** Columns that only signed transactions have. */
type SignedFields = Pick<
  Insertable<SimulatedTransactionTable>,
  'sender' | 'nonce' | 'gas_limit' | 'max_fee_per_gas' | 'max_priority_fee_per_gas' | 'fee'
>;

/** Adds a transaction to the mempool. Returns its ID. */
export async function insertMempoolTransaction(
  { tables, kind, announce }: ChainChange,
  { txHash, outputs, signed }: { txHash: string; outputs: readonly StoredOutput[]; signed?: SignedFields },
): Promise<number> {
  const { id } = await tables
    .insertInto('simulated_transactions')
    .values({ chain: kind.name, tx_hash: txHash, state: 'waiting', is_signed: signed ? 1 : 0, ...signed })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rows = outputs.map(({ paymentKey, amount, ...output }) => ({
    ...output,
    transaction_id: id,
    payment_key: paymentKey,
    amount: String(amount),
  }));
  if (rows.length > 0) await tables.insertInto('simulated_outputs').values(rows).execute();
  announce();
  return id;
}

/** Adds an external transaction, by default with a new hash. */
export async function insertExternalTransaction(
  change: ChainChange,
  outputs: readonly SimulatedOutput[],
  txHash = change.newHash(),
): Promise<{ txHash: string }> {
  await insertMempoolTransaction(change, { txHash, outputs: change.kind.toStoredOutputs(txHash, outputs) });
  return { txHash };
}

/** Returns transactions with all their descendants. */
export async function findWithDescendants({ tables, kind }: ChainChange, ids: readonly number[]): Promise<number[]> {
  const all = new Set(ids);
  for (let next = [...all]; kind.hasInputs && next.length > 0; ) {
    const spending = await tables
      .selectFrom('simulated_outputs')
      .select('spent_by_id')
      .distinct()
      .where('transaction_id', 'in', next)
      .where('spent_by_id', 'is not', null)
      .execute();
    next = spending.flatMap(({ spent_by_id: id }) => (id === null || all.has(id) ? [] : [id]));
    for (const id of next) all.add(id);
  }
  return [...all];
}

/**
 * Removes transactions and their descendants; the outputs that they spent are unspent again. The hashes of `dropped`
 * transactions are stored, so that they never return.
 */
export async function removeTransactions(
  change: ChainChange,
  ids: readonly number[],
  mode: 'removed' | 'dropped',
): Promise<void> {
  if (ids.length === 0) return;
  const { tables, announce } = change;
  const all = await findWithDescendants(change, ids);
  await tables.updateTable('simulated_outputs').set({ spent_by_id: null }).where('spent_by_id', 'in', all).execute();
  await tables.deleteFrom('simulated_outputs').where('transaction_id', 'in', all).execute();
  if (mode === 'removed') await tables.deleteFrom('simulated_transactions').where('id', 'in', all).execute();
  else {
    await tables
      .updateTable('simulated_transactions')
      .set({ state: 'dropped', height: null, sender: null, nonce: null, fee: null })
      .where('id', 'in', all)
      .execute();
  }
  announce();
}

/** Replaces an unconfirmed transaction. Returns null if the replacement pays only its sender. */
export async function replaceUnconfirmed(
  change: ChainChange,
  txHash: string,
  replacement: readonly SimulatedOutput[] | null,
): Promise<{ txHash: string } | null> {
  const { id, is_signed } = await findUnconfirmed(change, txHash);
  if (is_signed)
    throw new RangeError(`Transaction ${txHash} is signed. Only its signer can replace it, with another transaction.`);
  await removeTransactions(change, [id], 'removed');
  return replacement && (await insertExternalTransaction(change, replacement));
}

/** Removes an unconfirmed transaction from the mempool. */
export async function evictUnconfirmed(change: ChainChange, txHash: string): Promise<void> {
  const { id } = await findUnconfirmed(change, txHash);
  await removeTransactions(change, [id], 'removed');
}

async function findUnconfirmed({ tables, kind }: ChainChange, txHash: string) {
  const transaction = await tables
    .selectFrom('simulated_transactions')
    .select(['id', 'state', 'is_signed'])
    .where('chain', '=', kind.name)
    .where('tx_hash', '=', txHash)
    .executeTakeFirst();
  if (transaction?.state === 'waiting') return transaction;
  const reason = transaction && transaction.state !== 'dropped' ? 'is already in a block' : 'is unknown';
  throw new RangeError(
    `Transaction ${txHash} is not in the mempool of the simulated chain ${kind.name}: it ${reason}.`,
  );
}

/** States of outputs by payment key. */
export async function readOutputStates(
  reader: Runner,
  chain: string,
  paymentKeys: readonly string[],
): Promise<ReadonlyMap<string, OutputState>> {
  const states = new Map<string, OutputState>(paymentKeys.map((key) => [key, 'spent']));
  if (paymentKeys.length === 0) return states;
  const rows = await db(reader)
    .selectFrom('simulated_outputs as output')
    .innerJoin('simulated_transactions as tx', 'tx.id', 'output.transaction_id')
    .leftJoin('simulated_transactions as spender', 'spender.id', 'output.spent_by_id')
    .select(['output.payment_key', 'spender.state'])
    .where('tx.chain', '=', chain)
    .where('tx.state', '=', 'mined')
    .where('tx.tx_hash', 'in', [...new Set(paymentKeys.map((key) => key.slice(0, key.indexOf(':'))))])
    .where('output.payment_key', 'in', [...paymentKeys])
    .execute();
  for (const { payment_key: key, state } of rows)
    if (key !== null && state !== 'mined') states.set(key, state === null ? 'unspent' : 'spending');
  return states;
}

/** Outputs of addresses in blocks that are not spent in a block. */
export async function readUnspent(
  reader: Runner,
  chain: string,
  addresses: readonly string[],
): Promise<UnspentOutput[]> {
  const addressSet = new Set(addresses);
  const rows = await db(reader)
    .selectFrom('simulated_outputs as output')
    .innerJoin('simulated_transactions as tx', 'tx.id', 'output.transaction_id')
    .leftJoin('simulated_transactions as spender', 'spender.id', 'output.spent_by_id')
    .select(['output.payment_key', 'output.address', 'output.amount', 'tx.height', 'spender.state'])
    .where('tx.chain', '=', chain)
    .where('tx.state', '=', 'mined')
    .execute();
  return rows.flatMap(({ payment_key: paymentKey, address, amount, height, state }) =>
    paymentKey === null || height === null || state === 'mined' || !addressSet.has(address)
      ? []
      : [{ paymentKey, address, amount: BigInt(amount), height }],
  );
}
