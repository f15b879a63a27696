import type { Runner } from '../database/engine.ts';
import Big from 'big.js';
import {
  type ChainFamily,
  type ChainName,
  chains,
  cryptoCurrencies,
  type CryptoCurrencyCode,
} from '../shared/crypto-currency.ts';
import { readPreferences } from '../merchants/preferences/store.ts';

/** Smallest units in the unit that people read: sat/vB are themselves, a gwei has a billion wei. */
const DECIMALS: Readonly<Record<ChainFamily, number>> = { bitcoin: 0, ethereum: 9 };

export function rateUnit(chain: ChainName): string {
  return chains[chain].family === 'bitcoin' ? 'sat/vB' : 'gwei';
}

/** A rate as people read it. */
export function describeRate(chain: ChainName, rate: bigint): string {
  return new Big(rate.toString()).div(new Big(10).pow(DECIMALS[chains[chain].family])).toFixed();
}

/** A rate as people read it, in the smallest unit. */
export function fromReadable(chain: ChainName, rate: bigint): bigint {
  return rate * 10n ** BigInt(DECIMALS[chains[chain].family]);
}

/** The currency of a withdrawal's fee. */
export function feeCodeOf(code: CryptoCurrencyCode): CryptoCurrencyCode {
  return chains[cryptoCurrencies[code].chain].feeCode;
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
    new Big(String(limit)).times(new Big(10).pow(DECIMALS[chains[chain].family])).round(0, Big.roundDown).toFixed(),
  );
}
