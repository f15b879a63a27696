import type { CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import type { ChainPayment, FindOurs } from '../port.ts';

/** An output as it is read. */
export interface SeenOutput {
  tx_hash: string;
  payment_key: string;
  address: string;
  code: CryptoCurrencyCode;
  amount: string;
}

/** What of it comes to us; asks once, and only where there is anything. */
export async function pick(seen: readonly SeenOutput[], findOurs: FindOurs): Promise<ChainPayment[]> {
  if (seen.length === 0) return [];
  const ours = await findOurs([...new Set(seen.map(({ address }) => address))]);
  return seen
    .filter(({ address }) => ours.has(address))
    .map(({ tx_hash: txHash, payment_key: paymentKey, address, code, amount }) => ({
      paymentKey,
      txHash,
      address,
      code,
      amount: BigInt(amount),
    }));
}
