import type { Runner } from '../database/engine.ts';
import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { InvoiceType } from '../shared/crypto-status.ts';
import type { CurrencyCode } from '../api/currency.ts';
import { type Instant, MINUTE } from '../shared/time.ts';
import { defaultPreference } from '../merchants/preferences/keys.ts';
import { readPreferences } from '../merchants/preferences/store.ts';

/** Preferences of a merchant for a currency. Amounts are in its smallest unit. */
export interface InvoiceRules {
  code: CryptoCurrencyCode;
  /** `new-tx-manual-approve`: every deposit needs approval. */
  reviewAll: boolean;
  /** `tx-manual-auto-approve`: deposits that match no invoice are accepted without review. */
  acceptUnmatched: boolean;
  /** `min-amount-{CODE}`. */
  minAmount: bigint;
  defaultType: InvoiceType;
  minConfirmations: number;
  /** Decimal string. */
  processingFeePercent: string;
  /** Accepted deviation from the requested amount, in percent, as a decimal string. */
  tolerancePercent: string;
  /** Balance at which a wallet is rotated; null: never. */
  rotateAmount: bigint | null;
  /** Cooldown of a wallet before it serves another invoice; 0 disables the protection against late deposits. */
  reuseDelay: Instant;
  /** Additional currency in which amounts are reported. */
  currency: CurrencyCode;
}

const fixedKeys = [
  'new-tx-manual-approve',
  'tx-manual-auto-approve',
  'default-invoice-type',
  'wallet-reuse-delay-minutes',
  'additional-currency',
] as const;

const currencyKeys = [
  'min-confirmation',
  'min-amount',
  'processing-fee',
  'payment-tolerance-percent',
  'wallet-rotate-amount',
] as const;

export async function readInvoiceRules(
  reader: Runner,
  merchantId: number,
  code: CryptoCurrencyCode,
): Promise<InvoiceRules> {
  const keyOf = <Key extends (typeof currencyKeys)[number]>(key: Key) => `${key}-${code}` as const;
  const keys = [...fixedKeys, ...currencyKeys.map(keyOf)];
  const preferences: Readonly<Record<string, boolean | number | string | undefined>> = await readPreferences(
    reader,
    merchantId,
    keys,
  );
  const valueOf = (key: (typeof keys)[number]) => preferences[key] ?? defaultPreference(key);
  const rotateAmount = BigInt(valueOf(keyOf('wallet-rotate-amount')) ?? 0);
  return {
    code,
    reviewAll: valueOf('new-tx-manual-approve') === true,
    acceptUnmatched: valueOf('tx-manual-auto-approve') === true,
    defaultType: valueOf('default-invoice-type') as InvoiceType,
    minAmount: BigInt(valueOf(keyOf('min-amount')) ?? 0),
    minConfirmations: Number(valueOf(keyOf('min-confirmation'))),
    processingFeePercent: String(valueOf(keyOf('processing-fee'))),
    tolerancePercent: String(valueOf(keyOf('payment-tolerance-percent'))),
    rotateAmount: rotateAmount === 0n ? null : rotateAmount,
    reuseDelay: Number(valueOf('wallet-reuse-delay-minutes')) * MINUTE,
    currency: valueOf('additional-currency') as CurrencyCode,
  };
}
