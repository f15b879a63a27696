import type { Generated } from 'kysely';
import type { Instant } from '../shared/time.ts';
import { tablesOf } from '../database/tables-of.ts';

/** An action, completed or rejected. */
interface AuditEntryTable {
  id: Generated<number>;
  /** Null if the action concerns no merchant. */
  merchant_id: number | null;
  /** Null if the user is unknown, such as after a wrong email address. */
  person_id: number | null;
  /** `token 12` or `command line (alice)`; null for users. */
  actor: string | null;
  action: string;
  subject: string | null;
  /** JSON. */
  before: string | null;
  after: string | null;
  /** `started`, then `done` or a problem code. */
  outcome: string;
  address: string;
  user_agent: string;
  request_id: string;
  at: Instant;
}

export interface AuditTables {
  audit_entries: AuditEntryTable;
}

export const { db } = tablesOf<AuditTables>();
