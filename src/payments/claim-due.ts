import type { Selectable } from 'kysely';
import { type Instant, MINUTE } from '../contract/time.ts';
import { claimRows } from '../platform/database/database.ts';
import type { Tables } from '../platform/database/tables.ts';
import type { PaymentsContext } from './context.ts';

const BATCH = 20;
/** What a process took that died is taken up again after this long. */
const CLAIM: Instant = MINUTE;

/** Tables of what a provider is asked about at `next_check_at`. */
type Asked = 'card_attempts' | 'payment_instructions' | 'refunds';

/** Takes some of what a provider has to be asked about by now, so that no other process asks meanwhile. */
export async function claimDue<Table extends Asked>(
  { database, clock }: PaymentsContext,
  table: Table,
): Promise<Selectable<Tables[Table]>[]> {
  const now = clock.now();
  // The columns that are named here are the same in all; which it is, the compiler cannot follow.
  const name = table as 'card_attempts';
  return await database.inUnit(async (unit) => {
    const due = unit.query
      .selectFrom(name)
      .selectAll()
      .where('next_check_at', '<=', now)
      .orderBy('next_check_at')
      .limit(BATCH);
    const rows = await claimRows(unit, due).execute();
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    await unit.query
      .updateTable(name)
      .set({ next_check_at: now + CLAIM })
      .where('id', 'in', ids)
      .execute();
    return rows as unknown as Selectable<Tables[Table]>[];
  });
}
