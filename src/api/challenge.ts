import { z } from 'zod';

/**
 * A proof-of-work challenge, which a payment page can solve to submit a card over the limit of its IP address. The
 * solution is a number below `most`: PBKDF2-HMAC-SHA-256 (RFC 8018) of `seed`, with the number in decimal digits as
 * salt, is `digest`.
 */
export const proofChallenge = z
  .object({
    seed: z.string(),
    iterations: z.number().int(),
    most: z.number().int(),
    digest: z.string().describe('128 bits in base64url'),
    token: z.string().describe('Return it with the number'),
  })
  .meta({ id: 'ProofChallenge' });
export type ProofChallenge = z.infer<typeof proofChallenge>;
