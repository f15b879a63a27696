/**
 * The phase of a payment page, decided by the server:
 * - `ready`: the buyer may pay (again, when `declined` is set)
 * - `challenge`: a 3-D Secure challenge is open at `challengeUrl`
 * - `checking`: the outcome is not known; the buyer must not pay again
 * - `paid`, `expired`, `cancelled`, `failed`: final
 * - `restricted`: the buyer's country is not supported
 */
export const pagePhases = [
  'ready',
  'challenge',
  'checking',
  'paid',
  'expired',
  'cancelled',
  'failed',
  'restricted',
] as const;
export type PagePhase = (typeof pagePhases)[number];
