import type { Runner } from './engine.ts';
import { tablesOf } from './tables-of.ts';

interface ServiceKeyTable {
  name: string;
  value: string;
}

/** Properties of the whole installation, such as `environment`. */
interface InstallationTable {
  name: string;
  value: string;
}

export interface InstallationTables {
  service_keys: ServiceKeyTable;
  installation: InstallationTable;
}

export const { db } = tablesOf<InstallationTables>();

/** Reads a property of the installation; null if it is not set. */
export async function readProperty(reader: Runner, name: string): Promise<string | null> {
  const row = await db(reader).selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? null;
}

export async function setProperty(runner: Runner, name: string, value: string): Promise<void> {
  await db(runner)
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Sets a property unless it is set. */
export async function initProperty(runner: Runner, name: string, value: string): Promise<void> {
  await db(runner)
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

export async function deleteProperty(runner: Runner, name: string): Promise<void> {
  await db(runner).deleteFrom('installation').where('name', '=', name).execute();
}
