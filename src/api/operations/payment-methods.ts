import { operation } from '../operation.ts';
import {
  paymentMethodsRequest,
  paymentMethodsResponse,
  setPaymentMethodsRequest,
  setPaymentMethodsResponse,
} from '../payment-method.ts';

const disabled = (payment_method: string) => ({
  payment_method,
  currency: 'EUR',
  status: 'disable',
  message: 'Not enabled for your account yet: ask your account manager to turn it on.',
});

export const listPaymentMethods = operation({
  id: 'listPaymentMethods',
  method: 'POST',
  path: '/fiat/v1/merchant/payment-methods',
  group: 'methods',
  summary: 'List every method of a country and currency, each enabled or not',
  scope: 'transaction:read',
  body: paymentMethodsRequest,
  answer: paymentMethodsResponse,
  problems: [],
  examples: [
    {
      summary: 'Euros in France',
      body: { country: 'FRA', currency: 'EUR' },
      answer: {
        payment_methods: [
          { payment_method: 'credit_card', currency: 'EUR', status: 'enable', fee_fix: 0.3, fee_percent: 2.9 },
          disabled('on_ramp_card'),
          disabled('on_ramp_ideal'),
          disabled('crypto_payment'),
        ],
      },
    },
  ],
});

export const setPaymentMethods = operation({
  id: 'setPaymentMethods',
  method: 'PATCH',
  path: '/fiat/v1/merchant/payment-methods',
  group: 'methods',
  summary: 'Set what a merchant may use, and what it costs',
  description: 'All or none. A fee that is not given stays as it was, and is 0 at first.',
  scope: 'preference:write',
  managerOnly: true,
  body: setPaymentMethodsRequest,
  answer: setPaymentMethodsResponse,
  problems: ['manager_only'],
  examples: [
    {
      summary: 'Let a merchant take cards in US dollars',
      role: 'manager',
      body: {
        payment_methods: [
          { payment_method: 'credit_card', currency: 'USD', status: 'enable', fee_fix: 0.3, fee_percent: 2.9 },
        ],
      },
      answer: {
        payment_methods: [
          { payment_method: 'credit_card', currency: 'USD', status: 'enable', fee_fix: 0.3, fee_percent: 2.9 },
        ],
      },
    },
  ],
});
