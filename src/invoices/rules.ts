import type { CryptoCurrencyCode } from '../contract/crypto-currency.ts';
import { cryptoCurrencies } from '../contract/crypto-currency.ts';
import type { InvoiceType } from '../contract/crypto-status.ts';
import type { CurrencyCode } from '../contract/currency.ts';
import { type Instant, MINUTE } from '../contract/time.ts';
import { readPreferences } from '../merchants/preferences/store.ts';
import type { Database } from '../platform/database/database.ts';
import type { ArrivalRules } from './attribute.ts';

/** A day: long enough for what was sent to an expired invoice to have arrived. */
const REUSE_DELAY_MINUTES = 1440;
/** The one in which money is told apart best: a wallet is one invoice's at a time. */
const DEFAULT_TYPE: InvoiceType = 'revolver';

/** What a merchant and its manager have set for a currency. Amounts are of its smallest unit. */
export interface InvoiceRules extends ArrivalRules {
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

export async function readRules(
  reader: Pick<Database, 'query'>,
  merchantId: number,
  code: CryptoCurrencyCode,
): Promise<InvoiceRules> {
  const keyOf = <Key extends (typeof currencyKeys)[number]>(key: Key) => `${key}-${code}` as const;
  const set: Readonly<Record<string, boolean | number | string | undefined>> = await readPreferences(
    reader,
    merchantId,
    [...fixedKeys, ...currencyKeys.map(keyOf)],
  );
  const rotateAmount = BigInt(set[keyOf('wallet-rotate-amount')] ?? 0);
  return {
    allWait: set['new-tx-manual-approve'] === true,
    unmatchedCounts: set['tx-manual-auto-approve'] === true,
    defaultType: (set['default-invoice-type'] ?? DEFAULT_TYPE) as InvoiceType,
    minAmount: BigInt(set[keyOf('min-amount')] ?? 0),
    minConfirmations: Number(set[keyOf('min-confirmation')] ?? cryptoCurrencies[code].minConfirmations),
    processingFeePercent: String(set[keyOf('processing-fee')] ?? 0),
    tolerancePercent: String(set[keyOf('payment-tolerance-percent')] ?? 0),
    rotateAmount: rotateAmount === 0n ? null : rotateAmount,
    reuseDelay: Number(set['wallet-reuse-delay-minutes'] ?? REUSE_DELAY_MINUTES) * MINUTE,
    currency: (set['additional-currency'] ?? 'USD') as CurrencyCode,
  };
}
