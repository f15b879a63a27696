import type { Generated } from 'kysely';
import type { Instant } from '../shared/time.ts';
import { tablesOf } from '../database/tables-of.ts';

/** What a person has done, or was not let do. */
export interface AuditEntryTable {
  id: Generated<number>;
  /** Null for what is about no merchant. */
  merchant_id: number | null;
  /** Null where nobody is known, such as after a wrong e-mail address. */
  person_id: number | null;
  /** `token 12` or `command line (alice)`; null for people. */
  actor: string | null;
  action: string;
  subject: string | null;
  /** JSON. */
  before: string | null;
  after: string | null;
  /** `begun` until it is known, then `done` or the code of the problem. */
  outcome: string;
  address: string;
  user_agent: string;
  request_id: string;
  at: Instant;
}

export interface AuditTables {
  audit_entries: AuditEntryTable;
}

export const { db, statement, lists } = tablesOf<AuditTables>();
