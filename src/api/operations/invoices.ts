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
import {
  balancesResponse,
  rotateWalletRequest,
  rotateWalletResponse,
  walletsQuery,
  walletsResponse,
} from '../wallet.ts';
import { operation } from '../operation.ts';
import { approvedInvoice, coffeeInvoice, rejectedInvoice } from './example-invoices.ts';

export const createInvoice = operation({
  id: 'createInvoice',
  method: 'POST',
  path: '/v1/transaction/invoice',
  group: 'invoices',
  summary: 'Create a crypto invoice',
  description:
    'Returns a deposit address. Repeating `txId` and `code` returns the same invoice; for the type `user`, `amount`, `description` and `returnUrl` may differ and are then updated. Amounts are whole numbers of the smallest unit (satoshi, wei); `GET /v1/currencies` returns the decimals.',
  scope: 'invoice:write',
  body: createInvoiceRequest,
  response: cryptoTransaction,
  problems: ['tx_id_conflict', 'chain_unavailable', 'rate_unavailable'],
  examples: [
    {
      summary: 'Address for one invoice',
      body: { txId: 'coffee-1', code: 'btc', amount: '150000', type: 'revolver' },
      response: coffeeInvoice,
    },
  ],
});

export const getCryptoTransaction = operation({
  id: 'getCryptoTransaction',
  method: 'GET',
  path: '/v1/transaction',
  group: 'invoices',
  summary: 'Retrieve a crypto transaction',
  scope: 'transaction:read',
  query: cryptoTransactionQuery,
  response: cryptoTransaction,
  problems: ['not_found'],
  examples: [{ summary: 'An invoice', query: { txId: 'coffee-1', code: 'btc' }, response: coffeeInvoice }],
});

export const listCryptoTransactions = operation({
  id: 'listCryptoTransactions',
  method: 'GET',
  path: '/v1/transactions',
  group: 'invoices',
  summary: 'List crypto transactions',
  description:
    '`status=approved_required` is the review queue: late, underpaid, overpaid and duplicate deposits, and deposits without an invoice. `availableActions` lists the possible actions. Newest first.',
  scope: 'transaction:read',
  query: cryptoTransactionsQuery,
  response: cryptoTransactionsResponse,
  problems: [],
  examples: [
    {
      summary: 'Review queue',
      query: { status: 'approved_required' },
      response: { transactions: [], next_cursor: null },
    },
  ],
});

export const approveCryptoTransaction = operation({
  id: 'approveCryptoTransaction',
  method: 'POST',
  path: '/v1/transaction/approve',
  group: 'invoices',
  summary: 'Approve a crypto transaction',
  scope: 'approval:write',
  body: approveRequest,
  response: cryptoTransaction,
  problems: ['not_found', 'nothing_to_review'],
  examples: [
    {
      summary: 'Underpayment',
      body: { id: approvedInvoice.id, reason: 'Regular customer' },
      response: approvedInvoice,
    },
  ],
});

export const rejectCryptoTransaction = operation({
  id: 'rejectCryptoTransaction',
  method: 'POST',
  path: '/v1/transaction/reject',
  group: 'invoices',
  summary: 'Reject a crypto transaction',
  description:
    'With `refundAddress`, the deposits are refunded: `refunding`, then `refunded`. This also needs the scope `withdrawal:write`, and a refund to a new address is held for the destination delay. Without it, the transaction becomes `failed`; until its funds are withdrawn, it can be rejected again with an address to refund it. For type `user`, only the deposits in review are rejected, and `refundAddress` is not allowed.',
  scope: 'approval:write',
  body: rejectRequest,
  response: cryptoTransaction,
  problems: ['not_found', 'nothing_to_review'],
  examples: [
    {
      summary: 'Overpayment',
      body: { id: rejectedInvoice.id, reason: 'Paid twice' },
      response: rejectedInvoice,
    },
  ],
});

export const listCurrencies = operation({
  id: 'listCurrencies',
  method: 'GET',
  path: '/v1/currencies',
  group: 'invoices',
  summary: 'List cryptocurrencies',
  scope: 'transaction:read',
  response: currenciesResponse,
  problems: [],
  examples: [
    {
      summary: 'All cryptocurrencies',
      response: {
        currencies: Object.entries(cryptoCurrencies).map(
          ([code, { name, chain, decimals, minUnits, minConfirmations }]) => ({
            ...{ code: code as CryptoCurrencyCode, name, chain, decimals, minConfirmations },
            minAmount: minUnits.toString(),
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
  state: 'assigned',
  balance: '0',
  parts: { credited: '0', sending: '0', confirming: '0', in_review: '0', unattributed: '0', rejected: '0' },
  incoming: '0',
  reusableAt: null,
  createdAt: coffeeInvoice.createdAt,
  retiredAt: null,
} as const;

export const listBalances = operation({
  id: 'listBalances',
  method: 'GET',
  path: '/v1/balances',
  group: 'invoices',
  summary: 'List balances',
  description:
    'Funds of all wallets, by currency; currencies without funds are omitted. Amounts are in the smallest unit (`GET /v1/currencies` returns the decimals). `GET /v1/wallets` with `funded=true` lists the wallets that hold the funds.',
  scope: 'transaction:read',
  response: balancesResponse,
  problems: [],
  examples: [
    {
      summary: 'Bitcoin, partly rejected',
      response: {
        balances: [
          {
            code: 'btc',
            balance: '400000',
            parts: { ...coffeeWallet.parts, credited: '100000', rejected: '300000' },
            incoming: '0',
          },
        ],
      },
    },
  ],
});

export const listWallets = operation({
  id: 'listWallets',
  method: 'GET',
  path: '/v1/wallets',
  group: 'invoices',
  summary: 'List wallets',
  description:
    'Newest first. Amounts are in the smallest unit (`GET /v1/currencies` returns the decimals): `balance` is the on-chain balance, `parts` splits it into credited, being sent, confirming, awaiting review, unattributed and rejected funds.',
  scope: 'transaction:read',
  query: walletsQuery,
  response: walletsResponse,
  problems: [],
  examples: [
    {
      summary: 'Free wallets',
      query: { state: 'free' },
      response: {
        wallets: [
          {
            ...{ ...coffeeWallet, state: 'free', balance: '100000', reusableAt: coffeeInvoice.createdAt },
            parts: { ...coffeeWallet.parts, credited: '100000' },
          },
        ],
        next_cursor: null,
      },
    },
  ],
});

export const rotateWallet = operation({
  id: 'rotateWallet',
  method: 'POST',
  path: '/v1/wallet/rotate',
  group: 'invoices',
  summary: 'Rotate a wallet',
  description:
    'No new invoice uses the wallet; it is retired when its last invoice ends. A user’s wallet is retired immediately, and its invoice gets another address.',
  scope: 'invoice:write',
  managerOnly: true,
  body: rotateWalletRequest,
  response: rotateWalletResponse,
  problems: ['manager_only', 'not_found'],
  examples: [
    {
      summary: 'Wallet of an open invoice',
      role: 'manager',
      body: { walletAddress: coffeeWallet.walletAddress },
      response: { wallet: { ...coffeeWallet, state: 'rotated' }, replacedBy: null },
    },
  ],
});
