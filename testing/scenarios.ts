import type { CardValues } from '../src/shared/card-form.ts';

function cardWithNumber(card_number: string): CardValues {
  return {
    card_number,
    card_expiry: '04 / 40',
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
}

/** Card details for each outcome. The sandbox only looks at the card number. */
export const scenarios = {
  approved: cardWithNumber('4242 4242 4242 4242'),
  /** Requires a 3-D Secure challenge. */
  challenge: cardWithNumber('4000 0000 0000 3220'),
  /** Frictionless 3-D Secure: approved without a challenge. */
  frictionless: cardWithNumber('4000 0000 0000 3063'),
  declined: cardWithNumber('4000 0000 0000 0002'),
  insufficientFunds: cardWithNumber('4000 0000 0000 9995'),
  expiredCard: cardWithNumber('4000 0000 0000 0069'),
  /** The issuer does not respond for 30 seconds. Until then the payment is pending; then it is approved. */
  unknown: cardWithNumber('4000 0000 0000 0119'),
  /** Approved. A refund succeeds, and fails 30 seconds later. */
  refundFails: cardWithNumber('4000 0000 0000 5126'),
  captureFails: cardWithNumber('4000 0000 0000 4335'),
  /** Approved, and disputed 30 seconds later. */
  disputed: cardWithNumber('4000 0000 0000 0259'),
} as const;
