import type { Instant } from '../shared/time.ts';
import { tablesOf } from '../database/tables-of.ts';

/** The generic cell rate algorithm's one number for each name. */
export interface RateLimitTable {
  name: string;
  /** When all that came would have come evenly. */
  reached_at: Instant;
}

export interface HttpTables {
  rate_limits: RateLimitTable;
}

export const { db, statement, lists } = tablesOf<HttpTables>();
