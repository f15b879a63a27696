import type { Instant } from '../shared/time.ts';
import { tablesOf } from '../database/tables-of.ts';

/** A request that its sender may repeat without its being done twice. */
export interface IdempotencyKeyTable {
  merchant_id: number;
  /** Whose key it is: an access token, or the page of a transaction. */
  identity: string;
  operation: string;
  /** Keyed hash of the caller, the operation and the key. */
  key: string;
  /** Keyed hash of the request, without what must not be kept. */
  request_digest: string;
  /** While it is worked on: until when nobody else may; null when it is answered. */
  held_until: Instant | null;
  status: number | null;
  /** JSON. */
  answer: string | null;
  created_at: Instant;
}

export interface OperationsTables {
  idempotency_keys: IdempotencyKeyTable;
}

export const { db, statement, lists } = tablesOf<OperationsTables>();
