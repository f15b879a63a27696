import type { CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import type { ChainDeposit, FindOwnAddresses } from '../port.ts';

/** An output as stored. */
export interface OutputRow {
  tx_hash: string;
  payment_key: string;
  address: string;
  code: CryptoCurrencyCode;
  amount: string;
}

/** Converts the outputs of our addresses to deposits. Looks the addresses up once, if there are any. */
export async function filterOwnDeposits(
  outputs: readonly OutputRow[],
  findOwnAddresses: FindOwnAddresses,
): Promise<ChainDeposit[]> {
  if (outputs.length === 0) return [];
  const ownAddresses = await findOwnAddresses([...new Set(outputs.map(({ address }) => address))]);
  return outputs
    .filter(({ address }) => ownAddresses.has(address))
    .map(({ tx_hash: txHash, payment_key: paymentKey, address, code, amount }) => ({
      paymentKey,
      txHash,
      address,
      code,
      amount: BigInt(amount),
    }));
}
