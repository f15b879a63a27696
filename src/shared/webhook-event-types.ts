/* Generated from `src/api/webhook-events.ts` by `npm run generate`. */

/** Event types that a webhook endpoint can select: all that are recorded, except security notices. */
export const subscribableEventTypes = [
  'fiat.transaction.updated',
  'fiat.dispute.created',
  'fiat.dispute.updated',
  'fiat.dispute.closed',
  'crypto.transaction.created',
  'crypto.transaction.updated',
  'crypto.withdrawal.updated',
] as const;

export type SubscribableEventType = (typeof subscribableEventTypes)[number];
