import { z } from 'zod';

/**
 * Work that a payment page may do so that a card is taken although too many were tried from its address:
 * a number below `most` is to be found for which PBKDF2-HMAC-SHA-256 (RFC 8018) of `seed`, with the
 * number in decimal digits as salt, is `digest`.
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
