import type { Generated } from 'kysely';
import type { Instant } from '../shared/time.ts';
import { tablesOf } from '../database/tables-of.ts';

interface MerchantTable {
  id: Generated<number>;
  name: string;
  created_at: Instant;
}

interface PreferenceTable {
  merchant_id: number;
  key: string;
  /** JSON. */
  value: string;
  created_at: Instant;
  updated_at: Instant;
  /** The caller, such as `token 7`; null for the command line, or if unknown. */
  updated_by: string | null;
}

interface MerchantLogoTable {
  merchant_id: number;
  /** SHA-256 of the file, in hexadecimal. */
  hash: string;
  width: number;
  height: number;
  uploaded_at: Instant;
  /** The caller, such as `token 7`. */
  uploaded_by: string;
  /** The PNG file in Base64. */
  content: string;
}

export interface MerchantsTables {
  merchants: MerchantTable;
  merchant_logos: MerchantLogoTable;
  preferences: PreferenceTable;
}

export const { db, statement, combinedStatement } = tablesOf<MerchantsTables>();
