import type { Runner } from '../database/engine.ts';
import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { InvoiceType } from '../shared/crypto-status.ts';
import type { CurrencyCode } from '../api/currency.ts';
import { type Instant, MINUTE } from '../shared/time.ts';
import { defaultPreference } from '../merchants/preferences/keys.ts';
import { readPreferences } from '../merchants/preferences/store.ts';

/** What a merchant and its manager have set for a currency. Amounts are of its smallest unit. */
export interface InvoiceRules {
  /** `new-tx-manual-approve`: no deposit counts before it is approved. */
  reviewAll: boolean;
  /** `tx-manual-auto-approve`: deposits that match no invoice count as well. */
  acceptUnmatched: boolean;
  /** `min-amount-{CODE}`. */
  minAmount: bigint;
  defaultType: InvoiceType;
  minConfirmations: number;
  /** A decimal. */
  processingFeePercent: string;
  /** How far from what is asked for a payment may be, as a decimal of percent. */
  tolerancePercent: string;
  /** What a wallet holds when it is rotated; null for never. */
  rotateAmount: bigint | null;
  /** How long a wallet rests before it serves another; 0 switches off what protects from late payers. */
  reuseDelay: Instant;
  /** In which amounts are also told. */
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

export async function readRules(reader: Runner, merchantId: number, code: CryptoCurrencyCode): Promise<InvoiceRules> {
  const keyOf = <Key extends (typeof currencyKeys)[number]>(key: Key) => `${key}-${code}` as const;
  const keys = [...fixedKeys, ...currencyKeys.map(keyOf)];
  const set: Readonly<Record<string, boolean | number | string | undefined>> = await readPreferences(
    reader,
    merchantId,
    keys,
  );
  const valueOf = (key: (typeof keys)[number]) => set[key] ?? defaultPreference(key);
  const rotateAmount = BigInt(valueOf(keyOf('wallet-rotate-amount')) ?? 0);
  return {
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
