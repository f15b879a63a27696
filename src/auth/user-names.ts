import type { Runner } from '../database/engine.ts';
import { db } from './schema.ts';

/** Current user names, keyed by identity, such as `person 3`. Tokens are not included. */
export type UserNames = ReadonlyMap<string, string>;

/**
 * For webhooks and events, which identify users only as `person 3`: endpoints do not learn the names of the
 * merchant's staff.
 */
export const noNames: UserNames = new Map();

export async function readUserNames(reader: Runner, identities: readonly (string | null)[]): Promise<UserNames> {
  const ids = new Set<number>();
  for (const identity of identities) {
    const [, id] = /^person (\d{1,16})$/.exec(identity ?? '') ?? [];
    if (id !== undefined) ids.add(Number(id));
  }
  if (ids.size === 0) return noNames;
  const rows = await db(reader)
    .selectFrom('people')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.flatMap(({ id, name }) => (name === '' ? [] : [[`person ${id}`, name] as const])));
}
