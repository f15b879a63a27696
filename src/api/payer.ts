import { z } from 'zod';
import { countryAlpha2 } from './country.ts';
import { asciiDigits } from '../shared/digits.ts';
import { isPostcode } from './postcodes.ts';
import { rule } from './rule.ts';
import { EMAIL, text } from './text.ts';

/** Fields of a payer, named as in a card submission. */
export const payerFields = {
  first_name: text(100),
  last_name: text(100),
  country: countryAlpha2,
  state: text(100).describe('State, province or region of the billing address'),
  city: text(100),
  postcode: text(20),
  address: text(255).describe('Street address for billing'),
  phone: text(32)
    .overwrite(asciiDigits)
    .refine((value) => /^\+?[\d\s().-]{5,}$/.test(value), {
      error: 'must be a phone number, such as +44 20 7946 0000',
      params: { code: 'invalid_phone' },
    })
    .describe('With the country code; spaces, periods, hyphens and parentheses are allowed'),
  email: text(254).refine((value) => EMAIL.test(value), {
    error: 'must be an email address',
    params: { code: 'invalid_email' },
  }),
};

const knownFields = z.strictObject(payerFields).partial();

/** Details of the payer that the merchant knows when it creates a transaction. The page does not ask for them again. */
export const payerDetails = knownFields
  .check(
    rule<z.output<typeof knownFields>>(({ country, postcode }, report) => {
      if (postcode === undefined) return;
      if (country === undefined) report('country', 'required', 'is required with a postcode');
      else if (!isPostcode(postcode, country))
        report('postcode', 'invalid_postcode', `is not a valid postcode for ${country}`);
    }),
  )
  .meta({ id: 'Payer' });
export type PayerDetails = z.output<typeof knownFields>;

export const erasePayerRequest = z
  .strictObject({
    transaction_id: text(64).describe('The payer of this transaction').optional(),
    email: payerFields.email
      .describe(
        'All payments of the payer with this email address, case-insensitive. With transaction_id: an address to erase from that payment, for a payer who is no longer stored with it',
      )
      .optional(),
  })
  .check(
    rule<{ transaction_id?: string | undefined; email?: string | undefined }>(({ transaction_id, email }, report) => {
      if (transaction_id === undefined && email === undefined)
        report('email', 'required', 'is required, unless transaction_id is given');
    }),
  );
export type ErasePayerRequest = z.output<typeof erasePayerRequest>;

export const erasePayerResponse = z
  .object({ transactions: z.int().describe('Number of payments whose payer’s data was erased') })
  .meta({ id: 'ErasePayerResponse' });
export type ErasePayerResponse = z.output<typeof erasePayerResponse>;

/** The payer's handle at a method, such as a PayID. */
export const payerHandle = text(254).describe('Handle at the payment method, such as a PayID');
