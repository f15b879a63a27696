import { creation, submission } from './requests.ts';
import { external } from './withdrawals.ts';

/** A PNG file in Base64. */
export const onePixelPng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGOQj/cCAAFpAMkwulAvAAAAAElFTkSuQmCC';

export interface CallInput {
  query?: Record<string, string>;
  body?: unknown;
}

/** A live key, which the sandbox refuses without calling the acquirer. */
const xenditCredentials = { secretKey: 'xnd_production_x', callbackToken: 'a1b2c3', accountCountry: 'TH' };

/** Calls of the operations that address an object, by the object's identifier. */
export const addressedCalls: Record<string, (reference: string) => CallInput> = {
  getTransaction: (reference) => ({ query: { transaction_id: reference } }),
  listTransactionEvents: (reference) => ({ query: { transaction_id: reference } }),
  getCallback: (reference) => ({ query: { id: reference } }),
  redeliverCallback: (reference) => ({ body: { id: reference } }),
  getWebhookEndpoint: (reference) => ({ query: { id: reference } }),
  updateWebhookEndpoint: (reference) => ({ body: { id: reference, enabled: false } }),
  removeWebhookEndpoint: (reference) => ({ body: { id: reference } }),
  rotateWebhookEndpointSecret: (reference) => ({ body: { id: reference } }),
  testWebhookEndpoint: (reference) => ({ body: { id: reference } }),
  redeliverFailedCallbacks: (reference) => ({ body: { id: reference } }),
  submitCard: (reference) => ({ body: submission(reference) }),
  acceptTransaction: (reference) => ({ body: { transaction_id: reference } }),
  rejectTransaction: (reference) => ({ body: { transaction_id: reference } }),
  renewTransaction: (reference) => ({ body: { transaction_id: reference } }),
  captureTransaction: (reference) => ({ body: { transaction_id: reference } }),
  voidTransaction: (reference) => ({ body: { transaction_id: reference } }),
  refundTransaction: (reference) => ({ body: { transaction_id: reference } }),
  erasePayer: (reference) => ({ body: { transaction_id: reference } }),
  cancelTransaction: (reference) => ({ body: { transaction_id: reference } }),
  sendPaymentLink: (reference) => ({ body: { transaction_id: reference, email: 'ada@example.com' } }),
  getReusableLink: (reference) => ({ query: { id: reference } }),
  updateReusableLink: (reference) => ({ body: { id: reference, stock: 5 } }),
  archiveReusableLink: (reference) => ({ body: { id: reference } }),
  getCryptoTransaction: (reference) => ({ query: { id: reference } }),
  approveCryptoTransaction: (reference) => ({ body: { id: reference } }),
  getWithdrawal: (reference) => ({ query: { id: reference } }),
  createWithdrawal: (reference) => ({
    body: { code: 'btc', walletAddress: reference, source: 'credited', destination: external.bitcoin },
  }),
  cancelWithdrawal: (reference) => ({ body: { id: reference } }),
  submitWithdrawal: (reference) => ({ body: { id: reference, signed: '00' } }),
  rotateWallet: (reference) => ({ body: { walletAddress: reference } }),
  rejectCryptoTransaction: (reference) => ({ body: { id: reference } }),
  revokeInvitation: (reference) => ({ body: { id: numberOf(reference) } }),
  setPersonRole: (reference) => ({ body: { id: numberOf(reference), role: 'viewer' } }),
  removePerson: (reference) => ({ body: { id: numberOf(reference) } }),
  getAcquirerAccount: (reference) => ({ query: { id: reference } }),
  updateAcquirerAccount: (reference) => ({ body: { id: reference, enabled: false } }),
  setAcquirerCredentials: (reference) => ({ body: { id: reference, credentials: xenditCredentials } }),
  checkAcquirerAccount: (reference) => ({ body: { id: reference } }),
  // test/auth/token-management.test.ts covers those of other merchants.
  revokeAccessToken: () => ({ body: { id: 999_999_999 } }),
};

/** Members and invitations have numeric ids; any other identifier becomes an unused number. */
function numberOf(reference: string): number {
  return /^\d+$/.test(reference) ? Number(reference) : 999_999;
}

/** Calls of the operations that address no object: they act on the caller's merchant. */
export const ownCalls: Record<string, () => CallInput> = {
  createTransaction: () => ({ body: creation() }),
  listTransactions: () => ({ query: {} }),
  exportTransactions: () => ({ query: {} }),
  createReusableLink: () => ({
    body: { title: 'Cup', amount: 5, country: 'USA', currency: 'USD', payment_method: 'credit_card' },
  }),
  listReusableLinks: () => ({ query: {} }),
  createInvoice: () => ({ body: { txId: 'invoice-1', code: 'btc', amount: '150000', type: 'revolver' } }),
  listCryptoTransactions: () => ({ query: {} }),
  listBalances: () => ({}),
  listWallets: () => ({ query: {} }),
  listWithdrawals: () => ({ query: {} }),
  listCurrencies: () => ({}),
  listEvents: () => ({ query: {} }),
  getStatistics: () => ({ query: {} }),
  listRates: () => ({ query: {} }),
  listCallbacks: () => ({ query: {} }),
  testCallback: () => ({ body: {} }),
  rotateCallbackSecret: () => ({ body: {} }),
  getCallbackKeys: () => ({}),
  listWebhookEndpoints: () => ({}),
  addWebhookEndpoint: () => ({ body: { url: 'https://books.example/paylatch' } }),
  listPaymentMethods: () => ({ body: { country: 'USA', currency: 'USD' } }),
  setPaymentMethods: () => ({
    body: { payment_methods: [{ payment_method: 'credit_card', currency: 'USD', status: 'disable' }] },
  }),
  listPreferences: () => ({}),
  listPreferenceKeys: () => ({ query: {} }),
  createAccessToken: () => ({ body: { name: 'Till', scopes: ['link:write'] } }),
  listAccessTokens: () => ({ query: {} }),
  getLogo: () => ({}),
  setLogo: () => ({ body: { image: onePixelPng } }),
  removeLogo: () => ({ body: {} }),
  setPreference: () => ({ body: { key: 'brand-name', value: 'Mine' } }),
  setPreferences: () => ({ body: { preferences: [{ key: 'brand-name', value: 'Mine' }] } }),
  setPreferencesSingular: () => ({ body: { preferences: [{ key: 'brand-name', value: 'Mine' }] } }),
  listPeople: () => ({}),
  invitePerson: () => ({ body: { email: 'mine@shop.example', role: 'viewer' } }),
  listAuditEntries: () => ({ query: {} }),
  listEmails: () => ({ query: {} }),
  listMerchants: () => ({ query: {} }),
  createMerchant: () => ({ body: { name: 'One more' } }),
  listAcquirers: () => ({ query: {} }),
  listAcquirerAccounts: () => ({}),
  addAcquirerAccount: () => ({ body: { acquirer: 'xendit', name: 'Mine', credentials: xenditCredentials } }),
  checkAcquirerCredentials: () => ({ body: { acquirer: 'xendit', credentials: xenditCredentials } }),
};
