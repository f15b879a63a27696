import { sql } from 'kysely';
import { type ChainName, chains } from '../shared/crypto-currency.ts';
import type { BlockRef } from '../chains/port.ts';
import type { Runner } from '../database/engine.ts';
import type { Movement } from '../deposits/balances/movements.ts';
import type { OwnTransfer, WithdrawalFacts } from '../deposits/context.ts';
import { filterUnassigned } from './funds.ts';
import { db, statement } from './schema.ts';

const queryOwnTransfer = statement((query, { txHash }: { txHash: string }) =>
  query
    .selectFrom('withdrawal_versions')
    .innerJoin('withdrawals', 'withdrawals.id', 'withdrawal_versions.withdrawal_id')
    .select(['withdrawals.id', 'withdrawals.source', 'withdrawal_versions.cancels'])
    .where('withdrawal_versions.tx_hash', '=', txHash)
    .where(({ or, eb }) => or([eb('withdrawals.purpose', '=', 'gas'), eb('withdrawal_versions.cancels', '=', 1)]))
    .$castTo<OwnTransfer>(),
);

export const withdrawalQueries: WithdrawalFacts = {
  selectBlocks: (reader) => db(reader).selectFrom('withdrawals').select(['id', 'height', 'is_reverted', 'status']),
  selectInProgress: (reader, merchantIds) =>
    db(reader)
      .selectFrom('withdrawals')
      .select('id')
      .where('merchant_id', 'in', merchantIds)
      .where('status', 'in', ['waiting', 'to_sign', 'sent'])
      .where('height', 'is', null)
      .$castTo<number>(),
  selectWithdrawalBlocks: (reader, chain) =>
    db(reader)
      .selectFrom('withdrawals')
      .select(['height', 'block_hash as hash'])
      .where('chain', '=', chain)
      .where('height', 'is not', null),
  readMovements,
  async findOwnTransfer(reader, txHash) {
    const [transfer] = (await queryOwnTransfer(reader, { txHash })).rows;
    return transfer ?? null;
  },
  filterUnassigned: async (reader, deposits) => await filterUnassigned(reader, deposits, { includeFailed: false }),
};

async function readMovements(
  reader: Runner,
  chain: ChainName,
  addresses: readonly string[],
  since: number,
): Promise<{ address: string; movement: Movement }[]> {
  const sent = await db(reader)
    .selectFrom('withdrawals')
    .select(['sender', 'code', 'height', 'block_hash', 'tx_hash', 'amount', 'is_reverted'])
    .where('chain', '=', chain)
    .where('sender', 'in', addresses)
    .where('nonce', 'is not', null)
    .where('height', '>', since)
    .execute();
  const gas = await db(reader)
    .selectFrom('withdrawals')
    .select(['destination', 'height', 'block_hash', 'amount', 'is_reverted', 'spent'])
    .where('chain', '=', chain)
    .where('destination', 'in', addresses)
    // A literal: the partial index applies only if the query repeats its condition.
    .where('purpose', '=', sql.lit('gas'))
    .where((eb) =>
      eb.or([
        eb('height', '>', since),
        eb.and([eb('height', 'is', null), eb('status', 'in', ['waiting', 'to_sign', 'sent'])]),
      ]),
    )
    .execute();
  return [
    ...sent.map((row) => ({
      address: row.sender ?? '',
      movement: {
        kind: 'sent' as const,
        block: blockOf(row) ?? { height: 0, hash: '' },
        txHash: row.tx_hash ?? '',
        // Reverted transactions and token transfers send no ether.
        amount: row.is_reverted === 1 || row.code !== chains[chain].feeCode ? 0n : BigInt(row.amount ?? 0),
      },
    })),
    ...gas.map(({ destination, spent, amount, is_reverted: isReverted, ...row }) => ({
      address: destination,
      movement: {
        kind: 'gas_funding' as const,
        block: blockOf(row),
        amount: BigInt(amount ?? spent),
        isReverted: isReverted === 1,
      },
    })),
  ];
}

function blockOf({ height, block_hash: hash }: { height: number | null; block_hash: string | null }): BlockRef | null {
  return height === null || hash === null ? null : { height, hash };
}
