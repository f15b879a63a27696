import { z } from 'zod';
import { wholeNumber } from './fiat-transaction.ts';
import { anyOf } from './filter.ts';
import { describeStatuses } from './statuses.ts';
import { urlText, instantText, text } from './text.ts';
import { webhookEvent, webhookEventTypes } from './webhook-events.ts';

/** `pending`: not delivered yet; `failed`: all attempts failed. */
const callbackStates = ['pending', 'delivered', 'failed'] as const;
export type CallbackState = (typeof callbackStates)[number];

/** Characters of an endpoint's response that are stored. */
const STORED_RESPONSE_LENGTH = 1024;

const callbackId = text(64).describe(
  'The ID of the delivery: the `webhook-id`; for added endpoints with a dot and the ID of the endpoint',
);

/** Query of `GET /v1/callbacks`: newest first. */
export const callbacksQuery = z.strictObject({
  state: anyOf(z.enum(callbackStates)),
  transaction_id: text(64)
    .optional()
    .describe('Your reference for a fiat or crypto transaction, or the `id` of a crypto transaction or withdrawal'),
  endpoint_id: text(64).optional().describe('An endpoint: `we_…` or `callback-url`'),
  type: anyOf(z.enum(webhookEventTypes)).describe('Event types'),
  cursor: text(64).optional().describe('The `next_cursor` of the previous page'),
  per_page: wholeNumber(100).optional().describe('Page size; 20 by default'),
});
export type CallbacksQuery = z.infer<typeof callbacksQuery>;

export const callbackSummary = z
  .object({
    id: callbackId,
    webhook_id: z
      .string()
      .describe('The header `webhook-id`: the `id` of the event, and the same for every endpoint that receives it'),
    endpoint_id: z.string().describe('`we_…`, or `callback-url` for the endpoint of that preference'),
    endpoint_name: z.string().describe('Its description, or else the host of its URL, or else its ID'),
    type: z.string(),
    transaction_id: z
      .string()
      .describe(
        'Your reference; the `id` for deposits without an invoice and for withdrawals; the currency for a changed destination; `callback-url` for a changed URL; the ID of a changed endpoint',
      ),
    sequence: z.number().int().describe('Sequence number of the event within its transaction'),
    status: z
      .string()
      .nullable()
      .describe(
        'Status of the transaction or withdrawal after the event; null for notices, and without the scope `transaction:read`',
      ),
    previous_status: z
      .string()
      .nullable()
      .describe('Its status before the event; null like `status`, and in the first'),
    detail: z
      .string()
      .nullable()
      .describe(
        'The change, as in the `timeline`, such as `12.50 USD refunded`; null if there is none, and without the scope `transaction:read`',
      ),
    url: urlText
      .nullable()
      .describe('URL that receives a notice of a changed endpoint or destination; null for the endpoint’s current URL'),
    state: z.enum(callbackStates).describe(describeStatuses('webhook')),
    attempts_made: z.number().int(),
    last_attempt: z
      .object({
        at: instantText,
        status: z.number().int().nullable().describe('HTTP status of the response; null if there was none'),
        error: z.string().nullable(),
      })
      .nullable()
      .describe('Result of the last attempt; null before the first'),
    next_attempt_at: instantText
      .nullable()
      .describe('null if no attempt is scheduled, or if an earlier webhook must be delivered first'),
    created_at: instantText,
    finished_at: instantText.nullable(),
  })
  .meta({ id: 'Callback' });
export type CallbackSummary = z.infer<typeof callbackSummary>;

/** Health of the webhook endpoint. While it is disabled, nothing is sent and new webhooks stay `pending`. */
const callbackEndpoint = z
  .object({
    url: urlText.nullable(),
    failing_since: instantText
      .nullable()
      .describe('Time of the first failure since the last success, later by periods without attempts'),
    disabled_at: instantText.nullable().describe('null while it is enabled'),
    disabled_reason: z
      .enum(['gone', 'no_success'])
      .nullable()
      .describe('`gone`: the endpoint returned 410; `no_success`: nothing was delivered for five days'),
  })
  .meta({ id: 'CallbackEndpoint' });
export type CallbackEndpointSummary = z.infer<typeof callbackEndpoint>;

export const callbacksResponse = z.object({
  callbacks: z.array(callbackSummary),
  next_cursor: z.string().nullable(),
  endpoint: callbackEndpoint,
});

/** Query of `GET /v1/callback`. */
export const callbackQuery = z.strictObject({ id: callbackId });

/** Days for which delivery attempts are stored. */
export const ATTEMPT_RETENTION_DAYS = 90;

const headers = z.array(z.object({ name: z.string(), value: z.string() }));

/** A delivery attempt and its result. */
const callbackAttempt = z
  .object({
    number: z.number().int(),
    at: instantText,
    url: urlText.nullable().describe('null if no `callback-url` was set'),
    duration_ms: z.number().int(),
    status: z.number().int().nullable().describe('HTTP status of the response; null if there was none'),
    error: z.string().nullable(),
    response_body: z
      .string()
      .nullable()
      .describe(`The first ${STORED_RESPONSE_LENGTH} characters of the response body`),
    request_headers: headers.describe('The headers that we sent, without the signature'),
    response_headers: headers
      .nullable()
      .describe('The headers of the response, without credentials; null if there was no response'),
  })
  .meta({ id: 'CallbackAttempt' });

export const callbackDetail = callbackSummary
  .extend({
    attempts: z.array(callbackAttempt).describe(`Attempts of the last ${ATTEMPT_RETENTION_DAYS} days`),
    payload: webhookEvent.nullable().describe('The body of the webhook; null without the scope `transaction:read`'),
  })
  .meta({ id: 'CallbackDetail' });
export type CallbackDetail = z.infer<typeof callbackDetail>;

/** Body of `POST /v1/callback/redeliver`. */
export const redeliverRequest = z.strictObject({ id: callbackId });

/** Body of `POST /v1/callback/secret`. */
export const rotateSecretRequest = z.strictObject({
  keep_hours: z
    .number()
    .int()
    .min(0)
    .max(168)
    .optional()
    .describe('Hours that the old secret also signs; 24 by default. Use 0 if it leaked'),
});
export const rotateSecretResponse = z.object({
  callback_secret: z.string().describe('The new secret; shown only once'),
  previous_valid_until: instantText.describe('Until then every webhook is also signed with the old secret'),
});

/** Body of `POST /v1/callback/test`. */
export const testCallbackRequest = z.strictObject({});
export const testCallbackResponse = z.object({
  delivered: z.boolean().describe('True if the response was 2xx'),
  url: urlText,
  duration_ms: z.number().int(),
  status: z.number().int().nullable(),
  error: z.string().nullable(),
  response_body: z.string().nullable(),
});

const signingKeys = z
  .array(z.object({ type: z.literal('ed25519'), public_key: z.string().describe('`whpk_` and 32 bytes in base64') }))
  .describe('Verify the `v1a` signatures of your webhooks. They do not verify webhooks of other merchants');

/** Parameters of `GET /.well-known/webhook-keys/{key_id}`: a merchant ID, with or without the prefix of a cell. */
export const webhookKeysParameters = z.strictObject({
  key_id: z
    .string()
    .regex(/^(?:[a-z2-7]{2}-)?[1-9]\d{0,15}$/)
    .transform((id) => Number(id.split('-').at(-1)))
    .pipe(z.int()),
});

/** Response of `GET /.well-known/webhook-keys/{key_id}`. */
export const webhookKeysResponse = z.object({ keys: signingKeys });

/** Response of `GET /v1/callback/keys`. */
export const callbackKeysResponse = z.object({
  merchant_id: z.number().int().describe('The `merchant_id` in the `data` of your webhooks'),
  url: urlText.describe('Public URL of `keys`, without authentication'),
  keys: signingKeys,
});
