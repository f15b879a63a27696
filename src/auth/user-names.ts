import type { Runner } from '../database/engine.ts';
import { db } from './schema.ts';

/** What people are called now who stand in something as `person 3`, by that; tokens have no name here. */
export type PeopleNames = ReadonlyMap<string, string>;

/**
 * For answers to whoever may read what stands there. What is sent out by itself, in callbacks and events, goes
 * without: a receiver learns that it was `person 3`, and not what the merchant's staff are called.
 */
export const noNames: PeopleNames = new Map();

export async function readNames(on: Runner, identities: readonly (string | null)[]): Promise<PeopleNames> {
  const ids = new Set<number>();
  for (const identity of identities) {
    const [, id] = /^person (\d{1,15})$/.exec(identity ?? '') ?? [];
    if (id !== undefined) ids.add(Number(id));
  }
  if (ids.size === 0) return noNames;
  const rows = await db(on)
    .selectFrom('people')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.flatMap(({ id, name }) => (name === '' ? [] : [[`person ${id}`, name] as const])));
}
