/*
 * The fields of the card form, for whoever draws it and whoever takes it as it is posted without a
 * script. They are named as in a card submission, but for the expiry: one field here, two there.
 */

/** What is asked about the payer. */
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

/** All fields, in the order in which they stand. */
export const cardFieldNames = ['card_number', 'card_expiry', 'card_cvv', ...payerFieldNames] as const;
export type CardFieldName = (typeof cardFieldNames)[number];

export type CardValues = Record<CardFieldName, string>;
