/*
 * Fields of the card form, for the page and for forms posted without JavaScript. Names are those of a card submission,
 * except that the expiry is one field.
 */

/** Buyer fields of a card submission. */
export const cardPayerFieldNames = [
  'first_name',
  'last_name',
  'country',
  'address',
  'city',
  'state',
  'postcode',
  'phone',
  'email',
] as const;

/** All payer fields. `handle`: the payer's handle at a method, such as a PayID. */
export const payerFieldNames = [...cardPayerFieldNames, 'handle'] as const;
export type PayerFieldName = (typeof payerFieldNames)[number];

/** Settings of the card form: the short form, with the billing address, or with a phone number too. */
export const cardFormFields = ['short', 'address', 'address_and_phone'] as const;
export type CardFormFields = (typeof cardFormFields)[number];

/** All fields, in display order. */
export const cardFieldNames = ['card_number', 'card_expiry', 'card_cvv', ...cardPayerFieldNames] as const;
export type CardFieldName = (typeof cardFieldNames)[number];

export type CardValues = Record<CardFieldName, string>;
