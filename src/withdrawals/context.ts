import type { InvoicesContext } from '../invoices/context.ts';
import type { Instant } from '../shared/time.ts';
import type { ChainName, CryptoCurrencyCode } from '../shared/crypto-currency.ts';

/** What withdrawals need of the rest of the service. */
export interface WithdrawalsContext extends InvoicesContext {
  /** How long money to a new address is held before it leaves. */
  destinationDelay: Instant;
  /** What the operator lets withdrawals cost. */
  withdrawalLimits: WithdrawalLimits;
}

/** What the operator lets withdrawals cost. */
export interface WithdrawalLimits {
  /** Of the amount. */
  maxFeePercent: bigint;
  /** In the unit that people read: sat/vB, gwei. */
  maxFeeRates: Readonly<Record<ChainName, bigint>>;
  /** In the smallest unit. */
  sweepMinAmounts: Readonly<Partial<Record<CryptoCurrencyCode, bigint>>>;
  /** Wei that the gas wallet sends within a day; null for no limit. */
  maxGasPerDay: bigint | null;
}
