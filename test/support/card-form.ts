import { cards } from './requests.ts';

/** What a buyer types, by the labels that a buyer reads, in the order of the form. */
export function cardForm(number: string = cards.visa) {
  return {
    'Card number': number,
    Expiry: '04 / 30',
    'Security code': number === cards.amex ? '1234' : '123',
    'First name': 'Ada',
    'Last name': 'Lovelace',
    Country: 'GB',
    Address: '12 St James’s Square',
    City: 'London',
    'State or province': 'London',
    Postcode: 'W1J 7NT',
    Phone: '+44 20 7946 0000',
    Email: 'ada@example.com',
  };
}

export type CardFormLabel = keyof ReturnType<typeof cardForm>;

/** What each field tells the browser that it is for. */
export const autocompleteTokens: Record<CardFormLabel, string> = {
  'Card number': 'cc-number',
  Expiry: 'cc-exp',
  'Security code': 'cc-csc',
  'First name': 'given-name',
  'Last name': 'family-name',
  Country: 'country',
  Address: 'address-line1',
  City: 'address-level2',
  'State or province': 'address-level1',
  Postcode: 'postal-code',
  Phone: 'tel',
  Email: 'email',
};
