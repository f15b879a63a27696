import { operation } from '../operation.ts';
import { chainNamesOf } from '../../shared/crypto-currency.ts';
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
import {
  requestedWithdrawal,
  cancelledWithdrawal,
  signedWithdrawal,
  unsignedWithdrawal,
} from './example-withdrawals.ts';

export const listWithdrawals = operation({
  id: 'listWithdrawals',
  method: 'GET',
  path: '/v1/withdrawals',
  group: 'withdrawals',
  summary: 'List withdrawals',
  description: 'Newest first. `status=to_sign` lists withdrawals to sign; `waitsFor` states why one is `waiting`.',
  scope: 'transaction:read',
  query: withdrawalsQuery,
  response: withdrawalsResponse,
  problems: [],
  examples: [
    {
      summary: 'Withdrawals to sign',
      query: { status: 'to_sign' },
      response: { withdrawals: [], pendingDestinations: [], next_cursor: null },
    },
  ],
});

export const createWithdrawal = operation({
  id: 'createWithdrawal',
  method: 'POST',
  path: '/v1/withdrawals',
  group: 'withdrawals',
  summary: 'Create a withdrawal',
  description:
    'Sends funds of a wallet to an address: credited, unattributed, or rejected without a refund. The operator’s fee limits apply; the merchant’s fee limit does not. A withdrawal to an address other than the effective destination of automatic withdrawals is held for the destination delay (`heldUntil`). A token has `withdrawal:write` only if it was requested.',
  scope: 'withdrawal:write',
  managerOnly: true,
  body: createWithdrawalRequest,
  response: withdrawal,
  problems: ['manager_only', 'not_found', 'nothing_to_withdraw', 'withdrawal_below_minimum'],
  examples: [
    {
      summary: 'Credited funds',
      role: 'manager',
      body: {
        code: 'btc',
        walletAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
        source: 'credited',
        destination: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
      },
      response: requestedWithdrawal,
    },
  ],
});

export const getWithdrawal = operation({
  id: 'getWithdrawal',
  method: 'GET',
  path: '/v1/withdrawal',
  group: 'withdrawals',
  summary: 'Retrieve a withdrawal',
  scope: 'transaction:read',
  query: withdrawalQuery,
  response: withdrawalDetail,
  problems: ['not_found'],
  examples: [{ summary: 'Withdrawal to sign', query: { id: unsignedWithdrawal.id }, response: unsignedWithdrawal }],
});

export const submitWithdrawal = operation({
  id: 'submitWithdrawal',
  method: 'POST',
  path: '/v1/withdrawal/submit',
  group: 'withdrawals',
  summary: 'Submit a signed withdrawal',
  description:
    'Broadcasts an externally signed transaction. It must match `unsigned` of `GET /v1/withdrawal`: the same inputs, destination and amount.',
  scope: 'withdrawal:write',
  body: submitWithdrawalRequest,
  response: withdrawal,
  problems: ['not_found', 'nothing_to_sign'],
  examples: [
    {
      summary: 'Signed PSBT',
      role: 'manager',
      body: { id: signedWithdrawal.id, signed: 'cHNidP8BAFICAAAAAZ…' },
      response: signedWithdrawal,
    },
  ],
});

export const cancelWithdrawal = operation({
  id: 'cancelWithdrawal',
  method: 'POST',
  path: '/v1/withdrawal/cancel',
  group: 'withdrawals',
  summary: 'Cancel a withdrawal',
  description: `Until \`heldUntil\`, any caller with \`withdrawal:write\` can cancel it; after that only a manager can, until its transaction is in a block. If nothing is signed yet, the withdrawal becomes \`failed\` immediately. Otherwise a replacement is created with a higher fee than every transaction sent: on ${chainNamesOf('utxo')} it returns the same coins to one of their wallets, on ${chainNamesOf('account')} it uses the same nonce and moves nothing. \`cancelling\` is true until one of them is final: \`failed\` if the replacement is mined, \`confirmed\` if it was too late. Only the replacement’s fee is lost. If the keys are held externally, the replacement is \`to_sign\`. Repeating the request changes nothing. The funds can then be withdrawn again; with \`auto-withdrawal\`, credited funds are swept again. The transaction of a refund becomes \`failed\`: reject it again with another \`refundAddress\`, or withdraw returned coins manually as \`rejected\`.`,
  scope: 'withdrawal:write',
  body: cancelWithdrawalRequest,
  response: withdrawal,
  problems: ['not_found', 'withdrawal_not_cancellable'],
  examples: [
    {
      summary: 'Refund to an unknown address',
      role: 'manager',
      body: { id: cancelledWithdrawal.id },
      response: cancelledWithdrawal,
    },
  ],
});
