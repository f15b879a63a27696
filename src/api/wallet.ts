import { z } from 'zod';
import { cryptoCurrencyCodes, type CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { invoiceTypes } from '../shared/crypto-status.ts';
import { wholeNumber } from './fiat-transaction.ts';
import { instantText, text } from './text.ts';

/**
 * `serving`: it is given out, or an invoice has it; `resting`: a revolver's between two invoices; `rotated`: no
 * new invoice gets it; `retired`: nothing that comes to it is credited.
 */
export const walletStates = ['serving', 'resting', 'rotated', 'retired'] as const;

const units = z.string().describe('In the smallest unit');

/**
 * What the money is that lies at a wallet: each of its payments is in one of the five, and together they are the
 * balance. What a withdrawal has taken away is in none, from the block on that holds it; `credited`, `stray` and
 * `rejected` are what `POST /v1/withdrawals` calls so.
 */
export const balanceParts = z
  .object({
    credited: units.describe('It counts for its transactions, and is deep enough'),
    confirming: units.describe('It will count by itself, once it is `minConfirmations` blocks deep'),
    undecided: units.describe('It waits for a person: `approved_required`'),
    stray: units.describe('It came to a wallet that was retired: nobody’s, and never credited'),
    rejected: units.describe('A person has refused it: it is to go back, or lies there until a manager withdraws it'),
  })
  .meta({ id: 'BalanceParts' });
export type BalanceParts = z.infer<typeof balanceParts>;

/** An address of a merchant's, as it is told. */
export const walletEntry = z
  .object({
    walletAddress: z.string(),
    code: z.enum(cryptoCurrencyCodes as [CryptoCurrencyCode, ...CryptoCurrencyCode[]]),
    walletType: z.enum(invoiceTypes),
    state: z.enum(walletStates),
    balance: units.describe(
      'What blocks brought of its currency and nobody has withdrawn, in the smallest unit: what lies on the chain, as far as blocks were read. Money of another currency that came to it is no part',
    ),
    parts: balanceParts.describe('What the balance is made of; they add up to it'),
    incoming: units.describe('Seen, and in no block yet: no part of the balance'),
    restsUntil: instantText.nullable().describe('Of one that rests: when it may serve again'),
    createdAt: instantText,
    retiredAt: instantText.nullable(),
  })
  .meta({ id: 'Wallet' });
export type WalletEntry = z.infer<typeof walletEntry>;

/** Query of `GET /v1/wallets`: newest first. */
export const walletsQuery = z.strictObject({
  state: z.enum(walletStates).optional(),
  code: z.enum(cryptoCurrencyCodes as [CryptoCurrencyCode, ...CryptoCurrencyCode[]]).optional(),
  cursor: text(64).optional().describe('The `next_cursor` of the answer before'),
  per_page: wholeNumber(100).optional().describe('How many at most; 20 when left out'),
});
export type WalletsQuery = z.infer<typeof walletsQuery>;
export const walletsResponse = z.object({ wallets: z.array(walletEntry), next_cursor: z.string().nullable() });

/** Body of `POST /v1/wallet/rotate`. */
export const rotateWalletRequest = z.strictObject({
  walletAddress: text(128).describe('In the form in which an invoice told it'),
});
export const rotateWalletResponse = z.object({
  wallet: walletEntry,
  replacedBy: z.string().nullable().describe('Of a user’s wallet: the address that its invoice has now'),
});
