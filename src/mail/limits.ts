import type { EnforceRateLimit } from '../http/rate-limits.ts';

/** Counts an email that a member or token sends to any address. Throws `rate_limited`. */
export async function limitEmails(
  { enforceRateLimit }: { enforceRateLimit: EnforceRateLimit },
  { merchantId, address }: { merchantId: number; address: string },
): Promise<void> {
  await enforceRateLimit('email_merchant', String(merchantId));
  await enforceRateLimit('email_address', address.toLowerCase());
}
