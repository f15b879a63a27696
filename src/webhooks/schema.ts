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
  /** JSON: what GET answered at that moment. */
  data: string;
  /** The `webhook-id` of its callback; null for what no callback tells, the creation. */
  webhook_id: string | null;
  /** Its place in what the merchant pulls, a rising number; null until it is given one by a pull. */
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
  /** 1 while an earlier one of its transaction is pending: it is not due, whatever its time. */
  held: Generated<number>;
  /** The URL of a notice, whatever the callback URL is; null for the present callback URL. */
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
  /** The beginning of what the receiver answered. */
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

export interface CallbackReceiverTable {
  merchant_id: number;
  failing_since: Instant;
  failed_at: Instant;
  off_at: Instant | null;
  off_reason: 'gone' | 'no_success' | null;
}

export interface WebhookTables {
  events: EventTable;
  callbacks: CallbackTable;
  callback_attempts: CallbackAttemptTable;
  callback_url_changes: CallbackUrlChangeTable;
  callback_receivers: CallbackReceiverTable;
}

/** Tables of other modules that deliveries and the list of callbacks still read. */
interface ReadTables {
  merchants: {
    id: number;
    callback_secret: string;
    previous_callback_secret: string | null;
    previous_callback_secret_until: Instant | null;
  };
  preferences: { merchant_id: number; key: string; value: string };
}

export const { db, statement, lists } = tablesOf<WebhookTables & ReadTables>();
