import type { Selectable } from 'kysely';
import type { WalletsQuery } from '../api/wallet.ts';
import type { Runner } from '../database/engine.ts';
import { chainNames } from '../shared/crypto-currency.ts';
import { db, type WalletTable } from './schema.ts';

export type WalletEntryRow = Selectable<WalletTable>;

/** Wallets of a merchant, newest first. */
export async function findEntries(
  on: Runner,
  merchantId: number,
  { state, code, before, limit }: Pick<WalletsQuery, 'state' | 'code'> & { before: number | null; limit: number },
): Promise<WalletEntryRow[]> {
  return await db(on)
    .selectFrom('wallets')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .$if(state !== undefined, (rest) => rest.where('state', '=', state ?? 'serving'))
    .$if(code !== undefined, (rest) => rest.where('code', '=', code ?? ''))
    .$if(before !== null, (rest) => rest.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** The wallet of a merchant at an address. */
export async function findEntry(on: Runner, merchantId: number, address: string): Promise<WalletEntryRow | undefined> {
  return await db(on)
    .selectFrom('wallets')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('chain', 'in', chainNames)
    .where('address', '=', address)
    .executeTakeFirst();
}
