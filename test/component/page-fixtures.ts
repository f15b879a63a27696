import type { PageDocument, PagePhase, PageState } from '../../src/contract/page-state.ts';
import english from '../../pages/locales/en.json' with { type: 'json' };

/** The texts of the page as the server resolves them. */
export const texts: Record<string, string> = flatten(english);

function flatten(tree: object, prefix = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(flatten(value, `${prefix}${key}.`))
        : [[`${prefix}${key}`, String(value)]],
    ),
  );
}

/** A state of the server at a fixed moment, ready to be paid, with what a test wants otherwise. */
export function pageState(change: Partial<PageState> = {}): PageState {
  return {
    phase: 'ready',
    reference: 'order-1001',
    merchant: { name: 'Kettle & Co' },
    amount: { value: '12.50', currency: 'USD' },
    description: 'Order 1001: blue kettle, two cups',
    serverTime: '2026-03-10T10:00:00.000000Z',
    createdAt: '2026-03-10T09:41:00.000000Z',
    expiresAt: '2026-03-11T09:41:00.000000Z',
    methods: [{ code: 'credit_card', action: 'card', choices: null, amount: '12.50' }],
    selectedMethod: 'credit_card',
    begun: null,
    received: null,
    clientToken: 'pt_1',
    attemptsLeft: 5,
    card: null,
    declined: null,
    challengeUrl: null,
    returnUrl: 'http://localhost:8081/orders/1001/failed',
    buyerCountry: 'US',
    pollAfterMs: null,
    sandbox: true,
    ...change,
  };
}

const over = { clientToken: null, pollAfterMs: null } as const;
const visa = { brand: 'visa', last4: '4242' };

/** One state for each phase, as the server would tell it. */
export const statesByPhase: Record<PagePhase, PageState> = {
  ready: pageState(),
  challenge: pageState({ phase: 'challenge', challengeUrl: '/issuer/1', card: visa, pollAfterMs: 3000 }),
  checking: pageState({ phase: 'checking', card: visa, clientToken: null, pollAfterMs: 3000 }),
  paid: pageState({ phase: 'paid', card: visa, returnUrl: 'http://localhost:8081/orders/1001/thanks', ...over }),
  expired: pageState({ phase: 'expired', serverTime: '2026-03-11T09:41:00.000000Z', ...over }),
  cancelled: pageState({ phase: 'cancelled', ...over }),
  failed: pageState({
    phase: 'failed',
    attemptsLeft: 0,
    card: visa,
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
    countryCodes: ['US', 'FR', 'DE', 'TH', 'GB', 'CA'],
    ...change,
  };
}
