import type { Instant } from '../shared/time.ts';
import { tablesOf } from '../database/tables-of.ts';

interface MerchantMethodTable {
  merchant_id: number;
  payment_method: string;
  currency: string;
  fee_fix_minor: number;
  /** Millionths of the amount: 2.9% is 29,000. */
  fee_percent_millionths: number;
  created_at: Instant;
  /** Null while the method is enabled. */
  disabled_at: Instant | null;
}

export interface MethodTables {
  merchant_methods: MerchantMethodTable;
}

export const { db, statement } = tablesOf<MethodTables>();
