import type { CardValues } from './card-form.ts';

/** The sandbox's test cards by outcome. The number alone selects it; any other valid number is approved. */
export const testCards = {
  approve: '4242 4242 4242 4242',
  /** Requires a 3-D Secure challenge. */
  challenge: '4000 0000 0000 3220',
  /** Frictionless 3-D Secure: approved without a challenge. */
  frictionless: '4000 0000 0000 3063',
  decline: '4000 0000 0000 0002',
  insufficient_funds: '4000 0000 0000 9995',
  expired_card: '4000 0000 0000 0069',
  /** The issuer does not respond for 30 seconds. Until then the payment is pending; then it is approved. */
  unknown: '4000 0000 0000 0119',
  /** Approved. A refund succeeds, and fails 30 seconds later. */
  refund_fails: '4000 0000 0000 5126',
  /** Approved. A manual capture succeeds, and fails 30 seconds later. */
  capture_fails: '4000 0000 0000 4335',
  /** Approved, and disputed 30 seconds later. */
  disputed: '4000 0000 0000 0259',
} as const;

export type Scenario = keyof typeof testCards;

/** The values of the card form's other fields. */
export const testPayer: Omit<CardValues, 'card_number' | 'card_expiry'> = {
  card_cvv: '123',
  first_name: 'Ada',
  last_name: 'Lovelace',
  country: 'GB',
  address: '12 St James’s Square',
  city: 'London',
  state: 'London',
  postcode: 'SW1Y 4JH',
  phone: '+44 20 7946 0000',
  email: 'ada@example.com',
};
