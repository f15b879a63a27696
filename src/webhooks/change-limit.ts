import type { SelectQueryBuilder } from 'kysely';
import { Problem } from '../api/problem-error.ts';
import type { ReachableLimit } from '../shared/limits.ts';

/**
 * Each change notifies every endpoint or the team: changes in a loop would flood the database, the mail queue, and URLs
 * of the caller's choice.
 */
const MAX_CHANGES_PER_HOUR = 60;

/**
 * Limits how often a merchant changes something: `changes` selects the changes of the last hour. Removing is not
 * limited: a merchant under attack must be able to remove the attacker's endpoints and destinations. The unit of work
 * must hold the merchant's lock.
 */
export async function enforceChangeLimit<DB, TB extends keyof DB, Row>(
  limit: ReachableLimit,
  name: string,
  changes: SelectQueryBuilder<DB, TB, Row>,
): Promise<void> {
  const { length } = await changes.limit(MAX_CHANGES_PER_HOUR).execute();
  if (length < MAX_CHANGES_PER_HOUR) return;
  const detail = `A merchant can change ${name} ${MAX_CHANGES_PER_HOUR} times per hour. Try again later.`;
  throw new Problem('rate_limited', detail, { headers: { 'Retry-After': '3600' }, limit });
}
