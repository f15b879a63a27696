import type { Generated } from 'kysely';
import type { Instant } from '../shared/time.ts';
import type { EventSubjectKind } from '../api/webhook-events.ts';
import { tablesOf } from '../database/tables-of.ts';

export interface EventTable {
  id: Generated<number>;
  merchant_id: number;
  /** The record that it reports, owned by the module of its kind. */
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
  /** The `webhook-id`; null for an event that no webhook reports, such as the creation of a fiat transaction. */
  webhook_id: string | null;
  /** Rising number in the merchant's event log; null until a pull assigns it. */
  position: Generated<number | null>;
}

export interface CallbackTable {
  id: Generated<number>;
  merchant_id: number;
  /** The record that it reports, owned by the module of its kind. */
  subject_kind: EventSubjectKind;
  subject_id: number;
  sequence: number;
  event_id: number;
  /** The `webhook-id`: the same at every attempt. */
  webhook_id: string;
  state: 'pending' | 'delivered' | 'failed';
  attempts_made: number;
  next_attempt_at: Instant;
  created_at: Instant;
  finished_at: Instant | null;
  /** 1 while an earlier webhook of its subject is pending: it is not due, whatever its time. */
  held: Generated<number>;
  /** The URL of a notice; null for the endpoint's URL at the time of the attempt. */
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

/** When a merchant's callback URL was replaced or removed. */
export interface CallbackUrlChangeTable {
  id: Generated<number>;
  merchant_id: number;
  previous_url: string | null;
  url: string | null;
  /** Since when `previous_url` was the callback URL. */
  held_from: Instant | null;
  /** `token 7`, `person 3`. */
  requested_by: string;
  created_at: Instant;
}

/** The endpoint of each merchant: where webhooks go, how they are signed, and its health. */
export interface WebhookEndpointTable {
  merchant_id: number;
  /** The preference `callback-url`, kept up to date by `watchCallbackUrl`; null while it is not set. */
  url: string | null;
  /** Standard Webhooks form, `whsec_…`, sealed where there is a sealing key. */
  secret: string;
  /** Signs beside the present one until its time is over. */
  previous_secret: string | null;
  previous_secret_until: Instant | null;
  /** The first failure since the last success; null for a healthy endpoint. */
  failing_since: Instant | null;
  failed_at: Instant | null;
  /** Since when the endpoint is disabled. */
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
