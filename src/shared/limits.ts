import type { Instant } from './time.ts';

/**
 * What is limited: requests of an access token, or of all tokens of an OAuth client; tokens that a client
 * obtains, and requests for one from an address; pages opened from an address; requests of open pages
 * from an address; cards tried from an
 * address, whatever the link; tries of one card, whatever the link (cards tried on one link:
 * `MAX_ATTEMPTS`); tries to sign in from an address, and as somebody.
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
  'sign_in_person',
] as const;
export type LimitName = (typeof limitNames)[number];

/** Header of a submit that brings what a challenge asked for: `TOKEN:NUMBER`. */
export const PROOF_HEADER = 'Challenge-Proof';
/** Length of a challenge's digest. */
export const PROOF_BITS = 128;

/** What a problem may name as reached: beside those, exports of one merchant under way at once. */
export const reachableLimits = [...limitNames, 'exports'] as const;
export type ReachableLimit = (typeof reachableLimits)[number];

/** A rate limit: `amount` requests at once, refilled evenly over `window`. */
export interface Quota {
  /** Requests; 0 for no limit. */
  amount: number;
  window: Instant;
}
