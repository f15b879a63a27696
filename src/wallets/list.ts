import type { WalletsQuery } from '../api/wallet.ts';
import type { Runner } from '../database/engine.ts';
import { chainNames } from '../shared/crypto-currency.ts';
import { selectWallets } from './wallet.ts';
import { type Wallet, walletRecord } from './schema.ts';

/** Finds wallets of a merchant, newest first. */
export async function findWalletPage(
  on: Runner,
  merchantId: number,
  { state, code, before, limit }: Pick<WalletsQuery, 'state' | 'code'> & { before: number | null; limit: number },
): Promise<Wallet[]> {
  const rows = await selectWallets(on)
    .where('merchant_id', '=', merchantId)
    .$if(state !== undefined, (rest) => rest.where('state', '=', state ?? 'serving'))
    .$if(code !== undefined, (rest) => rest.where('code', '=', code ?? ''))
    .$if(before !== null, (rest) => rest.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(walletRecord.read);
}

/** Finds the wallet of a merchant by its address. */
export async function findMerchantWallet(on: Runner, merchantId: number, address: string): Promise<Wallet | undefined> {
  const row = await selectWallets(on)
    .where('merchant_id', '=', merchantId)
    .where('chain', 'in', chainNames)
    .where('address', '=', address)
    .executeTakeFirst();
  return row && walletRecord.read(row);
}
