import { db } from './schema.ts';
import { sql } from 'kysely';
import { type ChainName, chainNames, type CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { WalletsContext } from './context.ts';
import { engineOf, type Runner } from '../database/engine.ts';

/** Returns the wallet IDs of those addresses that belong to wallets. */
export async function findWalletIdsByAddress(
  reader: Runner,
  chain: ChainName,
  addresses: readonly string[],
): Promise<Map<string, number>> {
  if (addresses.length === 0) return new Map();
  // A subquery per address uses the index in any case. A join reads all wallets on SQLite, and on PostgreSQL while its
  // statistics are older than many new wallets.
  const { rows } = await sql<{ id: number; address: string }>`
    select id, address from (
      select given.value as address, (
        select wallets.id from wallets where wallets.chain = ${chain} and wallets.address = given.value
      ) as id from ${valuesTable(reader, addresses)}
    ) as found where id is not null`.execute(db(reader));
  return new Map(rows.map(({ id, address }) => [address, id]));
}

/** SQL for a table `given` with the column `value`. */
export function valuesTable(reader: Runner, values: readonly string[]) {
  const list = JSON.stringify(values);
  return engineOf(reader) === 'postgres'
    ? sql`json_array_elements_text(${list}::json) as given (value)`
    : sql`json_each(${list}) as given`;
}

/** The problem of a currency that is not set up. */
export function currencyProblem({ currencies }: WalletsContext['chains'], code: CryptoCurrencyCode): string {
  return `is for ${code}, which is not set up; available: ${currencies.join(', ') || 'none'}`;
}

/** The forms in which a given address may be stored: normalized for each chain that has such addresses. */
export function storedForms({ all }: WalletsContext['chains'], text: string): string[] {
  return [text, ...all.flatMap(({ chain }) => chain.addresses.normalize(text) ?? [])];
}

/** Parses a payout address: returns its normalized form, or the problem as a sentence without its subject. */
export async function parsePayoutAddress(
  { chains, database }: Pick<WalletsContext, 'chains' | 'database'>,
  code: CryptoCurrencyCode,
  text: string,
): Promise<{ address: string } | { problem: string }> {
  const connected = chains.forCurrency(code);
  if (!connected) return { problem: currencyProblem(chains, code) };
  const { addresses } = connected.chain;
  const address = addresses.normalize(text);
  if (address === null) {
    const mismatch = addresses.explainMismatch?.(text) ?? null;
    return { problem: mismatch ?? `must be an address that can receive ${code} on ${addresses.formatHint}` };
  }
  if (await isDepositAddress(database, address))
    return { problem: 'is a deposit address of this service; use an address outside it' };
  const unspendable = addresses.explainUnspendable?.(address) ?? null;
  if (unspendable !== null) return { problem: `${unspendable}; use an address of your own wallet` };
  const spender = await connected.spender();
  if (spender.kind === 'account' && spender.gasWallet.address === address)
    return { problem: 'is the gas wallet of this service; use an address of your own wallet' };
  return { address };
}

/** True for addresses of any chain, issued or not yet: an address of one chain can be valid on another. */
async function isDepositAddress(reader: Runner, address: string): Promise<boolean> {
  for (const table of ['wallets', 'unissued_addresses'] as const) {
    const found = await db(reader)
      .selectFrom(table)
      .select('chain')
      .where('chain', 'in', chainNames)
      .where('address', '=', address)
      .limit(1)
      .executeTakeFirst();
    if (found) return true;
  }
  return false;
}

/** Every issued, pre-derived or skipped address of a chain. */
export async function readAllAddresses(reader: Runner, chain: ChainName): Promise<Set<string>> {
  const addresses = new Set<string>();
  for (const table of ['wallets', 'unissued_addresses'] as const) {
    const rows = await db(reader).selectFrom(table).select('address').where('chain', '=', chain).execute();
    for (const { address } of rows) addresses.add(address);
  }
  return addresses;
}
