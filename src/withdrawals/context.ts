import type { InvoicesContext } from '../invoices/context.ts';
import type { Instant } from '../shared/time.ts';
import type { WithdrawalLimits } from '../system/config.ts';

/** What withdrawals need of the rest of the service. */
export interface WithdrawalsContext extends InvoicesContext {
  /** How long money to a new address is held before it leaves. */
  destinationDelay: Instant;
  /** What the operator lets withdrawals cost. */
  withdrawalLimits: WithdrawalLimits;
}
