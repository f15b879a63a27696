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
import { STEP_UP } from './webhook-endpoints.ts';
import { cancelledEvent } from './example-transactions.ts';

const callback = {
  id: cancelledEvent.id,
  webhook_id: cancelledEvent.id,
  endpoint_id: 'callback-url',
  endpoint_name: 'shop.example',
  type: cancelledEvent.type,
  transaction_id: cancelledEvent.data.transaction_id,
  sequence: cancelledEvent.data.sequence,
  status: 'transaction_status_failed',
  previous_status: 'transaction_status_pending',
  detail: 'cancelled',
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
  summary: 'List webhooks',
  scope: 'callback:read',
  query: callbacksQuery,
  response: callbacksResponse,
  problems: [],
  examples: [
    {
      summary: 'Failed webhooks',
      query: { state: 'failed' },
      response: {
        callbacks: [],
        next_cursor: null,
        endpoint: {
          url: 'https://shop.example/callbacks',
          failing_since: null,
          disabled_at: null,
          disabled_reason: null,
        },
      },
    },
  ],
});

export const getCallback = operation({
  id: 'getCallback',
  method: 'GET',
  path: '/v1/callback',
  group: 'callbacks',
  summary: 'Retrieve a webhook and its delivery attempts',
  scope: 'callback:read',
  query: callbackQuery,
  response: callbackDetail,
  problems: ['not_found'],
  examples: [
    {
      summary: 'Delivered webhook',
      query: { id: callback.id },
      response: {
        ...callback,
        attempts: [
          {
            number: 1,
            at: '2026-11-21T09:04:10.260000Z',
            url: 'https://shop.example/callbacks',
            duration_ms: 84,
            status: 204,
            error: null,
            response_body: '',
            request_headers: [
              { name: 'content-type', value: 'application/json' },
              { name: 'user-agent', value: 'Paylatch/1' },
              { name: 'webhook-id', value: cancelledEvent.id },
              { name: 'webhook-timestamp', value: '1795251850' },
            ],
            response_headers: [{ name: 'date', value: 'Sat, 21 Nov 2026 09:04:10 GMT' }],
          },
        ],
        payload: { type: cancelledEvent.type, timestamp: cancelledEvent.timestamp, data: cancelledEvent.data },
      },
    },
  ],
});

export const redeliverCallback = operation({
  id: 'redeliverCallback',
  method: 'POST',
  path: '/v1/callback/redeliver',
  group: 'callbacks',
  summary: 'Redeliver a webhook',
  description:
    'Sends the webhook immediately with the same `webhook-id`, regardless of its state. Enables a disabled endpoint.',
  scope: 'callback:send',
  body: redeliverRequest,
  response: callbackSummary,
  problems: ['not_found'],
  examples: [
    {
      summary: 'Redeliver a delivered webhook',
      body: { id: callback.id },
      response: { ...callback, state: 'pending', next_attempt_at: '2026-11-22T10:00:00.000000Z', finished_at: null },
    },
  ],
});

export const testCallback = operation({
  id: 'testCallback',
  method: 'POST',
  path: '/v1/callback/test',
  group: 'callbacks',
  summary: 'Send a test webhook',
  description:
    'Sends `callback.test` to `callback-url` and returns the response. A successful delivery enables a disabled endpoint.',
  scope: 'callback:send',
  body: testCallbackRequest,
  response: testCallbackResponse,
  problems: ['no_callback_url'],
  examples: [
    {
      summary: 'Working endpoint',
      body: {},
      response: {
        delivered: true,
        url: 'https://shop.example/callbacks',
        duration_ms: 84,
        status: 204,
        error: null,
        response_body: '',
      },
    },
  ],
});

export const rotateCallbackSecret = operation({
  id: 'rotateCallbackSecret',
  method: 'POST',
  path: '/v1/callback/secret',
  group: 'callbacks',
  summary: 'Rotate the webhook secret',
  description: `For a transition period, webhooks are signed with both secrets, so that endpoints can switch without rejecting any. ${STEP_UP}`,
  scope: 'callback:manage',
  needsStepUp: true,
  body: rotateSecretRequest,
  response: rotateSecretResponse,
  isSecret: true,
  problems: ['step_up_required'],
  examples: [
    {
      summary: 'Keep the old secret for a day',
      body: { keep_hours: 24 },
      response: {
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
  summary: 'Retrieve webhook verification keys',
  description:
    'Returns your merchant ID and the public keys for `v1a` signatures (Ed25519), which need no shared secret.',
  scope: 'callback:read',
  response: callbackKeysResponse,
  problems: [],
  examples: [
    {
      summary: 'Verification keys',
      response: {
        merchant_id: 1,
        url: 'https://pay.example/.well-known/webhook-keys/1',
        keys: [{ type: 'ed25519', public_key: 'whpk_vGNwabzmACYB9SyctnO+FTThXq3A8iSPwnTmfOkGe9w=' }],
      },
    },
  ],
});
