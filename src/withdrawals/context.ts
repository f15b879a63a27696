import type { InvoicesContext } from '../invoices/context.ts';
import type { Instant } from '../shared/time.ts';
import type { ChainName, CryptoCurrencyCode } from '../shared/crypto-currency.ts';

/** Dependencies of withdrawals. */
export interface WithdrawalsContext extends InvoicesContext {
  /** Delay before funds are sent to a new address. */
  destinationDelay: Instant;
  /** The operator's limits on the cost of withdrawals. */
  withdrawalLimits: WithdrawalLimits;
}

/** The operator’s limits on the cost of withdrawals. */
export interface WithdrawalLimits {
  /** Percentage of the amount. */
  maxFeePercent: bigint;
  /** In the display unit: sat/vB, gwei. */
  maxFeeRates: Readonly<Record<ChainName, bigint>>;
  /** In the smallest unit. */
  sweepMinAmounts: Readonly<Partial<Record<CryptoCurrencyCode, bigint>>>;
  /** Maximum wei that the gas wallet sends per day; null: no limit. */
  maxGasPerDay: bigint | null;
}
