import { z } from 'zod';
import { testCallbackResponse, rotateSecretRequest, rotateSecretResponse } from './callback.ts';
import { describeStatuses } from './statuses.ts';
import { urlText, displayName, instantText, text } from './text.ts';
import { subscribableEventTypes } from '../shared/webhook-event-types.ts';

/** Endpoints of a merchant in addition to the `callback-url` endpoint. */
export const MAX_ADDED_ENDPOINTS = 16;

/** Deliveries that `recent` counts. */
export const RECENT_DELIVERY_COUNT = 100;

/** Identifies the endpoint of the preference `callback-url` among all endpoints. */
export const CALLBACK_URL_ENDPOINT_ID = 'callback-url';

/** The ID of an endpoint: `we_…`, or `callback-url`. */
const endpointId = text(64).describe('`we_…`, or `callback-url` for the endpoint of that preference');

const eventTypes = z
  .array(z.enum(subscribableEventTypes))
  .min(1)
  .max(subscribableEventTypes.length)
  .refine((types) => new Set(types).size === types.length, 'must not repeat a type')
  .nullable()
  .describe('Types of events to send; null for all. Security notices are always sent');
// The URL rules are those of `callback-url`, and depend on the environment.
const url = text(2048).describe('Same rules as `callback-url`: https, and not in a private network');
const description = displayName(200).nullable();

export const webhookEndpoint = z
  .object({
    id: endpointId,
    url: urlText,
    description: z.string().nullable(),
    event_types: z.array(z.string()).nullable().describe('null for all'),
    from_preferences: z
      .boolean()
      .describe('True for the endpoint of `callback-url`, which only that preference changes'),
    status: z.enum(['enabled', 'disabled']).describe(describeStatuses('endpoint')),
    disabled_reason: z
      .enum(['merchant', 'gone', 'no_success'])
      .nullable()
      .describe(
        '`merchant`: you disabled it; `gone`: it returned 410; `no_success`: nothing was delivered for five days',
      ),
    disabled_at: instantText.nullable(),
    failing_since: instantText
      .nullable()
      .describe('Time of the first failure since the last success, later by periods without attempts'),
    last_delivered_at: instantText.nullable().describe('Among the recent deliveries'),
    last_failed_at: instantText.nullable().describe('The last failed attempt; null after a success'),
    recent: z
      .object({ delivered: z.number().int(), failed: z.number().int(), pending: z.number().int() })
      .describe(`The last ${RECENT_DELIVERY_COUNT} deliveries, by state`),
    created_at: instantText.nullable().describe('null for the endpoint of `callback-url`'),
    updated_at: instantText.nullable(),
  })
  .meta({ id: 'WebhookEndpoint' });
export type WebhookEndpointEntry = z.infer<typeof webhookEndpoint>;

export const webhookEndpointsResponse = z.object({
  endpoints: z.array(webhookEndpoint).describe('The endpoint of `callback-url` first, then added ones, oldest first'),
});

/** Body of `POST /v1/webhook-endpoints`. */
export const addWebhookEndpointRequest = z.strictObject({
  url,
  description: description.optional(),
  event_types: eventTypes.optional(),
});

export const addWebhookEndpointResponse = webhookEndpoint.extend({
  secret: z.string().describe('Signs the webhooks of this endpoint; shown only once'),
});

/** Query of `GET /v1/webhook-endpoint`. */
export const webhookEndpointQuery = z.strictObject({ id: endpointId });

/** Body of `PATCH /v1/webhook-endpoint`. */
export const updateWebhookEndpointRequest = z.strictObject({
  id: endpointId,
  url: url.optional(),
  description: description.optional(),
  event_types: eventTypes.optional(),
  enabled: z.boolean().optional().describe('true also enables an endpoint that was disabled after failures'),
});

/** Body of the calls that concern one endpoint. */
export const webhookEndpointRequest = z.strictObject({ id: endpointId });

export const removeWebhookEndpointResponse = z.object({ id: endpointId, removed_at: instantText });

/** Body of `POST /v1/webhook-endpoint/secret`. */
export const rotateEndpointSecretRequest = rotateSecretRequest.extend({ id: endpointId });
export const rotateEndpointSecretResponse = z.object({
  secret: z.string().describe('The new secret; shown only once'),
  previous_valid_until: rotateSecretResponse.shape.previous_valid_until,
});

export const testWebhookEndpointResponse = testCallbackResponse;

export const redeliverFailedResponse = z.object({
  redelivered: z.number().int().describe('Number of failed webhooks that are pending again'),
});
