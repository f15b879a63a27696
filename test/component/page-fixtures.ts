import type { PagePhase } from '../../src/shared/page-phase.ts';
import type { InvoicePageState } from '../../src/api/invoice-page.ts';
import type { StartedMethod, OfferedMethod, PageDocument, PageState } from '../../src/api/page-state.ts';
import english from '../../pages/locales/en.json' with { type: 'json' };
import sandbox from '../../pages/locales/sandbox.json' with { type: 'json' };

/** Texts of the page, as the server resolves them. */
export const texts: Record<string, string> = flatten({ ...english, ...sandbox });

/** Texts by their whole keys, such as `fields.country`. */
export function flatten(tree: object, prefix = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(flatten(value, `${prefix}${key}.`))
        : [[`${prefix}${key}`, String(value)]],
    ),
  );
}

/** A merchant without a brand. */
export const merchant = {
  ...{ name: 'Kettle & Co', color: null, logoUrl: null },
  ...{ contact: null, termsUrl: null, privacyUrl: null },
};

/** Hash of a blockchain transaction. */
export const TX_HASH = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b';

/** A payable state at a fixed time, with changes. */
export function pageState(change: Partial<PageState> = {}): PageState {
  return {
    phase: 'ready',
    authorized: false,
    reference: 'order-1001',
    merchant,
    amount: { value: '12.50', currency: 'USD' },
    subtotal: '12.50',
    description: 'Order 1001: blue kettle, two cups',
    items: [],
    serverTime: '2026-03-10T10:00:00.000000Z',
    createdAt: '2026-03-10T09:41:00.000000Z',
    expiresAt: '2026-03-11T09:41:00.000000Z',
    methods: [
      {
        code: 'credit_card',
        brand: null,
        action: 'card',
        mark: 'card',
        choices: null,
        quoteExpiresAt: null,
        amount: '12.50',
        needsCountry: null,
        payerFields: ['first_name', 'last_name', 'country', 'postcode', 'email'],
        handle: null,
      },
    ],
    selectedMethod: 'credit_card',
    selectedBrand: null,
    started: null,
    ended: null,
    received: null,
    coinTransactions: [],
    waitsFor: null,
    refundProgress: null,
    mayReceiveFunds: false,
    clientToken: 'pt_1',
    attemptsLeft: 5,
    card: null,
    declined: null,
    challengeUrl: null,
    paidAt: null,
    returnUrl: 'http://localhost:8081/orders/1001/failed',
    payerCountry: 'US',
    buyerCountry: 'US',
    isLikelyAbroad: false,
    pollAfterMs: 15_000,
    sandbox: true,
    ...change,
  };
}

const over = { clientToken: null, pollAfterMs: null } as const;
const visa = { brand: 'visa', last4: '4242' };

/** One state per phase. */
export const statesByPhase: Record<PagePhase, PageState> = {
  ready: pageState(),
  challenge: pageState({ phase: 'challenge', challengeUrl: '/issuer/1', card: visa, pollAfterMs: 3000 }),
  checking: pageState({ phase: 'checking', card: visa, clientToken: null, pollAfterMs: 3000 }),
  paid: pageState({
    phase: 'paid',
    card: visa,
    paidAt: '2026-03-10T09:45:00.000000Z',
    returnUrl: 'http://localhost:8081/orders/1001/thanks',
    ...over,
  }),
  expired: pageState({ phase: 'expired', serverTime: '2026-03-11T09:41:00.000000Z', ...over }),
  cancelled: pageState({ phase: 'cancelled', ...over }),
  failed: pageState({
    phase: 'failed',
    attemptsLeft: 0,
    declined: { code: 'card_declined', network_code: '05', retryable: false, advice: 'use_other_card' },
    ...over,
  }),
  restricted: pageState({ phase: 'restricted', buyerCountry: 'FR', ...over }),
};

export function pageDocument(state: PageState, change: Partial<PageDocument> = {}): PageDocument {
  return {
    state,
    locale: 'en-US',
    amountLocale: 'en-US',
    direction: 'ltr',
    texts,
    linkPath: '/p/AbCdEf',
    embedding: null,
    isReturning: false,
    submitted: null,
    languages: ['en'],
    language: 'en',
    ...change,
  };
}

const marks = {
  card: 'card',
  qr: 'qr',
  redirect: 'online',
  app_intent: 'initials/TrueMoney',
  crypto: 'crypto',
  bank_details: 'bank',
};

function offered(code: string, action: OfferedMethod['action'], change: Partial<OfferedMethod> = {}): OfferedMethod {
  return {
    code,
    brand: null,
    action,
    mark: marks[action],
    choices: null,
    quoteExpiresAt: null,
    amount: '1250.50',
    needsCountry: null,
    payerFields: [],
    handle: null,
    ...change,
  };
}

const banks = ['Kasikornbank', 'SCB', 'Bangkok Bank', 'Krungthai', 'Krungsri', 'ttb', 'UOB'].map((name, index) => ({
  code: name.toLowerCase().replaceAll(' ', '_'),
  name,
  isPopular: index < 4,
  mark: name.startsWith('Krung') ? `initials/5/${name}` : `initials/${encodeURIComponent(name)}`,
}));
const coins = [
  ['btc', 'Bitcoin', '0.00039403'],
  ['eth', 'Ether', '0.01225882', 'Ethereum'],
  ['usdt', 'USDT', '38.615442', 'Ethereum'],
  ['usdc', 'USDC', '38.615442', 'Ethereum'],
].map(([code = '', name = '', amount = '', network]) => ({
  ...{ code, name, amount, isPopular: true, mark: `coin-${code}` },
  ...(network === undefined ? {} : { network }),
}));

const methods = [
  offered('qr_code', 'qr', { brand: 'PromptPay' }),
  offered('virtual_account', 'bank_details'),
  offered('online_banking', 'redirect', { choices: banks }),
  offered('truemoney_ewallet', 'app_intent', { brand: 'TrueMoney' }),
  offered('crypto_payment', 'crypto', { choices: coins, quoteExpiresAt: '2026-03-10T10:15:00.000000Z' }),
];
const bahtPayment = { methods, amount: { value: '1250.50', currency: 'THB' }, subtotal: '1250.50' };

function started(code: string, instructions: StartedMethod['instructions'], choice: string | null = null): PageState {
  const more = { reference: 'R2ESC7JNKZ', expiresAt: '2026-03-10T10:15:00.000000Z', simulatorUrl: '/simulator' };
  const withMark = methods.map((method) => ({
    ...method,
    mark: (method.code === code && method.choices?.find((each) => each.code === choice)?.mark) || method.mark,
  }));
  return pageState({
    ...bahtPayment,
    methods: withMark,
    selectedMethod: code,
    started: { code, choice, instructions, ...more },
  });
}

const promptPay =
  '00020101021230580016A000000677010112011500000000000000002100R2ESC7JNKZ5303764540712505058 02TH5909DEMO SHOP6007BANGKOK6304ABCD';

/** States of push payment methods. */
export const statesByMethod: Record<string, PageState> = {
  several: pageState({ ...bahtPayment, selectedMethod: 'qr_code', buyerCountry: 'FR', isLikelyAbroad: true }),
  bank_choice: pageState({ ...bahtPayment, selectedMethod: 'online_banking' }),
  coin_choice: pageState({ ...bahtPayment, selectedMethod: 'crypto_payment' }),
  qr: started('qr_code', { action: 'qr', scheme: 'promptpay', payload: promptPay }),
  bank_details: started('virtual_account', {
    action: 'bank_details',
    details: [
      { name: 'bank_name', value: 'Vietcombank' },
      { name: 'account_number', value: '0011223344556' },
      { name: 'account_name', value: 'KETTLE & CO' },
      { name: 'transfer_content', value: 'R2ESC7JNKZ' },
      { name: 'amount', value: '1250.50' },
    ],
  }),
  redirect: started('online_banking', { action: 'redirect', url: '/simulator' }, 'scb'),
  await: started('online_banking', { action: 'await' }, 'scb'),
  app_intent: started('truemoney_ewallet', {
    action: 'app_intent',
    deepLink: 'https://wallet.example/pay/1',
    qrPayload: 'https://wallet.example/pay/1',
    webUrl: 'https://wallet.example/pay/1',
  }),
  crypto: started(
    'crypto_payment',
    {
      action: 'crypto',
      currency: 'BTC',
      network: 'Bitcoin',
      address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      amount: '0.00029306',
      uri: 'bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq?amount=0.00029306',
      minConfirmations: 2,
    },
    'btc',
  ),
  partly_paid: pageState({
    ...bahtPayment,
    methods: methods.slice(0, 1),
    selectedMethod: 'qr_code',
    received: { value: '1125.45', left: '125.05' },
  }),
  refused: pageState({ ...bahtPayment, selectedMethod: 'qr_code', ended: { code: 'qr_code', reason: 'refused' } }),
  ran_out: pageState({ ...bahtPayment, selectedMethod: '', ended: { code: 'qr_code', reason: 'expired' } }),
  confirmations: pageState({
    ...bahtPayment,
    phase: 'checking',
    selectedMethod: 'crypto_payment',
    clientToken: null,
    coinTransactions: [{ hash: TX_HASH, url: `https://explorer.example/tx/${TX_HASH}` }],
    waitsFor: { kind: 'confirmations', seen: 1, needed: 2 },
  }),
  more: pageState({
    ...bahtPayment,
    phase: 'checking',
    selectedMethod: 'qr_code',
    clientToken: null,
    received: { value: '1375.55', left: '0.00' },
    waitsFor: { kind: 'merchant' },
  }),
  late: pageState({
    ...bahtPayment,
    methods: [],
    phase: 'expired',
    selectedMethod: 'qr_code',
    mayReceiveFunds: true,
    ...over,
  }),
  failed_part: pageState({
    ...bahtPayment,
    methods: [],
    phase: 'failed',
    selectedMethod: 'qr_code',
    received: { value: '1125.45', left: '125.05' },
    mayReceiveFunds: true,
    ...over,
  }),
  paid: pageState({
    ...bahtPayment,
    methods: [],
    phase: 'paid',
    selectedMethod: 'qr_code',
    selectedBrand: 'PromptPay',
    paidAt: '2026-03-10T09:59:00.000000Z',
    ...over,
  }),
};

function invoice(change: Partial<InvoicePageState> = {}): InvoicePageState {
  const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
  return {
    phase: 'ready',
    reference: 'order-1001',
    description: 'Order 1001: blue kettle, two cups',
    merchant,
    coin: { code: 'btc', name: 'Bitcoin', network: 'Bitcoin' },
    acceptsAnyAmount: false,
    amount: '0.0015',
    fiatEquivalent: { value: '147.00', currency: 'USD', rate: '98000' },
    paymentUri: { address, uri: `bitcoin:${address}?amount=0.0015` },
    received: null,
    remaining: null,
    reviewReason: null,
    confirmations: null,
    transactions: [],
    paidAt: null,
    returnUrl: 'http://localhost:8081/orders/1001',
    isReplaced: false,
    serverTime: '2026-03-10T10:00:00.000000Z',
    createdAt: '2026-03-10T09:41:00.000000Z',
    expiresAt: '2026-03-10T10:11:00.000000Z',
    payerCountry: 'US',
    pollAfterMs: 5000,
    sandbox: true,
    simulatorUrl: '/simulator',
    ...change,
  };
}

const deposit = {
  paymentUri: null,
  received: '0.0015',
  confirmations: { seen: 0, needed: 2 },
  transactions: [{ hash: TX_HASH, url: `https://explorer.example/tx/${TX_HASH}` }],
} as const;

/** States of the invoice page. */
export const invoiceStates: Record<string, InvoicePageState> = {
  ready: invoice(),
  any_amount: invoice({ amount: null, fiatEquivalent: null, acceptsAnyAmount: true, expiresAt: null }),
  seen: invoice({ ...deposit, phase: 'seen' }),
  partly_paid: invoice({
    ...deposit,
    phase: 'review',
    reviewReason: 'underpaid',
    received: '0.001',
    remaining: '0.0005',
    confirmations: { seen: 1, needed: 2 },
  }),
  paid: invoice({
    ...deposit,
    phase: 'paid',
    confirmations: null,
    paidAt: '2026-03-10T10:04:00.000000Z',
    pollAfterMs: null,
  }),
  expired: invoice({ phase: 'expired', paymentUri: null }),
};
