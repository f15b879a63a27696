/*
 * Fields of the card form, for the page and for forms posted without JavaScript. Names are those of a card submission,
 * except that the expiry is one field.
 */

/** Buyer fields. */
export const payerFieldNames = [
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

/** All fields, in display order. */
export const cardFieldNames = ['card_number', 'card_expiry', 'card_cvv', ...payerFieldNames] as const;
export type CardFieldName = (typeof cardFieldNames)[number];

export type CardValues = Record<CardFieldName, string>;
