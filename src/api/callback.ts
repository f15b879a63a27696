import { z } from 'zod';
import { wholeNumber } from './fiat-transaction.ts';
import { addressText, instantText, text } from './text.ts';

/** `pending`: to be delivered; `failed`: tried as often as it is, and kept. */
export const callbackStates = ['pending', 'delivered', 'failed'] as const;
export type CallbackState = (typeof callbackStates)[number];

/** How many characters of a receiver's answer are kept. */
export const KEPT_ANSWER_LENGTH = 1024;

const callbackId = text(64).describe('The `webhook-id`');

/** Query of `GET /v1/callbacks`: newest first. */
export const callbacksQuery = z.strictObject({
  state: z.enum(callbackStates).optional(),
  transaction_id: text(64)
    .optional()
    .describe(
      'Your own reference of a fiat or crypto transaction, or our `id` of a crypto transaction or a withdrawal',
    ),
  cursor: text(64).optional().describe('The `next_cursor` of the answer before'),
  per_page: wholeNumber(100).optional().describe('How many at most; 20 when left out'),
});
export type CallbacksQuery = z.infer<typeof callbacksQuery>;

export const callbackSummary = z
  .object({
    id: callbackId,
    type: z.string(),
    transaction_id: z
      .string()
      .describe(
        'Your own reference; ours for money on a chain that belongs to no invoice and for withdrawals; of a changed destination the currency, of a changed callback URL `callback-url`',
      ),
    sequence: z.number().int().describe('Of the event, within the transaction'),
    url: addressText
      .nullable()
      .describe('Where a notice of a changed callback URL or destination goes; null: the present callback-url'),
    state: z.enum(callbackStates),
    attempts_made: z.number().int(),
    last_attempt: z
      .object({
        at: instantText,
        status: z.number().int().nullable().describe('HTTP status of the answer; null when none came'),
        error: z.string().nullable(),
      })
      .nullable()
      .describe('What came of the last attempt; null while there was none'),
    next_attempt_at: instantText.nullable().describe('null when there is none to come, or an earlier one comes first'),
    created_at: instantText,
    finished_at: instantText.nullable(),
  })
  .meta({ id: 'Callback' });
export type CallbackSummary = z.infer<typeof callbackSummary>;

/** Where callbacks go. Switched off, nothing is sent, and what happens is kept `pending`. */
export const callbackReceiver = z
  .object({
    url: addressText.nullable(),
    failing_since: instantText.nullable().describe('Of the first failure since the last success'),
    off_since: instantText.nullable().describe('null while it is on'),
    off_reason: z
      .enum(['gone', 'no_success'])
      .nullable()
      .describe('`gone`: it answered 410; `no_success`: nothing was delivered for five days'),
  })
  .meta({ id: 'CallbackReceiver' });
export type CallbackReceiverSummary = z.infer<typeof callbackReceiver>;

export const callbacksResponse = z.object({
  callbacks: z.array(callbackSummary),
  next_cursor: z.string().nullable(),
  receiver: callbackReceiver,
});

/** Query of `GET /v1/callback`. */
export const callbackQuery = z.strictObject({ id: callbackId });

/** One attempt to deliver, and what came of it. */
export const callbackAttempt = z
  .object({
    number: z.number().int(),
    at: instantText,
    url: addressText.nullable().describe('null when no callback-url was set'),
    duration_ms: z.number().int(),
    status: z.number().int().nullable().describe('HTTP status of the answer; null when none came'),
    error: z.string().nullable(),
    answer: z.string().nullable().describe(`The first ${KEPT_ANSWER_LENGTH} characters of the answer’s body`),
  })
  .meta({ id: 'CallbackAttempt' });

export const callbackDetail = callbackSummary
  .extend({ attempts: z.array(callbackAttempt) })
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
    .describe('How long the old secret signs beside the new one; 24 when left out, 0 when it has leaked'),
});
export const rotateSecretResponse = z.object({
  callback_secret: z.string().describe('The new one; shown this once'),
  previous_valid_until: instantText.describe('Until then every callback is signed with the old one as well'),
});

/** Body of `POST /v1/callback/test`. */
export const testCallbackRequest = z.strictObject({});
export const testCallbackResponse = z.object({
  delivered: z.boolean().describe('Whether the answer was 2xx'),
  url: addressText,
  duration_ms: z.number().int(),
  status: z.number().int().nullable(),
  error: z.string().nullable(),
  answer: z.string().nullable(),
});

const signingKeys = z
  .array(z.object({ type: z.literal('ed25519'), public_key: z.string().describe('`whpk_` and 32 bytes in base64') }))
  .describe('Verify the `v1a` signatures of your webhooks; no other merchant’s webhooks verify with them');

/** Parameters of `GET /.well-known/webhook-keys/{merchant_id}`. */
export const webhookKeysParameters = z.strictObject({
  merchant_id: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(Number),
});

/** Answer of `GET /.well-known/webhook-keys/{merchant_id}`. */
export const webhookKeysResponse = z.object({ keys: signingKeys });

/** Answer of `GET /v1/callback/keys`. */
export const callbackKeysResponse = z.object({
  merchant_id: z.number().int().describe('The `merchant_id` in the `data` of your webhooks'),
  url: addressText.describe('Publishes `keys`, without authentication'),
  keys: signingKeys,
});
