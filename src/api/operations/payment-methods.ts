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
  message: 'Not enabled for your account yet: ask your account manager to enable it.',
});

export const listPaymentMethods = operation({
  id: 'listPaymentMethods',
  method: 'POST',
  path: '/fiat/v1/merchant/payment-methods',
  group: 'methods',
  summary: 'List payment methods',
  scope: 'transaction:read',
  body: paymentMethodsRequest,
  response: paymentMethodsResponse,
  problems: [],
  examples: [
    {
      summary: 'EUR in France',
      body: { country: 'FRA', currency: 'EUR' },
      response: {
        payment_methods: [
          {
            ...{ payment_method: 'credit_card', currency: 'EUR', status: 'enable', fee_fix: 0.3, fee_percent: 2.9 },
            manual_capture: true,
          },
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
  summary: 'Set a merchant’s payment methods',
  description:
    'Sets which methods the merchant can use, and their fees. Applies all settings or none. An omitted fee stays unchanged; it is 0 initially.',
  scope: 'preference:write',
  managerOnly: true,
  body: setPaymentMethodsRequest,
  response: setPaymentMethodsResponse,
  problems: ['manager_only'],
  examples: [
    {
      summary: 'Enable cards in USD',
      role: 'manager',
      body: {
        payment_methods: [
          { payment_method: 'credit_card', currency: 'USD', status: 'enable', fee_fix: 0.3, fee_percent: 2.9 },
        ],
      },
      response: {
        payment_methods: [
          { payment_method: 'credit_card', currency: 'USD', status: 'enable', fee_fix: 0.3, fee_percent: 2.9 },
        ],
      },
    },
  ],
});
