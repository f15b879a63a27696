import type { Runner } from '../database/engine.ts';
import Big from 'big.js';
import { type ChainName, cryptoCurrencies, type CryptoCurrencyCode, familyOf } from '../shared/crypto-currency.ts';
import { readPreferences } from '../merchants/preferences/store.ts';

export function feeRateUnit(chain: ChainName): string {
  return familyOf(chain).feeUnit;
}

/** Formats a fee rate in the unit for display. */
export function formatFeeRate(chain: ChainName, rate: bigint): string {
  return new Big(rate.toString()).div(new Big(10).pow(familyOf(chain).feeDecimals)).toFixed();
}

/** Converts a fee rate from the display unit to the smallest unit. */
export function toSmallestUnit(chain: ChainName, rate: bigint): bigint {
  return rate * 10n ** BigInt(familyOf(chain).feeDecimals);
}

/**
 * Reads a merchant's fee rate limit for automatic withdrawals, in the smallest unit per virtual byte or unit of gas;
 * null if none is set.
 */
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
