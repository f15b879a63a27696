import { db } from './crypto-tables.ts';
import { sql } from 'kysely';
import type { ChainName } from '../shared/crypto-currency.ts';
import { engineOf, type Runner } from '../database/engine.ts';

/** Which of some addresses are wallets, and which; by the index, however many wallets there are. */
export async function findAddresses(
  on: Runner,
  chain: ChainName,
  addresses: readonly string[],
): Promise<Map<string, number>> {
  if (addresses.length === 0) return new Map();
  // SQLite keeps to the order of a cross join: from what is given into the index, never through all wallets.
  const { rows } = await sql<{ id: number; address: string }>`
    select wallets.id, wallets.address from ${asGiven(on, addresses)}
    cross join wallets where wallets.chain = ${chain} and wallets.address = given.value`.execute(db(on));
  return new Map(rows.map(({ id, address }) => [address, id]));
}

/** A list as the table `given` with the column `value`, to join with. */
export function asGiven(on: Runner, values: readonly string[]) {
  const list = JSON.stringify(values);
  return engineOf(on) === 'postgres'
    ? sql`json_array_elements_text(${list}::json) as given (value)`
    : sql`json_each(${list}) as given`;
}
