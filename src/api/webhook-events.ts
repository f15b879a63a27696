import { z } from 'zod';
import { cryptoStatuses } from '../shared/crypto-status.ts';
import { cryptoTransaction } from './crypto-transaction.ts';
import { disputeStates } from '../shared/dispute.ts';
import { disputeSummary, transactionDetail, apiStatuses } from './fiat-transaction.ts';
import { urlText, instantText } from './text.ts';
import { destinationChange, withdrawal, withdrawalStatuses } from './withdrawal.ts';

/** The kinds of records that events report. The events of one record are numbered and delivered in order. */
export const eventSubjectKinds = [
  'fiat_transaction',
  'crypto_transaction',
  'withdrawal',
  'withdrawal_destination',
  'callback_url_change',
] as const;
export type EventSubjectKind = (typeof eventSubjectKinds)[number];

interface WebhookEventDescription {
  /** Name of the pulled event in the OpenAPI document; types with the same `data` share it. Null: not pulled. */
  pulledAs: string | null;
  /** One-line summary of the event. */
  summary: string;
  /** Completes "Sent when …". */
  sentWhen: string;
  /** Null: sent on request only, not recorded in the event log. */
  subject: EventSubjectKind | null;
  /** Sent to every endpoint, and to previous callback URLs, without waiting for other webhooks. */
  isNotice: boolean;
  /** Completes "`data` is …", in Markdown. */
  dataIs: string;
  data: z.ZodObject;
}

/** Fields of every event's `data`, regardless of its type. */
const merchantFields = {
  merchant_id: z.number().int().describe('Your merchant ID. Reject webhooks with a different one'),
};

const sequenceWithin = (subject: string) => ({
  sequence: z
    .number()
    .int()
    .describe(
      `Number of the event within the ${subject}, from 1. An endpoint that receives only some event types sees gaps: do not wait for missing numbers`,
    ),
});
const singleEvent = { previous_status: z.null(), sequence: z.literal(1) };

const cryptoTransactionData = cryptoTransaction
  .extend({
    ...merchantFields,
    previous_status: z.enum(cryptoStatuses).nullable().describe('null in the first'),
    ...sequenceWithin('transaction'),
  })
  .meta({ id: 'CryptoTransactionEventData' });

const disputeData = disputeSummary
  .extend({
    ...merchantFields,
    transaction_id: z.string(),
    previous_status: z
      .enum(disputeStates)
      .nullable()
      .describe('The previous `state` of the dispute; null in the first'),
    ...sequenceWithin('transaction'),
  })
  .meta({ id: 'DisputeEventData' });

/**
 * The event types of webhooks. The OpenAPI document, the client's types, the table in `docs/webhooks.md`, the events
 * that are pulled and the argument of `recordEvent` derive from this list.
 */
export const webhookEvents = {
  'fiat.transaction.updated': {
    pulledAs: 'TransactionEvent',
    summary: 'A payment changed',
    sentWhen: 'the status, authorization, refunds or received amount of a payment changes',
    subject: 'fiat_transaction',
    isNotice: false,
    dataIs: 'the `GET /fiat/v1/transaction` response at that moment, with `previous_status` and `sequence`',
    data: transactionDetail
      .extend({ ...merchantFields, previous_status: z.enum(apiStatuses), ...sequenceWithin('transaction') })
      .meta({ id: 'TransactionEventData' }),
  },
  'fiat.dispute.created': {
    pulledAs: 'DisputeEvent',
    summary: 'A buyer disputes a payment',
    sentWhen: 'a buyer disputes a payment with their bank',
    subject: 'fiat_transaction',
    isNotice: false,
    dataIs: 'the dispute, with the `transaction_id` of its payment',
    data: disputeData,
  },
  'fiat.dispute.updated': {
    pulledAs: 'DisputeEvent',
    summary: 'A dispute changed',
    sentWhen: 'a dispute changes its state, amount or deadline',
    subject: 'fiat_transaction',
    isNotice: false,
    dataIs: 'the dispute, with the `transaction_id` of its payment',
    data: disputeData,
  },
  'fiat.dispute.closed': {
    pulledAs: 'DisputeEvent',
    summary: 'A dispute was won or lost',
    sentWhen: 'a dispute is won or lost',
    subject: 'fiat_transaction',
    isNotice: false,
    dataIs: 'the dispute, with the `transaction_id` of its payment',
    data: disputeData,
  },
  'crypto.transaction.created': {
    pulledAs: 'CryptoTransactionEvent',
    summary: 'A crypto transaction was created',
    sentWhen: 'a crypto invoice is created, or a deposit arrives that belongs to no invoice',
    subject: 'crypto_transaction',
    isNotice: false,
    dataIs: 'the `GET /v1/transaction` response at that moment; `previous_status` is null',
    data: cryptoTransactionData,
  },
  'crypto.transaction.updated': {
    pulledAs: 'CryptoTransactionEvent',
    summary: 'A crypto transaction changed',
    sentWhen: 'a crypto transaction changes its status, or its deposits change',
    subject: 'crypto_transaction',
    isNotice: false,
    dataIs: 'the `GET /v1/transaction` response at that moment, with `previous_status` and `sequence`',
    data: cryptoTransactionData,
  },
  'crypto.withdrawal.updated': {
    pulledAs: 'WithdrawalEvent',
    summary: 'A withdrawal changed',
    sentWhen: 'a withdrawal is created or changes',
    subject: 'withdrawal',
    isNotice: false,
    dataIs:
      'the withdrawal in the `GET /v1/withdrawals` response at that moment, with `previous_status` and `sequence`',
    data: withdrawal
      .extend({
        ...merchantFields,
        previous_status: z.enum(withdrawalStatuses).nullable().describe('null in the first'),
        ...sequenceWithin('withdrawal'),
      })
      .meta({ id: 'WithdrawalEventData' }),
  },
  'crypto.withdrawal.destination_changed': {
    pulledAs: 'WithdrawalDestinationChangeEvent',
    summary: 'An automatic withdrawal destination changed',
    sentWhen: 'an automatic withdrawal destination is set, replaced or removed',
    subject: 'withdrawal_destination',
    isNotice: true,
    dataIs: 'the new and the previous address, who changed them, and when the new one takes effect',
    data: destinationChange
      .extend({ ...merchantFields, ...singleEvent })
      .meta({ id: 'WithdrawalDestinationChangeEventData' }),
  },
  'callback.url_changed': {
    pulledAs: 'CallbackUrlChangeEvent',
    summary: 'The webhook URL changed',
    sentWhen: '`callback-url` is replaced or removed',
    subject: 'callback_url_change',
    isNotice: true,
    dataIs:
      '`url` and `previous_url` (origins only, since the rest may contain a secret; each may be null), `requested_by` and `created_at`',
    data: z
      .object({
        ...merchantFields,
        url: urlText
          .nullable()
          .describe('Origin of the new URL (no path or query, which may contain a secret); null: removed'),
        previous_url: urlText.nullable().describe('Origin of the previous URL; null: none was set'),
        requested_by: z.string().describe('Requester: `token 7` or `person 3`'),
        created_at: instantText,
        ...singleEvent,
      })
      .meta({ id: 'CallbackUrlChangeEventData' }),
  },
  'callback.endpoint_changed': {
    pulledAs: 'WebhookEndpointChangeEvent',
    summary: 'A webhook endpoint changed',
    sentWhen: 'a webhook endpoint is added, changed or removed',
    subject: 'callback_url_change',
    isNotice: true,
    dataIs:
      '`endpoint_id`, the `change`, `url` and `previous_url` (origins only, since the rest may contain a secret), `status`, `event_types`, `requested_by` and `created_at`',
    data: z
      .object({
        ...merchantFields,
        endpoint_id: z.string(),
        change: z.enum(['added', 'updated', 'removed']),
        url: urlText.nullable().describe('Origin of the URL (no path or query); null: removed'),
        previous_url: urlText.nullable().describe('Origin of the previous URL; null: added'),
        status: z.enum(['enabled', 'disabled']).nullable().describe('null: removed'),
        event_types: z.array(z.string()).nullable().describe('null: all'),
        requested_by: z.string().describe('Requester: `token 7` or `person 3`'),
        created_at: instantText,
        ...singleEvent,
      })
      .meta({ id: 'WebhookEndpointChangeEventData' }),
  },
  'callback.test': {
    pulledAs: null,
    summary: 'A test',
    sentWhen: '`POST /v1/callback/test` or `POST /v1/webhook-endpoint/test` is called',
    subject: null,
    isNotice: false,
    dataIs: 'a `message`; the event is not in the event log',
    data: z.object({ ...merchantFields, message: z.string() }).meta({ id: 'TestEventData' }),
  },
} as const satisfies Record<string, WebhookEventDescription>;

export type WebhookEventType = keyof typeof webhookEvents;
export type WebhookEventData<Type extends WebhookEventType> = z.infer<(typeof webhookEvents)[Type]['data']>;

/** The kind of record that events of a type report. */
export type SubjectOf<Type extends WebhookEventType> = (typeof webhookEvents)[Type]['subject'];

/** The event types of a kind of record. */
export type EventTypeOf<Kind extends EventSubjectKind> = {
  [Type in WebhookEventType]: SubjectOf<Type> extends Kind ? Type : never;
}[WebhookEventType];

/** Event types of the event log: all except those that are sent on request. */
export type RecordedEventType = {
  [Type in WebhookEventType]: SubjectOf<Type> extends null ? never : Type;
}[WebhookEventType];

/** The body of a webhook (Standard Webhooks). */
export interface WebhookBody<Type extends WebhookEventType> {
  type: Type;
  timestamp: string;
  data: WebhookEventData<Type>;
}

/** The same event in the event log; `id` is the `webhook-id`. */
export type PulledEvent<Type extends RecordedEventType> = { [Each in Type]: WebhookBody<Each> & { id: string } }[Type];

export const webhookEventTypes = Object.keys(webhookEvents) as WebhookEventType[];

/** `FiatTransactionUpdatedWebhook`: the name of a webhook's body in the OpenAPI document and the client. */
function bodyName(type: WebhookEventType): string {
  const words = type.split(/[._]/).map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`);
  return `${words.join('')}Webhook`;
}

/** The schemas of webhook bodies, by event type. */
export const webhookBodies = Object.fromEntries(
  webhookEventTypes.map((type) => {
    const { data } = webhookEvents[type];
    return [type, z.object({ type: z.literal(type), timestamp: instantText, data }).meta({ id: bodyName(type) })];
  }),
) as unknown as { [Type in WebhookEventType]: z.ZodType<WebhookBody<Type>> };

/** The body of any webhook. */
export const webhookEvent = z.union(Object.values(webhookBodies)).meta({ id: 'WebhookEvent' });

const pulledNames = new Set(
  webhookEventTypes.map((type) => webhookEvents[type].pulledAs).filter((name) => name !== null),
);

/** The schemas of pulled events, by name. */
const pulledEvents = new Map(
  [...pulledNames].map((name) => {
    const types = webhookEventTypes.filter((type) => webhookEvents[type].pulledAs === name);
    const [first = 'fiat.transaction.updated'] = types;
    const schema = z.object({
      type: z.literal(types),
      timestamp: instantText,
      data: webhookEvents[first].data,
      id: z.string().describe('The `webhook-id` of its webhook'),
    });
    return [name, schema.meta({ id: name })];
  }),
);

/** Any event of the event log. */
export const pulledEvent = z.union([...pulledEvents.values()]) as unknown as z.ZodType<PulledEvent<RecordedEventType>>;

const ofTransactions = [...pulledEvents].flatMap(([name, schema]) =>
  Object.values(webhookEvents).some(({ subject, pulledAs }) => subject === 'fiat_transaction' && pulledAs === name)
    ? [schema]
    : [],
);

/** An event of a fiat transaction. */
export const transactionEvent = (ofTransactions.length === 1
  ? ofTransactions[0]
  : z.union(ofTransactions)) as unknown as z.ZodType<PulledEvent<EventTypeOf<'fiat_transaction'>>>;
