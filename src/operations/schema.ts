import type { Instant } from '../shared/time.ts';
import { tablesOf } from '../database/tables-of.ts';

/** A request with an `Idempotency-Key`. */
interface IdempotencyKeyTable {
  merchant_id: number;
  /** The caller: an access token, a user, or the page of a transaction. */
  identity: string;
  operation: string;
  /** Keyed hash of the caller, the operation and the key. */
  key: string;
  /** Keyed hash of the request, without the fields that must not be stored. */
  request_digest: string;
  /** Lock expiry of a request in progress; null once it has a response. */
  held_until: Instant | null;
  status: number | null;
  /** JSON. */
  answer: string | null;
  created_at: Instant;
}

export interface OperationsTables {
  idempotency_keys: IdempotencyKeyTable;
}

export const { db } = tablesOf<OperationsTables>();
