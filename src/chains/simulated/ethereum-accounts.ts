import { db, type SimulatedChainTables } from './schema.ts';
import type { Kysely } from 'kysely';
import type { ChainName, CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import type { Runner } from '../../database/engine.ts';
import type { ChainKind } from './chain-kinds.ts';

/** Addresses per statement: databases limit the number of values. */
const ADDRESSES_PER_STATEMENT = 1000;

/** Balances of accounts in all currencies. */
export class Balances {
  readonly #amounts = new Map<string, bigint>();

  get(address: string, code: CryptoCurrencyCode): bigint {
    return this.#amounts.get(`${address} ${code}`) ?? 0n;
  }

  add(address: string, code: CryptoCurrencyCode, amount: bigint): void {
    this.#amounts.set(`${address} ${code}`, this.get(address, code) + amount);
  }
}

/**
 * Reads balances after a block, however the funds arrived. Needs a database transaction or snapshot, because it reads
 * more than once.
 */
export async function readBalances(
  reader: Runner,
  kind: ChainKind,
  addresses: readonly string[],
  height: number,
): Promise<Balances> {
  const balances = new Balances();
  for (let start = 0; start < addresses.length; start += ADDRESSES_PER_STATEMENT)
    await addBalances(db(reader), kind, addresses.slice(start, start + ADDRESSES_PER_STATEMENT), height, balances);
  return balances;
}

async function addBalances(
  query: Kysely<SimulatedChainTables>,
  { name: chain, feeCode }: ChainKind,
  addresses: readonly string[],
  height: number,
  balances: Balances,
) {
  const transfers = query
    .selectFrom('simulated_transactions as tx')
    .innerJoin('simulated_outputs as output', 'output.transaction_id', 'tx.id')
    .where('tx.chain', '=', chain)
    .where('tx.state', '=', 'mined')
    .where('tx.height', '<=', height);
  const received = await transfers
    .select(['output.address', 'output.code', 'output.amount'])
    .where('output.address', 'in', addresses)
    .execute();
  for (const { address, code, amount } of received) balances.add(address, code as CryptoCurrencyCode, BigInt(amount));
  const sent = await transfers
    .select(['tx.sender', 'output.code', 'output.amount'])
    .where('tx.sender', 'in', addresses)
    .execute();
  for (const { sender, code, amount } of sent) balances.add(sender ?? '', code as CryptoCurrencyCode, -BigInt(amount));
  const fees = await query
    .selectFrom('simulated_transactions')
    .select(['sender', 'fee'])
    .where('chain', '=', chain)
    .where('sender', 'in', addresses)
    .where('height', '<=', height)
    .execute();
  for (const { sender, fee } of fees) balances.add(sender ?? '', feeCode, -BigInt(fee ?? 0));
}

/** An unconfirmed signed transaction of an account. */
export interface PendingTransfer {
  id: number;
  nonce: number;
  gasLimit: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  /** Wei sent. */
  value: bigint;
}

/** Maximum cost of a transaction in wei, for its sender. */
export function maxCost({
  gasLimit,
  maxFeePerGas,
  value,
}: Pick<PendingTransfer, 'gasLimit' | 'maxFeePerGas' | 'value'>): bigint {
  return value + gasLimit * maxFeePerGas;
}

/** Returns the next nonce of an account after its mined transactions, optionally up to a height. */
export async function readNextMinedNonce(
  reader: Runner,
  chain: ChainName,
  sender: string,
  maxHeight?: number,
): Promise<number> {
  const last = await db(reader)
    .selectFrom('simulated_transactions')
    .select('nonce')
    .where('chain', '=', chain)
    .where('sender', '=', sender)
    .where('height', 'is not', null)
    .$if(maxHeight !== undefined, (qb) => qb.where('height', '<=', maxHeight ?? 0))
    .orderBy('nonce', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (last?.nonce ?? -1) + 1;
}

/** Unconfirmed transactions of an account, by nonce. */
export async function readPendingTransfers(
  reader: Runner,
  { name: chain, feeCode }: ChainKind,
  sender: string,
): Promise<Map<number, PendingTransfer>> {
  const rows = await db(reader)
    .selectFrom('simulated_transactions as tx')
    .leftJoin('simulated_outputs as output', (join) =>
      join.onRef('output.transaction_id', '=', 'tx.id').on('output.code', '=', feeCode),
    )
    .select(['tx.id', 'tx.nonce', 'tx.gas_limit', 'tx.max_fee_per_gas', 'tx.max_priority_fee_per_gas', 'output.amount'])
    .where('tx.chain', '=', chain)
    .where('tx.sender', '=', sender)
    .where('tx.height', 'is', null)
    .execute();
  return new Map(
    rows.map((row) => {
      const nonce = row.nonce ?? 0;
      return [nonce, { id: row.id, nonce, ...parseCaps(row), value: BigInt(row.amount ?? 0) }];
    }),
  );
}

export function parseCaps(row: {
  gas_limit: number | null;
  max_fee_per_gas: string | null;
  max_priority_fee_per_gas: string | null;
}) {
  return {
    gasLimit: BigInt(row.gas_limit ?? 0),
    maxFeePerGas: BigInt(row.max_fee_per_gas ?? 0),
    maxPriorityFeePerGas: BigInt(row.max_priority_fee_per_gas ?? 0),
  };
}

/** Returns the next nonce of an account, after pending transactions without a gap. */
export function nextFreeNonce(minedNonce: number, pending: ReadonlyMap<number, unknown>): number {
  let next = minedNonce;
  while (pending.has(next)) next += 1;
  return next;
}
