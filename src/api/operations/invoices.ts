import { cryptoCurrencies, type CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import {
  approveRequest,
  createInvoiceRequest,
  cryptoTransaction,
  cryptoTransactionQuery,
  cryptoTransactionsQuery,
  cryptoTransactionsResponse,
  currenciesResponse,
  rejectRequest,
} from '../crypto-transaction.ts';
import { rotateWalletRequest, rotateWalletResponse, walletsQuery, walletsResponse } from '../wallet.ts';
import { operation } from '../operation.ts';
import { approvedMoney, coffeeInvoice, rejectedMoney } from './example-invoices.ts';

export const createInvoice = operation({
  id: 'createInvoice',
  method: 'POST',
  path: '/v1/transaction/invoice',
  group: 'invoices',
  summary: 'Make an invoice that is paid on a chain',
  description:
    'Answers an address of your own for it. The same `txId` and `code` again answer the same invoice; of the type `user` also with another `amount`, which is then shown as requested. Amounts are whole numbers of the smallest unit (satoshi, wei): `GET /v1/currencies` tells the decimals.',
  scope: 'invoice:write',
  body: createInvoiceRequest,
  answer: cryptoTransaction,
  problems: ['tx_id_conflict', 'chain_unavailable'],
  examples: [
    {
      summary: 'An address that is one invoice’s alone',
      body: { txId: 'coffee-1', code: 'btc', amount: '150000', type: 'revolver' },
      answer: coffeeInvoice,
    },
  ],
});

export const getCryptoTransaction = operation({
  id: 'getCryptoTransaction',
  method: 'GET',
  path: '/v1/transaction',
  group: 'invoices',
  summary: 'Read one crypto transaction with all of its payments',
  scope: 'transaction:read',
  query: cryptoTransactionQuery,
  answer: cryptoTransaction,
  problems: ['not_found'],
  examples: [{ summary: 'An invoice', query: { txId: 'coffee-1', code: 'btc' }, answer: coffeeInvoice }],
});

export const listCryptoTransactions = operation({
  id: 'listCryptoTransactions',
  method: 'GET',
  path: '/v1/transactions',
  group: 'invoices',
  summary: 'List crypto transactions, newest first',
  description:
    '`status=approved_required` is the list of all that waits for a person: what came late, less, more, twice, or belongs to no invoice. `availableActions` says what can be done about each.',
  scope: 'transaction:read',
  query: cryptoTransactionsQuery,
  answer: cryptoTransactionsResponse,
  problems: [],
  examples: [
    {
      summary: 'What waits for a decision',
      query: { status: 'approved_required' },
      answer: { transactions: [], next_cursor: null },
    },
  ],
});

export const approveCryptoTransaction = operation({
  id: 'approveCryptoTransaction',
  method: 'POST',
  path: '/v1/transaction/approve',
  group: 'invoices',
  summary: 'Let money count that waits for a decision',
  scope: 'approval:write',
  body: approveRequest,
  answer: cryptoTransaction,
  problems: ['not_found', 'nothing_to_decide'],
  examples: [
    {
      summary: 'Less than was asked for',
      body: { id: approvedMoney.id, reason: 'A friend of the house' },
      answer: approvedMoney,
    },
  ],
});

export const rejectCryptoTransaction = operation({
  id: 'rejectCryptoTransaction',
  method: 'POST',
  path: '/v1/transaction/reject',
  group: 'invoices',
  summary: 'Refuse money that waits for a decision',
  description:
    'With `refundAddress` it goes back: `refunding`, then `refunded`. That needs the scope `withdrawal:write` as well, and the refund to a new address is held for the destination delay. Without it the transaction is `failed`; rejected again with an address it is refunded, as long as its money has not been withdrawn.',
  scope: 'approval:write',
  body: rejectRequest,
  answer: cryptoTransaction,
  problems: ['not_found', 'nothing_to_decide'],
  examples: [
    {
      summary: 'More than was asked for',
      body: { id: rejectedMoney.id, reason: 'Paid twice' },
      answer: rejectedMoney,
    },
  ],
});

export const listCurrencies = operation({
  id: 'listCurrencies',
  method: 'GET',
  path: '/v1/currencies',
  group: 'invoices',
  summary: 'List the currencies that invoices can be paid in',
  scope: 'transaction:read',
  answer: currenciesResponse,
  problems: [],
  examples: [
    {
      summary: 'All of them',
      answer: {
        currencies: Object.entries(cryptoCurrencies).map(
          ([code, { name, chain, decimals, leastUnits, minConfirmations }]) => ({
            ...{ code: code as CryptoCurrencyCode, name, chain, decimals, minConfirmations },
            minAmount: leastUnits.toString(),
          }),
        ),
      },
    },
  ],
});

const coffeeWallet = {
  walletAddress: coffeeInvoice.walletAddress,
  code: 'btc',
  walletType: 'revolver',
  state: 'serving',
  balance: '0',
  parts: { credited: '0', confirming: '0', undecided: '0', stray: '0', rejected: '0' },
  incoming: '0',
  restsUntil: null,
  createdAt: coffeeInvoice.createdAt,
  retiredAt: null,
} as const;

export const listWallets = operation({
  id: 'listWallets',
  method: 'GET',
  path: '/v1/wallets',
  group: 'invoices',
  summary: 'List wallets, newest first',
  description:
    'With what each holds, in the smallest unit (`GET /v1/currencies` tells the decimals): `balance` is what lies on the chain, `parts` what of it is credited, will be, waits for a person or never is.',
  scope: 'transaction:read',
  query: walletsQuery,
  answer: walletsResponse,
  problems: [],
  examples: [
    {
      summary: 'Those that rest',
      query: { state: 'resting' },
      answer: { wallets: [], next_cursor: null },
    },
  ],
});

export const rotateWallet = operation({
  id: 'rotateWallet',
  method: 'POST',
  path: '/v1/wallet/rotate',
  group: 'invoices',
  summary: 'Rotate a wallet, whatever it holds',
  description:
    'No new invoice gets it; it is retired once the last one that has it is over. A user’s wallet is retired at once, and its invoice gets another address.',
  scope: 'invoice:write',
  managerOnly: true,
  body: rotateWalletRequest,
  answer: rotateWalletResponse,
  problems: ['manager_only', 'not_found'],
  examples: [
    {
      summary: 'That of an open invoice',
      role: 'manager',
      body: { walletAddress: coffeeWallet.walletAddress },
      answer: { wallet: { ...coffeeWallet, state: 'rotated' }, replacedBy: null },
    },
  ],
});
