import { z } from 'zod';

/** What of a bank transfer's details is which; each can be copied alone. */
export const bankDetailNames = [
  'bank_name',
  'bank_code',
  'branch',
  'account_number',
  'virtual_account_number',
  'clabe',
  'account_name',
  'tax_id',
  'reference',
  'transfer_content',
  'amount',
] as const;
export type BankDetailName = (typeof bankDetailNames)[number];

/**
 * What the buyer is to do with a method that was begun, as the provider made it for this one payment.
 * One of the next actions; a card has its form instead.
 */
export const instructions = z.discriminatedUnion('action', [
  /** To be scanned by the buyer's banking app. */
  z.object({ action: z.literal('qr'), scheme: z.string(), payload: z.string() }),
  /** A transfer to be made by hand, in the order in which banks of the country ask for it. */
  z.object({
    action: z.literal('bank_details'),
    details: z.array(z.object({ name: z.enum(bankDetailNames), value: z.string() })),
  }),
  /** A page of the bank, the issuer or the seller of crypto. */
  z.object({ action: z.literal('redirect'), url: z.string() }),
  /** An app on the buyer's phone; elsewhere its QR code, and a page where there is one. */
  z.object({
    action: z.literal('app_intent'),
    deepLink: z.string(),
    qrPayload: z.string(),
    webUrl: z.string().nullable(),
  }),
  /** `amount` is a decimal in whole coins, `uri` after BIP 21 or EIP-681. */
  z.object({
    action: z.literal('crypto'),
    currency: z.string(),
    network: z.string(),
    address: z.string(),
    amount: z.string(),
    uri: z.string(),
    minConfirmations: z.number().int(),
  }),
]);
export type Instructions = z.infer<typeof instructions>;

/** A bank or a coin to choose before a method begins; `amount` is what is paid of a coin: a decimal of whole coins. */
export const methodChoice = z.object({
  code: z.string(),
  name: z.string(),
  isPopular: z.boolean(),
  amount: z.string().optional(),
});
export type MethodChoice = z.infer<typeof methodChoice>;

/** Body of `POST /p/ID/method`: the buyer begins a method, with the bank or coin where it asks for one. */
export const beginMethodRequest = z.strictObject({
  payment_method: z.string().max(64),
  choice: z.string().max(64).nullable().optional(),
});
