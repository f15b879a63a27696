/*
 * Crypto transactions of the examples. A test creates and compares them, ignoring times,
 * addresses and identifiers.
 */
import { SANDBOX_RATES_SOURCE } from '../../shared/sandbox-rates.ts';
import type { CryptoTransaction } from '../crypto-transaction.ts';

const CREATED = '2026-11-21T09:00:00.000000Z';
const UPDATED = '2026-11-21T09:04:10.250000Z';
const EXPIRES = '2026-11-21T09:30:00.000000Z';
const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

/** coffee-1: not paid yet. */
export const coffeeInvoice: CryptoTransaction = {
  id: '2n0N8mZ0bM4u1cQyVtQ3oX5rJxA',
  txId: 'coffee-1',
  type: 'revolver',
  code: 'btc',
  amountRequired: '150000',
  amountRequiredUnit: '0.0015',
  walletAddress: ADDRESS,
  walletType: 'revolver',
  uri: `bitcoin:${ADDRESS}?amount=0.0015`,
  status: 'pending',
  labels: [],
  amount: '0',
  amountUnit: '0',
  amountDue: '150000',
  confirmations: 0,
  minConfirmations: 2,
  payments: [],
  processingFeePercent: 0,
  processingFee: '0',
  exchangeRate: {
    currency: 'USD',
    exchangeRate: '98000',
    currencyAmount: '147.00',
    code: 'btc',
    source: SANDBOX_RATES_SOURCE,
    at: '2026-11-02T00:00:00.000000Z',
  },
  link: {
    self: 'https://pay.example/v1/transaction?txId=coffee-1&code=btc',
    payment: 'https://pay.example/i/2n0N8mZ0bM4u1cQyVtQ3oX5rJxA',
  },
  fiatTransactionId: null,
  comment: null,
  description: null,
  returnUrl: null,
  probableTxId: null,
  decision: null,
  availableActions: [],
  createdAt: CREATED,
  updatedAt: CREATED,
  expiredAt: EXPIRES,
};

/** coffee-2: underpaid, and approved. */
export const approvedInvoice: CryptoTransaction = {
  ...coffeeInvoice,
  txId: 'coffee-2',
  status: 'waiting',
  labels: ['underpaid'],
  amount: '100000',
  amountUnit: '0.001',
  amountDue: '0',
  payments: [
    {
      txHash: '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b',
      amount: '100000',
      confirmations: 0,
      decision: 'accepted',
      writtenOffAt: null,
      seenAt: UPDATED,
    },
  ],
  link: { ...coffeeInvoice.link, self: 'https://pay.example/v1/transaction?txId=coffee-2&code=btc' },
  decision: {
    by: 'token 1',
    byName: null,
    at: UPDATED,
    reason: 'Regular customer',
    isApproved: true,
    refundAddress: null,
  },
  updatedAt: UPDATED,
};

/** coffee-3: overpaid, and rejected. */
export const rejectedInvoice: CryptoTransaction = {
  ...coffeeInvoice,
  txId: 'coffee-3',
  status: 'failed',
  labels: ['overpaid'],
  amount: '300000',
  amountUnit: '0.003',
  amountDue: '0',
  payments: [
    {
      txHash: '0e3e2357e806b6cdb1f70b54c3a3a17b6714ee1f0e68bebb44a74b1efd512098',
      amount: '300000',
      confirmations: 0,
      decision: 'rejected',
      writtenOffAt: null,
      seenAt: UPDATED,
    },
  ],
  link: { ...coffeeInvoice.link, self: 'https://pay.example/v1/transaction?txId=coffee-3&code=btc' },
  decision: { by: 'token 1', byName: null, at: UPDATED, reason: 'Paid twice', isApproved: false, refundAddress: null },
  updatedAt: UPDATED,
};
