import { sql } from 'kysely';
import { type ChainName, chains } from '../shared/crypto-currency.ts';
import type { BlockRef } from '../chains/port.ts';
import type { Runner } from '../database/engine.ts';
import type { Movement } from '../deposits/balances/movements.ts';
import type { OwnPayment, WithdrawalFacts } from '../deposits/context.ts';
import { filterFree } from './funds.ts';
import { db, statement } from './schema.ts';

const ownOf = statement((query, { txHash }: { txHash: string }) =>
  query
    .selectFrom('withdrawal_versions')
    .innerJoin('withdrawals', 'withdrawals.id', 'withdrawal_versions.withdrawal_id')
    .select(['withdrawals.id', 'withdrawals.source', 'withdrawal_versions.cancels'])
    .where('withdrawal_versions.tx_hash', '=', txHash)
    .where(({ or, eb }) => or([eb('withdrawals.purpose', '=', 'gas'), eb('withdrawal_versions.cancels', '=', 1)]))
    .$castTo<OwnPayment>(),
);

export const withdrawalFacts: WithdrawalFacts = {
  blocks: (on) => db(on).selectFrom('withdrawals').select(['id', 'height', 'is_reverted']),
  anchors: (on, chain) =>
    db(on)
      .selectFrom('withdrawals')
      .select(['height', 'block_hash as hash'])
      .where('chain', '=', chain)
      .where('height', 'is not', null),
  movements: readMovements,
  async findOwnPayment(on, txHash) {
    const [found] = (await ownOf(on, { txHash })).rows;
    return found ?? null;
  },
  findFree: async (on, deposits) => await filterFree(on, deposits, { withFailed: false }),
};

async function readMovements(
  on: Runner,
  chain: ChainName,
  addresses: readonly string[],
  since: number,
): Promise<{ address: string; movement: Movement }[]> {
  const went = await db(on)
    .selectFrom('withdrawals')
    .select(['sender', 'code', 'height', 'block_hash', 'tx_hash', 'amount', 'is_reverted'])
    .where('chain', '=', chain)
    .where('sender', 'in', addresses)
    .where('nonce', 'is not', null)
    .where('height', '>', since)
    .execute();
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
  return [
    ...went.map((row) => ({
      address: row.sender ?? '',
      movement: {
        kind: 'went' as const,
        block: blockOf(row) ?? { height: 0, hash: '' },
        txHash: row.tx_hash ?? '',
        // What failed has sent nothing, and tokens are no ether.
        amount: row.is_reverted === 1 || row.code !== chains[chain].feeCode ? 0n : BigInt(row.amount ?? 0),
      },
    })),
    ...gas.map(({ destination, spent, amount, is_reverted: isReverted, ...row }) => ({
      address: destination,
      movement: {
        kind: 'gas' as const,
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
