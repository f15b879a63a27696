import { z } from 'zod';

/** The stored response data of the issuer and card network (`ChargeDetails` of the acquirer's port). */
export const chargeDetails = z.object({
  authorizationCode: z.string().optional(),
  networkCode: z.string().optional(),
  merchantAdviceCode: z.string().optional(),
  avsResult: z.string().optional(),
  cvvResult: z.string().optional(),
  arn: z.string().optional(),
});

/** The stored form fields of a challenge that starts with a form POST. */
export const challengeFields = z.record(z.string(), z.string());
