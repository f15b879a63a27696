import type { CardValues } from '../src/shared/card-form.ts';
import { type Scenario, testCards, testPayer } from '../src/shared/test-cards.ts';

const detailsOf = (card: Scenario): CardValues => ({
  card_number: testCards[card],
  card_expiry: '04 / 40',
  ...testPayer,
});

/** Card details for each outcome. The sandbox only looks at the card number. */
export const scenarios = {
  approved: detailsOf('approve'),
  /** Requires a 3-D Secure challenge. */
  challenge: detailsOf('challenge'),
  /** Frictionless 3-D Secure: approved without a challenge. */
  frictionless: detailsOf('frictionless'),
  declined: detailsOf('decline'),
  insufficientFunds: detailsOf('insufficient_funds'),
  expiredCard: detailsOf('expired_card'),
  /** The issuer does not respond for 30 seconds. Until then the payment is pending; then it is approved. */
  unknown: detailsOf('unknown'),
  /** Approved. A refund succeeds, and fails 30 seconds later. */
  refundFails: detailsOf('refund_fails'),
  captureFails: detailsOf('capture_fails'),
  /** Approved, and disputed 30 seconds later. */
  disputed: detailsOf('disputed'),
} as const;
