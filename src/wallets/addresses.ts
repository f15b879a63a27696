import { db } from './schema.ts';
import { sql } from 'kysely';
import type { ChainName, CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { WalletsContext } from './context.ts';
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

/** Where something may be sent, in its kept form; in words where it may not. */
export async function readAddress(
  { chains, database }: Pick<WalletsContext, 'chains' | 'database'>,
  code: CryptoCurrencyCode,
  text: string,
): Promise<{ address: string } | { problem: string }> {
  const connected = chains.ofCurrency(code);
  if (!connected)
    return { problem: `is for ${code}, which is not set up here; possible: ${chains.currencies.join(', ') || 'none'}` };
  const { addresses } = connected.chain;
  const address = addresses.normalise(text);
  if (address === null) {
    const mismatch = addresses.mismatch?.(text) ?? null;
    return { problem: mismatch ?? `must be an address to which ${code} can be sent on ${addresses.form}` };
  }
  if ((await findAddresses(database, connected.name, [address])).size > 0)
    return { problem: 'is an address of this service, from which money is to be withdrawn' };
  return { address };
}

/** Every address of a chain that was issued, is watched ahead, or was skipped. */
export async function readAllAddresses(on: Runner, chain: ChainName): Promise<Set<string>> {
  const addresses = new Set<string>();
  for (const table of ['wallets', 'unissued_addresses'] as const) {
    const rows = await db(on).selectFrom(table).select('address').where('chain', '=', chain).execute();
    for (const { address } of rows) addresses.add(address);
  }
  return addresses;
}
