import { operation } from '../operation.ts';
import {
  cancelWithdrawalRequest,
  createWithdrawalRequest,
  submitWithdrawalRequest,
  withdrawal,
  withdrawalDetail,
  withdrawalQuery,
  withdrawalsQuery,
  withdrawalsResponse,
} from '../withdrawal.ts';
import { askedWithdrawal, cancelledWithdrawal, signedWithdrawal, unsignedWithdrawal } from './example-withdrawals.ts';

export const listWithdrawals = operation({
  id: 'listWithdrawals',
  method: 'GET',
  path: '/v1/withdrawals',
  group: 'withdrawals',
  summary: 'List withdrawals, newest first',
  description: '`status=to_sign` is the list of all that somebody has to sign; `waitsFor` says why one is `waiting`.',
  scope: 'transaction:read',
  query: withdrawalsQuery,
  answer: withdrawalsResponse,
  problems: [],
  examples: [
    {
      summary: 'What waits for a signature',
      query: { status: 'to_sign' },
      answer: { withdrawals: [], pendingDestinations: [], next_cursor: null },
    },
  ],
});

export const createWithdrawal = operation({
  id: 'createWithdrawal',
  method: 'POST',
  path: '/v1/withdrawals',
  group: 'withdrawals',
  summary: 'Send money of a wallet to an address',
  description:
    'What is credited there, what came after the wallet was retired, or what was rejected without a refund. The merchant’s limit of the fee does not hold for it, the operator’s do. To an address that is not the effective destination of automatic withdrawals it is held for the destination delay (`heldUntil`). A token holds `withdrawal:write` only where it was asked for.',
  scope: 'withdrawal:write',
  managerOnly: true,
  body: createWithdrawalRequest,
  answer: withdrawal,
  problems: ['manager_only', 'not_found', 'nothing_to_withdraw'],
  examples: [
    {
      summary: 'What is credited to a wallet',
      role: 'manager',
      body: {
        code: 'btc',
        walletAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
        source: 'credited',
        destination: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
      },
      answer: askedWithdrawal,
    },
  ],
});

export const getWithdrawal = operation({
  id: 'getWithdrawal',
  method: 'GET',
  path: '/v1/withdrawal',
  group: 'withdrawals',
  summary: 'Read one withdrawal, with what is to be signed',
  scope: 'transaction:read',
  query: withdrawalQuery,
  answer: withdrawalDetail,
  problems: ['not_found'],
  examples: [
    { summary: 'One that waits for a signature', query: { id: unsignedWithdrawal.id }, answer: unsignedWithdrawal },
  ],
});

export const submitWithdrawal = operation({
  id: 'submitWithdrawal',
  method: 'POST',
  path: '/v1/withdrawal/submit',
  group: 'withdrawals',
  summary: 'Hand in what was signed elsewhere, and have it sent',
  description:
    'It must be the very transaction that `GET /v1/withdrawal` shows under `unsigned`: the same inputs, destination and amount.',
  scope: 'withdrawal:write',
  body: submitWithdrawalRequest,
  answer: withdrawal,
  problems: ['not_found', 'nothing_to_sign'],
  examples: [
    {
      summary: 'A signed PSBT',
      role: 'manager',
      body: { id: signedWithdrawal.id, signed: 'cHNidP8BAFICAAAAAZ…' },
      answer: signedWithdrawal,
    },
  ],
});

export const cancelWithdrawal = operation({
  id: 'cancelWithdrawal',
  method: 'POST',
  path: '/v1/withdrawal/cancel',
  group: 'withdrawals',
  summary: 'Cancel a withdrawal that is not in a block',
  description:
    'While it is held (`heldUntil`), with `withdrawal:write`; a manager also afterwards, until its transaction is in a block. Where nothing is signed yet, it is `failed` at once. Otherwise a replacement is made that pays more than every transaction sent: on Bitcoin and Litecoin it returns the same coins to one of their wallets, on Ethereum it uses the same nonce and moves nothing. `cancelling` is true until one of them is final: `failed` where the replacement is mined, `confirmed` where it came too late. Only the fee of the replacement is lost. Where the keys are elsewhere the replacement is `to_sign`. Cancelling again changes nothing. The money is free for another withdrawal afterwards: with `auto-withdrawal` credited money is swept again. The transaction of a refund is `failed`: reject it again with another `refundAddress`, or withdraw returned coins by hand as `rejected`.',
  scope: 'withdrawal:write',
  body: cancelWithdrawalRequest,
  answer: withdrawal,
  problems: ['not_found', 'nothing_to_cancel'],
  examples: [
    {
      summary: 'A refund to an address that nobody here knows',
      role: 'manager',
      body: { id: cancelledWithdrawal.id },
      answer: cancelledWithdrawal,
    },
  ],
});
