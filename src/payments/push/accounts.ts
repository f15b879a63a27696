import type { QuoteRequest, PushAcquirer } from '../../acquirers/push-port.ts';
import type { AcquirerAccount } from '../../acquirers/registry.ts';
import { Problem, validationProblem } from '../../api/problem-error.ts';
import type { PaymentsContext } from '../context.ts';
import { fieldsForAccount, type KnownPayer, payerProblems } from '../payer.ts';
import type { PaymentInstructions } from '../schema.ts';
import { type Instant, SECOND } from '../../shared/time.ts';
import { lockTransaction } from '../store.ts';
import { findInstructions, updateInstructions } from './instructions.ts';

/** The instructions job polls after this time, in case the issuing process died. Longer than any call's timeout. */
export const STALE_ISSUE_AFTER: Instant = 30 * SECOND;

/** An account with a push port. */
type PushAccount = AcquirerAccount & { push: PushAcquirer };

/** At least one account, best first. */
export type PushAccounts = readonly [PushAccount, ...PushAccount[]];

/** Returns the accounts that can process a push payment of this payer, best first. */
export function requirePushAccounts(
  { acquirers }: PaymentsContext,
  quote: QuoteRequest,
  payer: KnownPayer,
): PushAccounts {
  const accounts = acquirers
    .route(quote)
    .filter((account): account is PushAccount => account.push !== undefined)
    .map((account) => ({ account, problems: payerProblems(fieldsForAccount(account, quote), payer) }));
  const [best] = accounts;
  if (!best) throw new Problem('acquirer_unavailable', 'No acquirer account accepts this payment method.');
  const [first, ...others] = accounts.flatMap(({ account, problems }) => (problems.length === 0 ? [account] : []));
  if (!first) throw validationProblem(best.problems);
  return [first, ...others];
}

/**
 * Reassigns instructions that were not requested yet to another account; false if another process has withdrawn them.
 */
export async function moveInstructions(
  { database, clock }: PaymentsContext,
  { instructionsKey, merchantId, transactionId }: PaymentInstructions,
  next: AcquirerAccount,
): Promise<boolean> {
  return await database.inTransaction(async (unit) => {
    await lockTransaction(unit, merchantId, transactionId);
    const current = await findInstructions(unit, instructionsKey);
    if (current?.state !== 'issuing') return false;
    const now = clock.now();
    await updateInstructions(unit, current, { accountKey: next.key, nextCheckAt: now + STALE_ISSUE_AFTER }, now);
    return true;
  });
}
