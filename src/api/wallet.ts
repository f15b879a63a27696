import { z } from 'zod';
import { cryptoCurrencyCodes, type CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { invoiceTypes } from '../shared/crypto-status.ts';
import { wholeNumber } from './fiat-transaction.ts';
import { anyOf } from './filter.ts';
import { describeStatuses } from './statuses.ts';
import { instantText, text } from './text.ts';

/**
 * `assigned`: assigned to an invoice or in use; `free`: a revolver's wallet between two invoices; `rotated`: not
 * used for new invoices; `retired`: deposits to it are not credited.
 */
export const walletStates = ['assigned', 'free', 'rotated', 'retired'] as const;

const units = z.string().describe('In the smallest unit');

/**
 * The balance of a wallet by state: each deposit is in one of the six parts, which add up to the balance. Withdrawn
 * funds are in none of them once the withdrawal is in a block. `credited`, `unattributed` and `rejected` are sources of
 * `POST /v1/withdrawals`.
 */
const balanceParts = z
  .object({
    credited: units.describe('Credited: counted toward transactions, with enough confirmations'),
    sending: units.describe('Being sent by a withdrawal that is not in a block yet'),
    confirming: units.describe('Credited after `minConfirmations` confirmations'),
    in_review: units.describe('Awaiting review: `approved_required`'),
    unattributed: units.describe('Received after the wallet was retired; never credited'),
    rejected: units.describe('Rejected: to be refunded, or held until a manager withdraws it'),
  })
  .meta({ id: 'BalanceParts' });
export type BalanceParts = z.infer<typeof balanceParts>;

/** A wallet of a merchant. */
const walletEntry = z
  .object({
    walletAddress: z.string(),
    code: z.enum(cryptoCurrencyCodes as [CryptoCurrencyCode, ...CryptoCurrencyCode[]]),
    walletType: z.enum(invoiceTypes),
    state: z.enum(walletStates).describe(describeStatuses('wallet')),
    balance: units.describe(
      'On-chain balance in its currency, in the smallest unit, as of the last scanned block. Deposits in other currencies are not included',
    ),
    parts: balanceParts.describe('The balance by state; the parts add up to it'),
    incoming: units.describe('Detected but not in a block; not part of the balance'),
    reusableAt: instantText.nullable().describe('Time at which a free wallet can be assigned again'),
    createdAt: instantText,
    retiredAt: instantText.nullable(),
  })
  .meta({ id: 'Wallet' });
export type WalletEntry = z.infer<typeof walletEntry>;

/** The funds of all wallets of a merchant in one currency. */
const balanceEntry = z
  .object({
    code: walletEntry.shape.code,
    balance: units.describe('On-chain balance of all wallets of this currency, as of the last scanned block'),
    parts: balanceParts.describe('The balance by state; the parts add up to it'),
    incoming: units.describe('Detected but not in a block; not part of the balance'),
  })
  .meta({ id: 'Balance' });
export type BalanceEntry = z.infer<typeof balanceEntry>;
export const balancesResponse = z.object({ balances: z.array(balanceEntry) });

/** Query of `GET /v1/wallets`: newest first. */
export const walletsQuery = z.strictObject({
  state: anyOf(z.enum(walletStates)),
  code: anyOf(z.enum(cryptoCurrencyCodes as [CryptoCurrencyCode, ...CryptoCurrencyCode[]])),
  funded: z.literal('true').optional().describe('Only wallets with a balance'),
  cursor: text(64).optional().describe('The `next_cursor` of the previous page'),
  per_page: wholeNumber(100).optional().describe('Page size; 20 by default'),
});
export type WalletsQuery = z.infer<typeof walletsQuery>;
export const walletsResponse = z.object({ wallets: z.array(walletEntry), next_cursor: z.string().nullable() });

/** Body of `POST /v1/wallet/rotate`. */
export const rotateWalletRequest = z.strictObject({
  walletAddress: text(128).describe('As in the invoice'),
});
export const rotateWalletResponse = z.object({
  wallet: walletEntry,
  replacedBy: z.string().nullable().describe('For a `user` wallet: the new address of its invoice'),
});
