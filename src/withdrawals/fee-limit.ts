import type { Runner } from '../database/engine.ts';
import Big from 'big.js';
import { type ChainName, cryptoCurrencies, type CryptoCurrencyCode, familyOf } from '../shared/crypto-currency.ts';
import { readPreferences } from '../merchants/preferences/store.ts';

export function rateUnit(chain: ChainName): string {
  return familyOf(chain).feeUnit;
}

/** A rate as people read it. */
export function describeRate(chain: ChainName, rate: bigint): string {
  return new Big(rate.toString()).div(new Big(10).pow(familyOf(chain).feeDecimals)).toFixed();
}

/** A rate as people read it, in the smallest unit. */
export function fromReadable(chain: ChainName, rate: bigint): bigint {
  return rate * 10n ** BigInt(familyOf(chain).feeDecimals);
}

/** What a merchant pays at most for what is withdrawn by itself, in the smallest unit; null where it has set nothing. */
export async function readFeeLimit(
  reader: Runner,
  merchantId: number,
  code: CryptoCurrencyCode,
): Promise<bigint | null> {
  const key = `max-fee-limit-auto-withdrawal-${code}`;
  const { [key]: limit } = await readPreferences(reader, merchantId, [key]);
  if (limit === undefined) return null;
  const { chain } = cryptoCurrencies[code];
  return BigInt(
    new Big(String(limit))
      .times(new Big(10).pow(familyOf(chain).feeDecimals))
      .round(0, Big.roundDown)
      .toFixed(),
  );
}
