import { z } from 'zod';

/** Advice for the buyer after a declined card. */
const declineAdvices = ['use_other_card', 'check_details', 'try_later', 'do_not_retry'] as const;
export type DeclineAdvice = (typeof declineAdvices)[number];

/** A decline: its code, and advice for the buyer. */
export const declineDetails = z.object({
  code: z.string(),
  network_code: z.string().nullable().describe('Decline code of the card network, if any'),
  retryable: z.boolean().describe('True if the payment can be retried'),
  advice: z
    .enum(declineAdvices)
    .describe('Advice for the buyer; with `do_not_retry`, the network forbids another attempt with this card'),
});
export type DeclineDetails = z.infer<typeof declineDetails>;
