import type { DeclineDetails } from '../../api/decline.ts';

/** Outcome of a test card. The card number alone selects it. */
export type Scenario =
  | 'approve'
  | 'challenge'
  | 'frictionless'
  | 'decline'
  | 'insufficient_funds'
  | 'expired_card'
  | 'unknown'
  /** Approved; its refunds fail after they have succeeded. */
  | 'refund_fails'
  /** Approved, then disputed by the payer. */
  | 'disputed'
  /** Approved; a manual capture fails after it has succeeded. */
  | 'capture_fails';

const scenarios: Readonly<Record<string, Scenario>> = {
  '4000000000003220': 'challenge',
  '4000000000003063': 'frictionless',
  '4000000000000002': 'decline',
  '4000000000009995': 'insufficient_funds',
  '4000000000000069': 'expired_card',
  '4000000000000119': 'unknown',
  '4000000000005126': 'refund_fails',
  '4000000000000259': 'disputed',
  '4000000000004335': 'capture_fails',
};

/** Returns the scenario of a test card; any other valid number is approved. */
export function scenarioOf(cardNumber: string): Scenario {
  return scenarios[cardNumber] ?? 'approve';
}

/** Declines by scenario. Network codes are from ISO 8583, field 39. */
export const declines = {
  decline: { code: 'card_declined', network_code: '05', retryable: true, advice: 'use_other_card' },
  insufficient_funds: { code: 'insufficient_funds', network_code: '51', retryable: true, advice: 'use_other_card' },
  expired_card: { code: 'expired_card', network_code: '54', retryable: true, advice: 'check_details' },
  refused: { code: 'authentication_failed', network_code: '1A', retryable: true, advice: 'use_other_card' },
  abandoned: { code: 'authentication_abandoned', network_code: null, retryable: true, advice: 'try_later' },
} as const satisfies Record<string, DeclineDetails>;

export type DeclineName = keyof typeof declines;
