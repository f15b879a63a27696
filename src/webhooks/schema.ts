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
}

/** A replaced or removed callback URL of a merchant. */
export interface CallbackUrlChangeTable {
  id: Generated<number>;
  merchant_id: number;
  previous_url: string | null;
  url: string | null;
  /** Start of use of `previous_url`. */
  held_from: Instant | null;
  /** `token 7`, `person 3`. */
  requested_by: string;
  created_at: Instant;
}

/** The webhook endpoint of each merchant: its URL, secrets and health. */
export interface WebhookEndpointTable {
  merchant_id: number;
  /** The preference `callback-url`, kept up to date by `watchCallbackUrl`; null while it is not set. */
  url: string | null;
  /** Standard Webhooks form, `whsec_…`, sealed if a sealing key is set. */
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
}

export interface WebhookTables {
  events: EventTable;
  callbacks: CallbackTable;
  callback_attempts: CallbackAttemptTable;
  callback_url_changes: CallbackUrlChangeTable;
  webhook_endpoints: WebhookEndpointTable;
}

export const { db, statement, combinedStatement } = tablesOf<WebhookTables>();
