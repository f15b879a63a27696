import { z } from 'zod';
import { payerFields, payerHandle } from './payer.ts';

/** Labels of bank transfer details; the page lets buyers copy each one. */
const bankDetailNames = [
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
 * Payment instructions that the acquirer issued for one payment: the next action of a started method. Cards have a
 * form instead.
 */
export const instructions = z.discriminatedUnion('action', [
  /** A QR code for the buyer's banking app. */
  z.object({ action: z.literal('qr'), scheme: z.string(), payload: z.string() }),
  /** Details of a manual transfer, in the order that banks of the country ask for them. */
  z.object({
    action: z.literal('bank_details'),
    details: z.array(z.object({ name: z.enum(bankDetailNames), value: z.string() })),
  }),
  /** A page of the bank, the issuer or the on-ramp. */
  z.object({ action: z.literal('redirect'), url: z.string() }),
  /** An app on the buyer's phone; on other devices its QR code and, if available, a page. */
  z.object({
    action: z.literal('app_intent'),
    deepLink: z.string(),
    qrPayload: z.string(),
    webUrl: z.string().nullable(),
  }),
  /** Nothing to show: the buyer's bank asks them to confirm the payment in its app. */
  z.object({ action: z.literal('await') }),
  /** `amount` is a decimal in whole coins, `uri` follows BIP 21 or EIP-681. */
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

/**
 * A bank or coin to choose before a method starts. `amount` is the price in whole coins as a decimal; `network` names
 * the coin's network if the coin's name does not.
 */
const methodChoice = z.object({
  code: z.string(),
  name: z.string(),
  isPopular: z.boolean(),
  amount: z.string().optional(),
  network: z.string().optional(),
});
export type MethodChoice = z.infer<typeof methodChoice>;

/** Details that the payer enters before a method starts. */
export const enteredPayer = z.strictObject({ ...payerFields, handle: payerHandle }).partial();

/**
 * Body of `POST /p/ID/method`: starts a method, with a bank or coin if it requires one, and with the details of the payer
 * that the page asked for.
 */
export const startMethodRequest = z.strictObject({
  payment_method: z.string().max(64),
  choice: z.string().max(64).nullable().optional(),
  ...enteredPayer.shape,
});
