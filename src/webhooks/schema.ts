import type { Generated } from 'kysely';
import type { Instant } from '../shared/time.ts';
import type { EventSubjectKind } from '../api/webhook-events.ts';
import { tablesOf } from '../database/tables-of.ts';

export interface EventTable {
  id: Generated<number>;
  merchant_id: number;
  /** The reported record, owned by the module of its kind. */
  subject_kind: EventSubjectKind;
  subject_id: number;
  sequence: number;
  type: string;
  at: Instant;
  status: string;
  previous_status: string | null;
  detail: string | null;
  /** JSON: the webhook's `data` without `merchant_id`. */
  data: string;
  /** The `webhook-id`; null for an event without a webhook, such as the creation of a fiat transaction. */
  webhook_id: string | null;
  /** Increasing position in the merchant's event log; null until a pull assigns it. */
  position: Generated<number | null>;
}

export interface CallbackTable {
  id: Generated<number>;
  merchant_id: number;
  /** The reported record, owned by the module of its kind. */
  subject_kind: EventSubjectKind;
  subject_id: number;
  sequence: number;
  event_id: number;
  /** The `webhook-id`: the same for every attempt. */
  webhook_id: string;
  state: 'pending' | 'delivered' | 'failed';
  attempts_made: number;
  next_attempt_at: Instant;
  created_at: Instant;
  finished_at: Instant | null;
  /**
   * 1 while an earlier webhook of the subject is pending. A held webhook is not due, regardless of its
   * `next_attempt_at`.
   */
  held: Generated<number>;
  /** The URL of a notice; null: the endpoint's URL at the time of the attempt. */
  url: Generated<string | null>;
  /** The `number` of the endpoint that receives it. */
  endpoint: Generated<number>;
  /** The span of the change, which the delivery continues; null without tracing. */
  traceparent: Generated<string | null>;
}

export interface CallbackAttemptTable {
  id: Generated<number>;
  merchant_id: number;
  callback_id: number;
  number: number;
  url: string;
  at: Instant;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  /** The beginning of the response body. */
  answer: string | null;
  /** JSON: names and values of the response headers. */
  response_headers: string | null;
}

/** A change of a merchant's callback URL, or of another endpoint. */
interface CallbackUrlChangeTable {
  id: Generated<number>;
  merchant_id: number;
  previous_url: string | null;
  url: string | null;
  /** Start of use of `previous_url`. */
  held_from: Instant | null;
  /** `token 7`, `person 3`. */
  requested_by: string;
  created_at: Instant;
  /** The `number` of the changed endpoint. */
  endpoint: Generated<number>;
}

/** A webhook endpoint of a merchant: its URL, secrets and health. */
export interface WebhookEndpointTable {
  merchant_id: number;
  /** 0: the endpoint of the preference `callback-url`. From 1: added endpoints. */
  number: Generated<number>;
  /** The identifier that merchants see, `we_…`; null for the endpoint of `callback-url`. */
  endpoint_key: string | null;
  /** For number 0, kept up to date by `watchCallbackUrl`; null while `callback-url` is not set. */
  url: string | null;
  description: string | null;
  /** JSON: the types of events that are sent to the endpoint; null: all. */
  event_types: string | null;
  /** Standard Webhooks form, `whsec_…`, sealed if a sealing key is set. Empty a week after the endpoint was removed. */
  secret: string;
  /** Signs in addition to `secret` until `previous_secret_until`. */
  previous_secret: string | null;
  previous_secret_until: Instant | null;
  /** The first failure since the last success; null for a healthy endpoint. */
  failing_since: Instant | null;
  failed_at: Instant | null;
  /** Time when the endpoint was disabled; null while it is enabled. */
  off_at: Instant | null;
  off_reason: 'gone' | 'no_success' | null;
  /** Time when the merchant disabled the endpoint; null while it is enabled. */
  paused_at: Instant | null;
  /** Null for the endpoint of `callback-url`, which is as old as the merchant. */
  created_at: Instant | null;
  updated_at: Instant | null;
  /** Time when the merchant removed the endpoint. Notices to its URL are signed with its secret for a week more. */
  removed_at: Instant | null;
}

export interface WebhookTables {
  events: EventTable;
  callbacks: CallbackTable;
  callback_attempts: CallbackAttemptTable;
  callback_url_changes: CallbackUrlChangeTable;
  webhook_endpoints: WebhookEndpointTable;
}

export const { db, statement, pipelinedStatement } = tablesOf<WebhookTables>();
