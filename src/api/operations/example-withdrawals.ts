/*
 * Withdrawals of the examples. A test creates and compares them, ignoring times, addresses, hashes, identifiers
 * and transactions to sign.
 */
import type { Withdrawal, WithdrawalDetail } from '../withdrawal.ts';

const CREATED = '2026-11-21T10:00:00.000000Z';
const UPDATED = '2026-11-21T10:02:31.400000Z';
const HASH = '0e3e2357e806b6cdb1f70b54c3a3a17b6714ee1f0e68bebb44a74b1efd512098';

/** A manager requested a withdrawal of the deposit of coffee-4. */
export const requestedWithdrawal: Withdrawal = {
  id: '4f1N8mZ0bM4u1cQyVtQ3oX5rJxB',
  code: 'btc',
  purpose: 'manual',
  status: 'waiting',
  cancelling: false,
  waitsFor: { reason: 'queued', detail: 'Its transaction will be created next.', feeNow: null, limit: null },
  failure: null,
  heldUntil: null,
  destination: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
  spent: '150000',
  amount: null,
  fee: null,
  feePaid: null,
  writtenOff: '0',
  feeCode: 'btc',
  feeRate: null,
  limit: null,
  txHash: null,
  txHashes: [],
  confirmations: 0,
  minConfirmations: 2,
  wallets: [{ address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', amount: '150000' }],
  transactionId: null,
  withdrawalId: null,
  requestedBy: 'token 2',
  requestedByName: null,
  createdAt: CREATED,
  updatedAt: CREATED,
};

/** The same, with keys held externally. */
export const unsignedWithdrawal: WithdrawalDetail = {
  ...requestedWithdrawal,
  status: 'to_sign',
  waitsFor: null,
  amount: '149450',
  fee: '550',
  feeRate: '5',
  txHash: HASH,
  txHashes: [HASH],
  updatedAt: UPDATED,
  unsigned: { format: 'psbt', data: 'cHNidP8BAFICAAAAAZ…', sender: null, path: null },
};

const { unsigned: _unsigned, ...withoutUnsigned } = unsignedWithdrawal;

/** Submitted, signed. */
export const signedWithdrawal: Withdrawal = { ...withoutUnsigned, status: 'sent', updatedAt: UPDATED };

/** Held because its destination is new, and canceled. */
export const cancelledWithdrawal: Withdrawal = {
  ...requestedWithdrawal,
  status: 'failed',
  waitsFor: null,
  failure: 'Canceled before it was sent.',
  heldUntil: UPDATED,
  wallets: [],
  updatedAt: UPDATED,
};
