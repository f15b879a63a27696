import { z } from 'zod';
import { cryptoCurrencyCode as code } from './crypto-transaction.ts';
import { wholeNumber } from './fiat-transaction.ts';
import { instantText, text } from './text.ts';

export const withdrawalPurposes = ['sweep', 'refund', 'manual', 'gas'] as const;
export type WithdrawalPurpose = (typeof withdrawalPurposes)[number];

/** `waiting` → (`to_sign`, where the keys are elsewhere) → `sent` → `confirmed`; `failed` moved nothing. */
export const withdrawalStatuses = ['waiting', 'to_sign', 'sent', 'confirmed', 'failed'] as const;
export type WithdrawalStatus = (typeof withdrawalStatuses)[number];

/** What a withdrawal waits for. */
export const waitReasons = ['turn', 'fee', 'estimate', 'amount', 'gas', 'sending', 'refused', 'destination'] as const;
export type WaitReason = (typeof waitReasons)[number];

const units = z.string().describe('In the smallest unit');
const rate = z
  .string()
  .describe('Of the chain’s own fee rate: sat/vB on Bitcoin and Litecoin, gwei per unit of gas on Ethereum');

export const withdrawalWait = z
  .object({
    reason: z
      .enum(waitReasons)
      .describe(
        '`turn`: its turn comes; `fee`: the network’s fee is above a limit; `estimate`: independent estimates of the network’s fee disagree; `amount`: its fee is too large a part of it; `gas`: ether that tokens are moved with is on its way, or the gas wallet has too little; `sending`: written down, and about to be sent; `refused`: the node does not take it, and it is tried again; `destination`: its destination is new, and it is held until `heldUntil`',
      ),
    detail: z.string().describe('In words'),
    feeNow: rate.nullable().describe('Current network fee rate, in the unit of `feeRate`'),
    limit: rate
      .nullable()
      .describe('`max-fee-limit-auto-withdrawal-{CODE}`, or the operator’s limit where that is lower'),
  })
  .meta({ id: 'WithdrawalWait' });

/** One of `GET /v1/withdrawals`, and the `data` of its callbacks. */
export const withdrawal = z
  .object({
    id: z.string(),
    code,
    purpose: z
      .enum(withdrawalPurposes)
      .describe(
        '`sweep`: by itself; `refund`: of a rejected transaction; `manual`: a manager asked for it; `gas`: the operator’s ether, for the fee of another withdrawal',
      ),
    status: z.enum(withdrawalStatuses).meta({ id: 'WithdrawalStatus' }),
    cancelling: z
      .boolean()
      .describe(
        'A manager has cancelled it after its transaction was signed: a replacement is to be mined in its place. It ends `failed` where that is mined, and `confirmed` where the cancellation came too late',
      ),
    waitsFor: withdrawalWait.nullable().describe('null where it waits for nothing but blocks'),
    failure: z.string().nullable().describe('Why it is `failed`, in words'),
    heldUntil: instantText
      .nullable()
      .describe('Its destination is new: nothing leaves before then, and it can be cancelled; null where it is not'),
    destination: z.string(),
    spent: units.describe('What it takes from the wallets, in the smallest unit'),
    amount: units
      .nullable()
      .describe(
        'What arrives; null until its transaction is made. Of a replacement that cancels it: what returns to the wallet',
      ),
    fee: units.nullable().describe('What it costs at most, in the smallest unit of `feeCode`'),
    feePaid: units
      .nullable()
      .describe(
        'The fee paid in its block, in the smallest unit of `feeCode`; null until it is in one. On Ethereum the rest of `fee` stays at the wallet, for its next withdrawal',
      ),
    writtenOff: units.describe('The part of `spent` that was no longer at the wallet, because it was spent elsewhere'),
    feeCode: code.describe('`eth` for tokens; of other currencies the fee is taken from what is spent'),
    feeRate: rate.nullable(),
    limit: rate.nullable().describe('The limit of the fee that holds for it; null where none does'),
    txHash: z.string().nullable().describe('Of its last transaction, or of the one that was mined'),
    txHashes: z.array(z.string()).describe('Of all that were made for it, of which one at most is ever mined'),
    confirmations: z.number().int(),
    minConfirmations: z.number().int().describe('From how many on it is `confirmed`'),
    wallets: z.array(z.object({ address: z.string(), amount: units })).describe('From which it takes how much'),
    transactionId: z.string().nullable().describe('The `id` of the crypto transaction that a refund gives back'),
    withdrawalId: z.string().nullable().describe('Of `gas`: the withdrawal that it is for'),
    requestedBy: z
      .string()
      .nullable()
      .describe('Who asked for it, `token 2` or `person 3`; null where it was made by itself'),
    requestedByName: z
      .string()
      .nullable()
      .describe('What the person is called now; null where nobody or a token asked, and in events and callbacks'),
    createdAt: instantText,
    updatedAt: instantText,
  })
  .meta({ id: 'Withdrawal' });
export type Withdrawal = z.infer<typeof withdrawal>;

/** Answer of `GET /v1/withdrawal`: with what is to be signed. */
export const withdrawalDetail = withdrawal
  .extend({
    unsigned: z
      .object({
        format: z
          .enum(['psbt', 'eip1559'])
          .describe('`psbt`: BIP 174 in base64; `eip1559`: EIP-2718 of type 2, without a signature, in hexadecimal'),
        data: z.string(),
        sender: z.string().nullable().describe('Whose key signs it; null where each input names its own'),
        path: z.string().nullable().describe('Of that key, below the account’s'),
      })
      .nullable()
      .describe('What is to be signed elsewhere while it is `to_sign`'),
  })
  .meta({ id: 'WithdrawalDetail' });
export type WithdrawalDetail = z.infer<typeof withdrawalDetail>;

/** Query of `GET /v1/withdrawals`: newest first. */
export const withdrawalsQuery = z.strictObject({
  status: z.enum(withdrawalStatuses).optional(),
  code: code.optional(),
  cursor: text(64).optional().describe('The `next_cursor` of the answer before'),
  per_page: wholeNumber(100).optional().describe('How many at most; 20 when left out'),
});
export type WithdrawalsQuery = z.infer<typeof withdrawalsQuery>;

/** Query of `GET /v1/withdrawal`. */
export const withdrawalQuery = z.strictObject({ id: text(64) });

/** What a manager may have sent: what is credited, what came to a retired wallet, what was rejected without a refund. */
export const manualSources = ['credited', 'stray', 'rejected'] as const;

/** Body of `POST /v1/withdrawals`. */
export const createWithdrawalRequest = z.strictObject({
  code,
  walletAddress: text(128).describe('The wallet whose money it is'),
  source: z
    .enum(manualSources)
    .describe(
      'Which of its money: `credited`, `stray` (it came to a wallet that was retired) or `rejected` (without a refund)',
    ),
  destination: text(128).describe('Where it goes'),
});
export type CreateWithdrawalRequest = z.infer<typeof createWithdrawalRequest>;

/** Body of `POST /v1/withdrawal/submit`. */
export const submitWithdrawalRequest = z.strictObject({
  id: text(64),
  signed: z
    .string()
    .min(1)
    .max(60_000)
    .describe('PSBT in base64 or the transaction in hexadecimal; on Ethereum the transaction in hexadecimal with 0x'),
});

/** Body of `POST /v1/withdrawal/cancel`. */
export const cancelWithdrawalRequest = z.strictObject({ id: text(64) });

/** A change of `auto-withdrawal-destination-{CODE}`: until `effectiveAt` the former one holds. */
export const destinationChange = z
  .object({
    code,
    destination: z.string().nullable().describe('null where automatic withdrawal was turned off'),
    previousDestination: z.string().nullable(),
    effectiveAt: instantText,
    requestedBy: z.string(),
    createdAt: instantText,
  })
  .meta({ id: 'WithdrawalDestinationChange' });

/** A destination that was set and does not hold yet. */
export const pendingDestination = destinationChange
  .extend({
    reason: z
      .literal('new_destination')
      .describe('Why it does not hold yet: a new destination waits `WITHDRAWAL_DESTINATION_DELAY_HOURS`'),
    requestedByName: z.string().nullable().describe('What the person is called now; null for a token'),
  })
  .meta({ id: 'PendingWithdrawalDestination' });
export type PendingDestination = z.infer<typeof pendingDestination>;

export const withdrawalsResponse = z.object({
  withdrawals: z.array(withdrawal),
  pendingDestinations: z
    .array(pendingDestination)
    .describe('Destinations of automatic withdrawals that were changed and do not hold yet, whatever the filters'),
  next_cursor: z.string().nullable(),
});
