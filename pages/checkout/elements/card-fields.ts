import { type CardFieldName, cardFieldNames, type PayerFieldName } from '../../../src/shared/card-form.ts';

/** Keyboard, autofill and accessibility settings of a field. */
export interface FieldTraits {
  name: CardFieldName | PayerFieldName;
  autocomplete: string;
  type: 'text' | 'tel' | 'email';
  inputMode: 'text' | 'numeric' | 'tel' | 'email';
  /** `words` for names and places: the keyboard capitalizes each word. */
  capitals: 'none' | 'words';
  maxLength: number | null;
  /** Left to right in every language: digits and email addresses. */
  leftToRight: boolean;
}

function defineTraits(
  name: FieldTraits['name'],
  autocomplete: string,
  overrides: Partial<FieldTraits> = {},
): FieldTraits {
  return {
    name,
    autocomplete,
    type: 'text',
    inputMode: 'text',
    capitals: 'words',
    maxLength: 100,
    leftToRight: false,
    ...overrides,
  };
}

/*
 * Card fields have no maxlength. Browsers derive the autofill format of an expiry date from it, and cut off pasted
 * numbers that contain spaces.
 */
const digitTraits = { inputMode: 'numeric', capitals: 'none', maxLength: null, leftToRight: true } as const;

export const fieldTraits: Record<FieldTraits['name'], FieldTraits> = {
  card_number: defineTraits('card_number', 'cc-number', digitTraits),
  card_expiry: defineTraits('card_expiry', 'cc-exp', digitTraits),
  card_cvv: defineTraits('card_cvv', 'cc-csc', digitTraits),
  first_name: defineTraits('first_name', 'given-name'),
  last_name: defineTraits('last_name', 'family-name'),
  country: defineTraits('country', 'country'),
  address: defineTraits('address', 'address-line1', { maxLength: 255 }),
  city: defineTraits('city', 'address-level2'),
  state: defineTraits('state', 'address-level1'),
  postcode: defineTraits('postcode', 'postal-code', { capitals: 'none', maxLength: 20 }),
  phone: defineTraits('phone', 'tel', {
    type: 'tel',
    inputMode: 'tel',
    capitals: 'none',
    maxLength: 32,
    leftToRight: true,
  }),
  email: defineTraits('email', 'email', {
    type: 'email',
    inputMode: 'email',
    capitals: 'none',
    maxLength: 254,
    leftToRight: true,
  }),
  handle: defineTraits('handle', 'off', { capitals: 'none', maxLength: 254, leftToRight: true }),
};

/** Field of the form for a pointer in a problem document (`/card_expiry_month`). */
export function fieldAtPointer(pointer: string): CardFieldName | null {
  const name = pointer.replace(/^\//, '');
  if (name === 'card_expiry_month' || name === 'card_expiry_year') return 'card_expiry';
  return cardFieldNames.find((field) => field === name) ?? null;
}

export function isCardFieldName(name: string): name is CardFieldName {
  return cardFieldNames.some((field) => field === name);
}
