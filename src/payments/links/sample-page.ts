import { findPaymentMethod, markOf } from '../../methods/catalog.ts';
import type { PageMerchant, PageState } from '../../api/page-state.ts';
import type { CardFormFields } from '../../shared/card-form.ts';
import { DAY, formatInstant, type Instant } from '../../shared/time.ts';
import { cardFormFieldsOf } from '../payer.ts';

/** Returns a payment page with a merchant's branding, for a payment that does not exist. */
export function samplePage(
  merchant: PageMerchant,
  { now, setting, isSandbox }: { now: Instant; setting: CardFormFields; isSandbox: boolean },
): PageState {
  const value = '48.00';
  const { code, action } = card;
  const method = {
    code,
    brand: null,
    action,
    mark: markOf(card, 'USA'),
    choices: null,
    quoteExpiresAt: null,
    amount: value,
    needsCountry: null,
  };
  return {
    ...{ phase: 'ready', authorized: false, reference: '1042', merchant, description: '#1042', items: [] },
    amount: { value, currency: 'USD' },
    subtotal: value,
    serverTime: formatInstant(now),
    createdAt: formatInstant(now),
    expiresAt: formatInstant(now + DAY),
    methods: [{ ...method, payerFields: cardFormFieldsOf(setting), handle: null }],
    ...{ selectedMethod: code, selectedBrand: null, started: null, ended: null, received: null, refundProgress: null },
    coinTransactions: [],
    ...{ waitsFor: null, mayReceiveFunds: false, clientToken: null, attemptsLeft: 1, card: null, declined: null },
    ...{ challengeUrl: null, paidAt: null, returnUrl: 'https://shop.example/', payerCountry: 'US', buyerCountry: null },
    ...{ isLikelyAbroad: false, sandbox: isSandbox, pollAfterMs: null },
  };
}

const card = requireMethod('credit_card');

function requireMethod(code: string) {
  const method = findPaymentMethod(code);
  if (!method) throw new Error(`The catalog has no method ${code}`);
  return method;
}
