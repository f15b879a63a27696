import { sql } from 'kysely';
import type { WalletsQuery, walletStates } from '../api/wallet.ts';
import type { Runner } from '../database/engine.ts';
import { isAnyOf } from '../database/search.ts';
import { chainNames } from '../shared/crypto-currency.ts';
import { selectWallets } from './wallet.ts';
import { type Wallet, walletRecord } from './schema.ts';

type StoredState = Wallet['state'];
type WalletState = (typeof walletStates)[number];

/** The API calls a `serving` wallet `assigned`, and a `resting` one `free`. */
export function toWalletState(state: StoredState): WalletState {
  return state === 'serving' ? 'assigned' : state === 'resting' ? 'free' : state;
}

function storedState(state: WalletState): StoredState {
  return state === 'assigned' ? 'serving' : state === 'free' ? 'resting' : state;
}

/** Raw SQL: the partial index applies only if the query repeats its condition. */
const hasBalance = sql<boolean>`balance <> '0'`;

/** Finds wallets of a merchant, newest first. */
export async function findWalletPage(
  reader: Runner,
  merchantId: number,
  {
    state,
    code,
    funded,
    before,
    limit,
  }: Pick<WalletsQuery, 'state' | 'code' | 'funded'> & { before: number | null; limit: number },
): Promise<Wallet[]> {
  const rows = await selectWallets(reader)
    .where('merchant_id', '=', merchantId)
    .$if(state !== undefined, (qb) => qb.where(isAnyOf('state', (state ?? []).map(storedState))))
    .$if(code !== undefined, (qb) => qb.where(isAnyOf('code', code ?? [])))
    .$if(funded !== undefined, (qb) => qb.where(hasBalance))
    .$if(before !== null, (qb) => qb.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(walletRecord.read);
}

/** Finds all wallets of a merchant that have a balance. */
export async function findFundedWallets(reader: Runner, merchantId: number): Promise<Wallet[]> {
  const rows = await selectWallets(reader).where('merchant_id', '=', merchantId).where(hasBalance).execute();
  return rows.map(walletRecord.read);
}

/** Finds the wallet of a merchant by one of the forms of its address. */
export async function findMerchantWallet(
  reader: Runner,
  merchantId: number,
  addresses: readonly string[],
): Promise<Wallet | undefined> {
  const row = await selectWallets(reader)
    .where('merchant_id', '=', merchantId)
    .where('chain', 'in', chainNames)
    .where('address', 'in', addresses)
    .executeTakeFirst();
  return row && walletRecord.read(row);
}
