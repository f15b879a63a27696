import type { DeclineDetails } from '../../api/decline.ts';
import { type Scenario, testCards } from '../../shared/test-cards.ts';

const scenarios = new Map<string, Scenario>(
  Object.entries(testCards).map(([scenario, number]) => [number.replaceAll(' ', ''), scenario as Scenario]),
);

/** Returns the scenario of a test card; any other valid number is approved. */
export function scenarioOf(cardNumber: string): Scenario {
  return scenarios.get(cardNumber) ?? 'approve';
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
