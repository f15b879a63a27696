import type { Runner } from '../database/engine.ts';
import { userInfo } from 'node:os';
import { writeAuditEntry } from '../audit/audit-log.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { Clock } from '../system/clock.ts';

/** A change made on the command line; `merchantId` is null for managers of the service. */
export interface AuditedChange {
  merchantId: number | null;
  action: string;
  subject: string;
  before?: unknown;
  after?: unknown;
}

/** Records a change in the audit log, in the same unit of work if there is one. */
export async function recordChange(
  runner: UnitOfWork | Runner,
  clock: Clock,
  { merchantId, action, subject, before = null, after = null }: AuditedChange,
): Promise<void> {
  const unknown = { userId: null, address: '', userAgent: '', requestId: '' };
  const entry = { actor: currentActor(), merchantId, action, subject, before, after, outcome: 'done', at: clock.now() };
  await writeAuditEntry(runner, { ...unknown, ...entry });
}

function currentActor(): string {
  try {
    return `command line (${process.env.SUDO_USER ?? userInfo().username})`;
  } catch {
    // A container's user may have no name.
    return 'command line';
  }
}
