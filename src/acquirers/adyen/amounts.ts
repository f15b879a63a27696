import { type CurrencyCode, currencyCodes, minorUnitsOf } from '../../api/currency.ts';
import { NotAccepted } from '../port.ts';

/** An amount in Adyen's format: `value` in Adyen's own minor units. */
export interface AdyenAmount {
  currency: string;
  value: number;
}

/**
 * Decimals where Adyen differs from ISO 4217 (Adyen's page "Currency codes and minor units"). Of these currencies, only
 * the rupiah is in our catalog.
 */
const differingDecimals: Partial<Record<CurrencyCode, number>> = { IDR: 0 };

/** Decimals of a currency at Adyen. */
export function adyenDecimals(currency: CurrencyCode): number {
  return differingDecimals[currency] ?? minorUnitsOf(currency);
}

/** Thrown for an amount with more decimals than Adyen accepts in its currency. */
export class UnsupportedAmount extends NotAccepted {}

/** Converts an amount for Adyen. Throws `UnsupportedAmount`. */
export function toAdyenAmount(amountMinor: bigint, currency: CurrencyCode): AdyenAmount {
  const factor = factorOf(currency);
  if (amountMinor % factor !== 0n)
    throw new UnsupportedAmount(`Adyen accepts ${currency} with at most ${adyenDecimals(currency)} decimals`);
  return { currency, value: Number(amountMinor / factor) };
}

/** Converts an amount from Adyen; null in a currency that our catalog does not have. */
export function fromAdyenAmount({ currency, value }: AdyenAmount): {
  amountMinor: bigint;
  currency: CurrencyCode;
} | null {
  const code = currencyCodes.find((each) => each === currency);
  return code ? { amountMinor: BigInt(value) * factorOf(code), currency: code } : null;
}

function factorOf(currency: CurrencyCode): bigint {
  return 10n ** BigInt(minorUnitsOf(currency) - adyenDecimals(currency));
}
