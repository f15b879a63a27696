import type { Instant } from './time.ts';

/**
 * Rate limits: requests per access token, or per OAuth client; token requests per client and per IP address; page
 * views and requests of open pages per IP address; card attempts per IP address and per card, on any link (per link:
 * `MAX_ATTEMPTS`); sign-in attempts per IP address and per user; emails that members send per merchant and per address;
 * test webhooks per merchant.
 */
export const limitNames = [
  'token',
  'oauth_client',
  'oauth_address',
  'page',
  'page_state',
  'submit_address',
  'submit_card',
  'sign_in_address',
  'sign_in_user',
  'email_merchant',
  'email_address',
  'webhook_test',
] as const;
export type LimitName = (typeof limitNames)[number];

/** Request header with the solution of a proof-of-work challenge: `TOKEN:NUMBER`. */
export const PROOF_HEADER = 'Challenge-Proof';
/** Length of a challenge's digest. */
export const PROOF_BITS = 128;

/** Limits that a problem can name: the rate limits, and concurrent exports and changes of addresses per merchant. */
export const reachableLimits = [
  ...limitNames,
  'exports',
  'callback_url',
  'webhook_endpoints',
  'withdrawal_destination',
] as const;
export type ReachableLimit = (typeof reachableLimits)[number];

/** A rate limit: a burst of `amount` requests, refilled evenly over `window`. */
export interface Quota {
  /** Requests; 0 for no limit. */
  amount: number;
  window: Instant;
}
