/**
 * States of a dispute: `inquiry` (the bank asks before a chargeback), `needs_response` (the amount was debited, and the
 * merchant can respond until the deadline), `under_review` (the bank decides), then `won` or `lost`. A dispute that was won
 * can be opened again by a second chargeback.
 */
export const disputeStates = ['inquiry', 'needs_response', 'under_review', 'won', 'lost'] as const;
export type DisputeState = (typeof disputeStates)[number];

/** True if the merchant can still respond. */
export function isResponseDue(state: DisputeState): boolean {
  return state === 'inquiry' || state === 'needs_response';
}

/** A closed dispute requires no action by the merchant. */
export function isDisputeClosed(state: DisputeState): boolean {
  return state === 'won' || state === 'lost';
}
