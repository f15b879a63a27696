import type { Operation } from './operation.ts';
import {
  getCallback,
  listCallbacks,
  redeliverCallback,
  rotateCallbackSecret,
  testCallback,
} from './operations/callbacks.ts';
import {
  approveCryptoTransaction,
  createInvoice,
  getCryptoTransaction,
  listCryptoTransactions,
  listCurrencies,
  listWallets,
  rejectCryptoTransaction,
  rotateWallet,
} from './operations/invoices.ts';
import { listEvents, listTransactionEvents } from './operations/events.ts';
import { listPaymentMethods, setPaymentMethods } from './operations/payment-methods.ts';
import {
  acceptTransaction,
  cancelTransaction,
  createTransaction,
  exportTransactions,
  getTransaction,
  listTransactions,
  refundTransaction,
  rejectTransaction,
  renewTransaction,
  submitCard,
} from './operations/payments.ts';
import {
  createMerchant,
  invitePerson,
  listAuditEntries,
  listMerchants,
  listPeople,
  removePerson,
  setPersonRole,
  takeBackInvitation,
} from './operations/people.ts';
import {
  listPreferenceKeys,
  listPreferences,
  setPreference,
  setPreferences,
  setPreferencesSingular,
} from './operations/preferences.ts';
import { getStatistics } from './operations/statistics.ts';
import { createAccessToken, listAccessTokens, revokeAccessToken } from './operations/tokens.ts';
import { createWithdrawal, getWithdrawal, listWithdrawals, submitWithdrawal } from './operations/withdrawals.ts';

/** Everything that the merchant's API does, in the order of the reference. */
export const operations: readonly Operation[] = [
  createTransaction,
  getTransaction,
  listTransactions,
  exportTransactions,
  submitCard,
  acceptTransaction,
  rejectTransaction,
  cancelTransaction,
  renewTransaction,
  refundTransaction,
  createInvoice,
  getCryptoTransaction,
  listCryptoTransactions,
  approveCryptoTransaction,
  rejectCryptoTransaction,
  listCurrencies,
  listWallets,
  rotateWallet,
  listWithdrawals,
  createWithdrawal,
  getWithdrawal,
  submitWithdrawal,
  listEvents,
  listTransactionEvents,
  getStatistics,
  listCallbacks,
  getCallback,
  redeliverCallback,
  testCallback,
  rotateCallbackSecret,
  listPaymentMethods,
  setPaymentMethods,
  listPreferences,
  listPreferenceKeys,
  setPreference,
  setPreferences,
  setPreferencesSingular,
  listPeople,
  invitePerson,
  takeBackInvitation,
  setPersonRole,
  removePerson,
  listAuditEntries,
  listMerchants,
  createMerchant,
  createAccessToken,
  listAccessTokens,
  revokeAccessToken,
];
