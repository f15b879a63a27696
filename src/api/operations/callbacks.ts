import {
  callbackDetail,
  callbackKeysResponse,
  callbackQuery,
  callbacksQuery,
  callbacksResponse,
  callbackSummary,
  redeliverRequest,
  rotateSecretRequest,
  rotateSecretResponse,
  testCallbackRequest,
  testCallbackResponse,
} from '../callback.ts';
import { operation } from '../operation.ts';
import { cancelledEvent } from './example-transactions.ts';

const callback = {
  id: cancelledEvent.id,
  type: cancelledEvent.type,
  transaction_id: cancelledEvent.data.transaction_id,
  sequence: cancelledEvent.data.sequence,
  url: null,
  state: 'delivered',
  attempts_made: 1,
  last_attempt: { at: '2026-11-21T09:04:10.260000Z', status: 204, error: null },
  next_attempt_at: null,
  created_at: cancelledEvent.timestamp,
  finished_at: '2026-11-21T09:04:10.350000Z',
} as const;

export const listCallbacks = operation({
  id: 'listCallbacks',
  method: 'GET',
  path: '/v1/callbacks',
  group: 'callbacks',
  summary: 'List callbacks, newest first',
  scope: 'callback:read',
  query: callbacksQuery,
  answer: callbacksResponse,
  problems: [],
  examples: [
    {
      summary: 'Those that failed',
      query: { state: 'failed' },
      answer: {
        callbacks: [],
        next_cursor: null,
        receiver: { url: 'https://shop.example/callbacks', failing_since: null, off_since: null, off_reason: null },
      },
    },
  ],
});

export const getCallback = operation({
  id: 'getCallback',
  method: 'GET',
  path: '/v1/callback',
  group: 'callbacks',
  summary: 'Read one callback with every attempt to deliver it',
  scope: 'callback:read',
  query: callbackQuery,
  answer: callbackDetail,
  problems: ['not_found'],
  examples: [
    {
      summary: 'One that has arrived',
      query: { id: callback.id },
      answer: {
        ...callback,
        attempts: [
          {
            number: 1,
            at: '2026-11-21T09:04:10.260000Z',
            url: 'https://shop.example/callbacks',
            duration_ms: 84,
            status: 204,
            error: null,
            answer: '',
          },
        ],
      },
    },
  ],
});

export const redeliverCallback = operation({
  id: 'redeliverCallback',
  method: 'POST',
  path: '/v1/callback/redeliver',
  group: 'callbacks',
  summary: 'Send a callback once more, whatever became of it',
  description: 'At once, under the same `webhook-id`. A receiver that was switched off is on again.',
  scope: 'callback:send',
  body: redeliverRequest,
  answer: callbackSummary,
  problems: ['not_found'],
  examples: [
    {
      summary: 'One that has arrived, once more',
      body: { id: callback.id },
      answer: { ...callback, state: 'pending', next_attempt_at: '2026-11-22T10:00:00.000000Z', finished_at: null },
    },
  ],
});

export const testCallback = operation({
  id: 'testCallback',
  method: 'POST',
  path: '/v1/callback/test',
  group: 'callbacks',
  summary: 'Send a callback.test to the callback-url now, and read what came back',
  description: 'When it is delivered, a receiver that was switched off is on again.',
  scope: 'callback:send',
  body: testCallbackRequest,
  answer: testCallbackResponse,
  problems: ['no_callback_url'],
  examples: [
    {
      summary: 'A receiver that works',
      body: {},
      answer: {
        delivered: true,
        url: 'https://shop.example/callbacks',
        duration_ms: 84,
        status: 204,
        error: null,
        answer: '',
      },
    },
  ],
});

export const rotateCallbackSecret = operation({
  id: 'rotateCallbackSecret',
  method: 'POST',
  path: '/v1/callback/secret',
  group: 'callbacks',
  summary: 'Change the secret that signs callbacks',
  description:
    'For a while callbacks carry a signature of either secret, so that receivers can change over without losing one.',
  scope: 'callback:manage',
  body: rotateSecretRequest,
  answer: rotateSecretResponse,
  isSecret: true,
  problems: [],
  examples: [
    {
      summary: 'With a day to change over',
      body: { keep_hours: 24 },
      answer: {
        callback_secret: 'whsec_…',
        previous_valid_until: '2026-11-23T10:00:00.000000Z',
      },
    },
  ],
});

export const getCallbackKeys = operation({
  id: 'getCallbackKeys',
  method: 'GET',
  path: '/v1/callback/keys',
  group: 'callbacks',
  summary: 'Read your merchant ID and the public keys that verify your webhooks',
  description: 'For receivers that check the `v1a` signature (ed25519), which needs no secret.',
  scope: 'callback:read',
  answer: callbackKeysResponse,
  problems: [],
  examples: [
    {
      summary: 'Your keys',
      answer: {
        merchant_id: 1,
        url: 'https://pay.example/.well-known/webhook-keys/1',
        keys: [{ type: 'ed25519', public_key: 'whpk_vGNwabzmACYB9SyctnO+FTThXq3A8iSPwnTmfOkGe9w=' }],
      },
    },
  ],
});
