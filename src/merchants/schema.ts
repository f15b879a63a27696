import type { Generated } from 'kysely';
import type { Instant } from '../shared/time.ts';
import { tablesOf } from '../database/tables-of.ts';

export interface MerchantTable {
  id: Generated<number>;
  name: string;
  created_at: Instant;
}

export interface PreferenceTable {
  merchant_id: number;
  key: string;
  /** JSON. */
  value: string;
  created_at: Instant;
  updated_at: Instant;
  /** The caller, such as `token 7`; null for the command line, or if unknown. */
  updated_by: string | null;
}

export interface MerchantsTables {
  merchants: MerchantTable;
  preferences: PreferenceTable;
}

export const { db, statement, combinedStatement } = tablesOf<MerchantsTables>();
