import { z } from 'zod';
import { chainNamesOf, feeUnitsText } from '../shared/crypto-currency.ts';
import { cryptoCurrencyCode as code } from './crypto-transaction.ts';
import { updatedSince, wholeNumber } from './fiat-transaction.ts';
import { anyOf } from './filter.ts';
import { describeStatuses } from './statuses.ts';
import { instantText, text } from './text.ts';

const withdrawalPurposes = ['sweep', 'refund', 'manual', 'gas'] as const;
export type WithdrawalPurpose = (typeof withdrawalPurposes)[number];

/** `waiting` → (`to_sign`, if the keys are held externally) → `sent` → `confirmed`; `failed`: no funds moved. */
export const withdrawalStatuses = ['waiting', 'to_sign', 'sent', 'confirmed', 'failed'] as const;
export type WithdrawalStatus = (typeof withdrawalStatuses)[number];

/** Reasons why a withdrawal is waiting. */
const waitReasons = [
  'queued',
  'fee_limit',
  'fee_estimate',
  'amount_too_small',
  'gas',
  'broadcasting',
  'rejected',
  'new_destination',
  'rate',
] as const;
export type WaitReason = (typeof waitReasons)[number];

const units = z.string().describe('In the smallest unit');
const rate = z.string().describe(`In the chain’s own unit: ${feeUnitsText()}`);

const withdrawalWait = z
  .object({
    reason: z
      .enum(waitReasons)
      .describe(
        '`queued`: its transaction is created next, or after another withdrawal of the wallet; `fee_limit`: the network fee is above a limit; `fee_estimate`: independent estimates of the network fee disagree; `amount_too_small`: the fee is too large a part of the amount; `gas`: ether for the fee of a token transfer is being sent, or the gas wallet has too little; `broadcasting`: created and about to be broadcast; `rejected`: the node rejects it, and it is retried; `new_destination`: the destination is new, and it is held until `heldUntil`; `rate`: there is no current exchange rate to compare its fee with',
      ),
    detail: z.string().describe('Explanation'),
    feeNow: rate.nullable().describe('Current network fee rate, in the unit of `feeRate`'),
    limit: rate.nullable().describe('`max-fee-limit-auto-withdrawal-{CODE}`, or the operator’s limit if it is lower'),
  })
  .meta({ id: 'WithdrawalWait' });

/** An entry of `GET /v1/withdrawals`, and part of the `data` of its webhooks. */
export const withdrawal = z
  .object({
    id: z.string(),
    code,
    purpose: z
      .enum(withdrawalPurposes)
      .describe(
        '`sweep`: automatic; `refund`: of a rejected transaction; `manual`: requested by a manager; `gas`: the operator’s ether for the fee of another withdrawal',
      ),
    status: z.enum(withdrawalStatuses).meta({ id: 'WithdrawalStatus', description: describeStatuses('withdrawal') }),
    cancelling: z
      .boolean()
      .describe(
        'Canceled by a manager after its transaction was signed: a replacement is in progress. It becomes `failed` if the replacement is mined, `confirmed` if it was too late',
      ),
    waitsFor: withdrawalWait.nullable().describe('null if it awaits only confirmations'),
    failure: z.string().nullable().describe('Failure reason'),
    heldUntil: instantText
      .nullable()
      .describe(
        'End of the hold on a withdrawal to a new destination, which can be canceled until then; null if it is not held',
      ),
    destination: z.string(),
    spent: units.describe('Amount withdrawn from the wallets, in the smallest unit'),
    amount: units
      .nullable()
      .describe(
        'Amount that the destination receives; null until its transaction exists. For a canceling replacement: the amount that returns to the wallet',
      ),
    fee: units.nullable().describe('Maximum fee, in the smallest unit of `feeCode`'),
    feePaid: units
      .nullable()
      .describe(
        `Fee paid in its block, in the smallest unit of \`feeCode\`; null until then. On ${chainNamesOf('account')}, the unused part of \`fee\` stays in the wallet for its next withdrawal`,
      ),
    writtenOff: units.describe('Part of `spent` that was missing because it was spent outside the service'),
    feeCode: code.describe('`eth` for tokens; otherwise the fee is deducted from the amount'),
    feeRate: rate.nullable(),
    limit: rate.nullable().describe('Fee rate limit; null for none'),
    txHash: z.string().nullable().describe('Hash of the last transaction, or of the mined one'),
    txHashes: z.array(z.string()).describe('Hashes of all its transactions, of which at most one is mined'),
    confirmations: z.number().int(),
    minConfirmations: z.number().int().describe('Confirmations after which it is `confirmed`'),
    wallets: z.array(z.object({ address: z.string(), amount: units })).describe('Amount withdrawn from each wallet'),
    transactionId: z.string().nullable().describe('`id` of the refunded crypto transaction'),
    withdrawalId: z.string().nullable().describe('For `gas`: `id` of the withdrawal that needs it'),
    requestedBy: z.string().nullable().describe('Requester: `token 2` or `person 3`; null for automatic withdrawals'),
    requestedByName: z
      .string()
      .nullable()
      .describe('Current name of the user; null for tokens and automatic withdrawals, and in events and webhooks'),
    createdAt: instantText,
    updatedAt: instantText,
  })
  .meta({ id: 'Withdrawal' });
export type Withdrawal = z.infer<typeof withdrawal>;

/** Response of `GET /v1/withdrawal`, with the transaction to sign. */
export const withdrawalDetail = withdrawal
  .extend({
    unsigned: z
      .object({
        format: z
          .enum(['psbt', 'eip1559'])
          .describe('`psbt`: BIP 174 in base64; `eip1559`: unsigned EIP-2718 transaction of type 2 in hexadecimal'),
        data: z.string(),
        sender: z.string().nullable().describe('Address whose key signs it; null if each input has its own'),
        path: z.string().nullable().describe('Derivation path of that key, below the account’s'),
      })
      .nullable()
      .describe('Transaction to sign externally while the status is `to_sign`'),
  })
  .meta({ id: 'WithdrawalDetail' });
export type WithdrawalDetail = z.infer<typeof withdrawalDetail>;

/** Query of `GET /v1/withdrawals`: newest first. */
export const withdrawalsQuery = z.strictObject({
  status: anyOf(z.enum(withdrawalStatuses)),
  code: anyOf(code),
  updated_since: updatedSince,
  cursor: text(64).optional().describe('The `next_cursor` of the previous page'),
  per_page: wholeNumber(100).optional().describe('Page size; 20 by default'),
});
export type WithdrawalsQuery = z.infer<typeof withdrawalsQuery>;

/** Query of `GET /v1/withdrawal`. */
export const withdrawalQuery = z.strictObject({ id: text(64) });

/** Sources of a withdrawal: credited, unattributed, or rejected without a refund. */
const manualSources = ['credited', 'unattributed', 'rejected'] as const;

/** Body of `POST /v1/withdrawals`. */
export const createWithdrawalRequest = z.strictObject({
  code,
  walletAddress: text(128).describe('Wallet to withdraw from'),
  source: z
    .enum(manualSources)
    .describe('`credited`, `unattributed` (received after the wallet was retired) or `rejected` (not refunded)'),
  destination: text(128).describe('Destination address'),
});
export type CreateWithdrawalRequest = z.infer<typeof createWithdrawalRequest>;

/** Body of `POST /v1/withdrawal/submit`. */
export const submitWithdrawalRequest = z.strictObject({
  id: text(64),
  signed: z
    .string()
    .min(1)
    .max(60_000)
    .describe(
      `PSBT in base64 or the transaction in hexadecimal; on ${chainNamesOf('account')} the transaction in hexadecimal with 0x`,
    ),
});

/** Body of `POST /v1/withdrawal/cancel`. */
export const cancelWithdrawalRequest = z.strictObject({ id: text(64) });

/** A change to `auto-withdrawal-destination-{CODE}`; the previous one is in effect until `effectiveAt`. */
export const destinationChange = z
  .object({
    code,
    destination: z.string().nullable().describe('null if automatic withdrawals were turned off'),
    previousDestination: z.string().nullable(),
    effectiveAt: instantText,
    requestedBy: z.string(),
    createdAt: instantText,
  })
  .meta({ id: 'WithdrawalDestinationChange' });

/** A destination that is not in effect yet. */
const pendingDestination = destinationChange
  .extend({
    reason: z
      .literal('new_destination')
      .describe('Reason for the delay: a new destination waits `WITHDRAWAL_DESTINATION_DELAY_HOURS`'),
    requestedByName: z.string().nullable().describe('Current name of the user; null for a token'),
  })
  .meta({ id: 'PendingWithdrawalDestination' });
export type PendingDestination = z.infer<typeof pendingDestination>;

export const withdrawalsResponse = z.object({
  withdrawals: z.array(withdrawal),
  pendingDestinations: z
    .array(pendingDestination)
    .describe('Destinations of automatic withdrawals that are not in effect yet, regardless of the filters'),
  next_cursor: z.string().nullable(),
});
