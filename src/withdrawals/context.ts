import type { InvoicesContext } from '../invoices/context.ts';
import type { Instant } from '../shared/time.ts';
import type { WithdrawalLimits } from '../system/config.ts';

/** Dependencies of withdrawals. */
export interface WithdrawalsContext extends InvoicesContext {
  /** Delay before funds are sent to a new address. */
  destinationDelay: Instant;
  /** The operator's limits on the cost of withdrawals. */
  withdrawalLimits: WithdrawalLimits;
}
