import {
  addWebhookEndpointRequest,
  addWebhookEndpointResponse,
  MAX_ADDED_ENDPOINTS,
  redeliverFailedResponse,
  removeWebhookEndpointResponse,
  rotateEndpointSecretRequest,
  rotateEndpointSecretResponse,
  testWebhookEndpointResponse,
  updateWebhookEndpointRequest,
  webhookEndpoint,
  webhookEndpointQuery,
  webhookEndpointRequest,
  webhookEndpointsResponse,
} from '../webhook-endpoint.ts';
import { operation } from '../operation.ts';

const id = 'we_Yk9sVQ0p3mM7hZf2aBcDeFgHiJk';
const stored = {
  id,
  url: 'https://books.example/paylatch',
  description: 'Bookkeeping',
  event_types: ['fiat.transaction.updated'],
  from_preferences: false,
  status: 'enabled',
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  last_delivered_at: null,
  last_failed_at: null,
  recent: { delivered: 0, failed: 0, pending: 0 },
  created_at: '2026-11-21T09:00:00.000000Z',
  updated_at: '2026-11-21T09:00:00.000000Z',
} as const;
const NOTICE = 'Your endpoints, and the previous URLs of the last day, receive `callback.endpoint_changed`.';
const LIMIT = 'Endpoints can be added and changed 60 times per hour (`429 rate_limited`).';
export const STEP_UP =
  'A signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`).';

const managed = { group: 'callbacks', scope: 'callback:manage', needsStepUp: true } as const;

export const listWebhookEndpoints = operation({
  id: 'listWebhookEndpoints',
  method: 'GET',
  path: '/v1/webhook-endpoints',
  group: 'callbacks',
  scope: 'callback:read',
  summary: 'List webhook endpoints',
  description: 'The endpoint of the preference `callback-url`, if it is set, and the added endpoints.',
  response: webhookEndpointsResponse,
  problems: [],
  examples: [
    {
      summary: 'Only `callback-url`',
      response: {
        endpoints: [
          {
            ...stored,
            ...{ id: 'callback-url', url: 'https://shop.example/callbacks', description: null, event_types: null },
            ...{ from_preferences: true, created_at: null, updated_at: null },
            last_delivered_at: '2026-11-21T09:04:10.350000Z',
            recent: { delivered: 98, failed: 1, pending: 1 },
          },
        ],
      },
    },
  ],
});

export const addWebhookEndpoint = operation({
  ...managed,
  id: 'addWebhookEndpoint',
  method: 'POST',
  path: '/v1/webhook-endpoints',
  summary: 'Add a webhook endpoint',
  description: `It receives events created from now on. At most ${MAX_ADDED_ENDPOINTS} in addition to \`callback-url\`. Needs \`transaction:read\` too, since the endpoint receives payments. ${LIMIT} ${NOTICE} ${STEP_UP}`,
  body: addWebhookEndpointRequest,
  response: addWebhookEndpointResponse,
  isSecret: true,
  problems: ['too_many_endpoints', 'step_up_required'],
  examples: [
    {
      summary: 'Bookkeeping endpoint for payment events',
      role: 'manager',
      body: { url: stored.url, description: stored.description, event_types: stored.event_types },
      response: { ...stored, secret: 'whsec_…' },
    },
  ],
});

export const getWebhookEndpoint = operation({
  id: 'getWebhookEndpoint',
  method: 'GET',
  path: '/v1/webhook-endpoint',
  group: 'callbacks',
  scope: 'callback:read',
  summary: 'Retrieve a webhook endpoint',
  query: webhookEndpointQuery,
  response: webhookEndpoint,
  problems: ['not_found'],
  examples: [{ summary: 'Endpoint', query: { id }, response: stored }],
});

export const updateWebhookEndpoint = operation({
  ...managed,
  id: 'updateWebhookEndpoint',
  method: 'PATCH',
  path: '/v1/webhook-endpoint',
  summary: 'Change a webhook endpoint',
  description: `Omitted fields stay unchanged. Pending webhooks go to the new URL; new event types apply to events from then on. \`url\` and \`event_types\` need \`transaction:read\` too. ${LIMIT} ${NOTICE} ${STEP_UP}`,
  body: updateWebhookEndpointRequest,
  response: webhookEndpoint,
  problems: ['not_found', 'step_up_required'],
  examples: [
    {
      summary: 'All event types',
      role: 'manager',
      body: { id, event_types: null },
      response: { ...stored, event_types: null, updated_at: '2026-11-21T10:00:00.000000Z' },
    },
  ],
});

export const removeWebhookEndpoint = operation({
  ...managed,
  id: 'removeWebhookEndpoint',
  method: 'POST',
  path: '/v1/webhook-endpoint/remove',
  summary: 'Remove a webhook endpoint',
  description: `Its pending webhooks are not delivered; the events stay in \`GET /v1/events\`. ${NOTICE} ${STEP_UP}`,
  body: webhookEndpointRequest,
  response: removeWebhookEndpointResponse,
  problems: ['not_found', 'step_up_required'],
  examples: [
    {
      summary: 'Endpoint that is no longer used',
      role: 'manager',
      body: { id },
      response: { id, removed_at: '2026-11-21T10:00:00.000000Z' },
    },
  ],
});

export const rotateWebhookEndpointSecret = operation({
  ...managed,
  id: 'rotateWebhookEndpointSecret',
  method: 'POST',
  path: '/v1/webhook-endpoint/secret',
  summary: 'Rotate a webhook endpoint’s secret',
  description: `Works as \`POST /v1/callback/secret\`, for one endpoint. ${STEP_UP}`,
  body: rotateEndpointSecretRequest,
  response: rotateEndpointSecretResponse,
  isSecret: true,
  problems: ['not_found', 'step_up_required'],
  examples: [
    {
      summary: 'Keep the old secret for a day',
      role: 'manager',
      body: { id, keep_hours: 24 },
      response: { secret: 'whsec_…', previous_valid_until: '2026-11-23T10:00:00.000000Z' },
    },
  ],
});

export const testWebhookEndpoint = operation({
  id: 'testWebhookEndpoint',
  method: 'POST',
  path: '/v1/webhook-endpoint/test',
  group: 'callbacks',
  scope: 'callback:send',
  summary: 'Send a test webhook to an endpoint',
  description:
    'Sends `callback.test` now, regardless of the event types and status of the endpoint, and returns the response. A successful delivery enables an endpoint that was disabled after failures.',
  body: webhookEndpointRequest,
  response: testWebhookEndpointResponse,
  problems: ['not_found', 'no_callback_url'],
  examples: [
    {
      summary: 'Working endpoint',
      body: { id },
      response: { delivered: true, url: stored.url, duration_ms: 84, status: 204, error: null, response_body: '' },
    },
  ],
});

export const redeliverFailedCallbacks = operation({
  id: 'redeliverFailedCallbacks',
  method: 'POST',
  path: '/v1/webhook-endpoint/redeliver',
  group: 'callbacks',
  scope: 'callback:send',
  summary: 'Redeliver all failed webhooks of an endpoint',
  description:
    'In order within a payment, invoice or withdrawal. Enables an endpoint that was disabled after failures.',
  body: webhookEndpointRequest,
  response: redeliverFailedResponse,
  problems: ['not_found'],
  examples: [{ summary: 'After an outage', body: { id }, response: { redelivered: 12 } }],
});
