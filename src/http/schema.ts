import type { Instant } from '../shared/time.ts';
import { tablesOf } from '../database/tables-of.ts';

/** State of the generic cell rate algorithm, by key. */
interface RateLimitTable {
  name: string;
  /** Theoretical arrival time. */
  reached_at: Instant;
}

export interface HttpTables {
  rate_limits: RateLimitTable;
}

export const { db, statement } = tablesOf<HttpTables>();
