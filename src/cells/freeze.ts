import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, UnitOfWork } from '../database/database.ts';
import { engineOf } from '../database/engine.ts';
import { isDeadlock, isSchemaConflict } from '../database/errors.ts';
import { ACCOUNTS_JOB } from '../acquirers/account-store.ts';
import { movedTopic } from '../http/live-updates.ts';
import { wakeJob } from '../jobs/runner.ts';
import { derivedTables, type TableSchema } from '../migrations/describe-tables.ts';
import type { Instant } from '../shared/time.ts';
import { formatId } from '../system/cell.ts';
import { OperatorError } from '../system/operator-error.ts';
import { webhookKeyId } from '../webhooks/signing.ts';
import { Digest, readMovedRows, storeRows } from './rows.ts';
import { db } from './schema.ts';
import { belongsTo, movedTables, tableOwners } from './tables.ts';

/**
 * Takes a merchant out of service in one transaction: its rows move from their tables to `moved_rows`. No request and
 * no job can find or change them there, in any process or release. The effect is that of a process that stops between
 * two commits, from which every part of the service recovers: the other cell retries operations without an outcome.
 */
export async function freezeMerchant(
  unit: UnitOfWork,
  tables: readonly TableSchema[],
  {
    merchantId,
    moveId,
    from,
    cell,
    now,
  }: { merchantId: number; moveId: string; from: string; cell: string; now: Instant },
): Promise<void> {
  await lockMerchant(unit, merchantId);
  await requireNoWallets(unit, tables, merchantId);
  await requireNoSharedAccounts(unit, merchantId);
  await collectIds(unit, merchantId, from);
  await copyUsers(unit, tables, merchantId);
  for (const name of derivedTables)
    await sql`delete from ${sql.table(name)} where ${belongsTo(merchantId, name)}`.execute(unit.query);
  const digest = new Digest();
  for (const table of movedTables(tables).toReversed()) {
    await storeRows(unit, table, { merchantId, condition: belongsTo(merchantId, table.name) });
    for await (const rows of readMovedRows(unit, merchantId, table.name)) digest.add(table.name, rows);
  }
  await db(unit)
    .insertInto('merchant_moves')
    .values({
      ...{ merchant_id: merchantId, move_id: moveId, cell, state: 'frozen' },
      ...{ row_count: digest.count, digest: digest.value, started_at: now, finished_at: null },
    })
    .execute();
  wakeJob(unit, ACCOUNTS_JOB);
  unit.announce(movedTopic(merchantId));
}

/**
 * Waits for transactions that write new rows of the merchant, and blocks later ones: each row refers to the merchant or
 * its acquirer account. They fail once the merchant's row is deleted.
 */
async function lockMerchant(unit: UnitOfWork, merchantId: number): Promise<void> {
  const lock = engineOf(unit) === 'postgres' ? sql`for update` : sql``;
  const { rows } = await sql`select id from merchants where id = ${merchantId} ${lock}`.execute(unit.query);
  if (rows.length === 0) throw new OperatorError(`No merchant has the ID ${formatId(merchantId)}.`);
  await sql`select id from acquirer_accounts where merchant_id = ${merchantId} order by id ${lock}`.execute(unit.query);
}

/** Throws if the merchant has deposit addresses: this cell's accounts derive them and sign their withdrawals. */
async function requireNoWallets(unit: UnitOfWork, tables: readonly TableSchema[], merchantId: number): Promise<void> {
  const counts: string[] = [];
  for (const { name, columns } of tables) {
    if (tableOwners[name]?.owner !== 'wallet' || !columns.some((column) => column.name === 'merchant_id')) continue;
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(name)} where merchant_id = ${merchantId}`.execute(unit.query);
    const count = rows[0]?.count ?? 0;
    if (count > 0) counts.push(`${name}: ${count}`);
  }
  const { rows } = await sql<{ count: number }>`select count(*) as count from coin_payments where instructions_key in
    (select instructions_key from payment_instructions where merchant_id = ${merchantId})`.execute(unit.query);
  if ((rows[0]?.count ?? 0) > 0) counts.push(`coin_payments: ${rows[0]?.count}`);
  if (counts.length === 0) return;
  throw new OperatorError(
    `Merchant ${formatId(merchantId)} has received or requested crypto payments (${counts.join(', ')}). Its deposit addresses belong to the accounts of this cell, so it cannot be moved. Nothing was changed. Leave it here and move other merchants, or create a new merchant in the other cell.`,
  );
}

/** The acquirer reports payments of a shared account to the cell with its webhook URL. */
async function requireNoSharedAccounts(unit: UnitOfWork, merchantId: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select distinct name from acquirer_accounts
    where (merchant_id is null or merchant_id <> ${merchantId}) and (
      account_key in (select provider from card_attempts where merchant_id = ${merchantId})
      or account_key in (select account_key from card_authorizations where merchant_id = ${merchantId})
      or account_key in (select provider from payment_instructions where merchant_id = ${merchantId})
      or account_key in (select provider from refunds where merchant_id = ${merchantId})
      or account_key in (select account_key from disputes where merchant_id = ${merchantId})
    ) order by name`.execute(unit.query);
  if (rows.length === 0) return;
  throw new OperatorError(
    `Merchant ${formatId(merchantId)} has payments through acquirer accounts that it shares with other merchants (${rows.map(({ name }) => name).join(', ')}). The acquirer would report their refunds and disputes to this cell, so it cannot be moved. Nothing was changed.`,
  );
}

/** Stores the IDs by which a proxy finds the merchant's new cell. */
async function collectIds(unit: UnitOfWork, merchantId: number, cell: string): Promise<void> {
  const columns = [
    ...[
      { table: 'fiat_transactions', column: 'link_id' },
      { table: 'former_links', column: 'link_id' },
    ],
    ...[
      { table: 'reusable_links', column: 'public_id' },
      { table: 'access_tokens', column: 'hash' },
    ],
    ...[
      { table: 'oauth_clients', column: 'client_id' },
      { table: 'acquirer_accounts', column: 'account_key' },
    ],
    ...[
      { table: 'merchant_logos', column: 'hash' },
      { table: 'sandbox_charges', column: 'issuer_page_id' },
    ],
    { table: 'sandbox_push_payments', column: 'simulator_page_id' },
  ];
  for (const { table, column } of columns) {
    const isValid = ['access_tokens', 'oauth_clients'].includes(table) ? sql`and revoked_at is null` : sql``;
    await sql`insert into moved_ids (id, merchant_id)
      select ${sql.ref(column)}, cast(${merchantId} as bigint) from ${sql.table(table)}
      where ${belongsTo(merchantId, table)} ${isValid} and ${sql.ref(column)} is not null
      on conflict (id) do nothing`.execute(unit.query);
  }
  // Without a prefix it is a plain number, which the map could confuse with other parts of a path.
  if (cell !== '')
    await db(unit)
      .insertInto('moved_ids')
      .values({ id: webhookKeyId({ cell }, merchantId), merchant_id: merchantId })
      .execute();
}

/** Copies members with their credentials, and other users that the merchant's rows refer to. */
async function copyUsers(unit: UnitOfWork, tables: readonly TableSchema[], merchantId: number): Promise<void> {
  const members = sql`select person_id from memberships where merchant_id = ${merchantId}`;
  const all = sql`${members}
    union select person_id from audit_entries where merchant_id = ${merchantId}
    union select person_id from mails where merchant_id = ${merchantId}`;
  const conditions = [
    { name: 'people', condition: sql<boolean>`id in (${all})` },
    { name: 'passkeys', condition: sql<boolean>`person_id in (${members})` },
    { name: 'recovery_codes', condition: sql<boolean>`person_id in (${members})` },
    { name: 'mail_opt_outs', condition: sql<boolean>`person_id in (${members})` },
  ];
  for (const { name, condition } of conditions) {
    const table = tables.find((each) => each.name === name);
    if (!table) throw new Error(`The table ${name} is missing`);
    await storeRows(unit, table, { merchantId, condition, keep: true });
  }
}

const CONFLICT_RETRIES = 10;
const CONFLICT_PAUSE_MS = 100;

/** Repeats what PostgreSQL aborted because of a deadlock, or of another command that changes the same indexes. */
export async function retryConflict(run: () => Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt += 1)
    try {
      await run();
      return;
    } catch (error) {
      if (!(isDeadlock(error) || isSchemaConflict(error)) || attempt === CONFLICT_RETRIES) throw error;
      await pause(CONFLICT_PAUSE_MS);
    }
}

/**
 * Creates the indexes without which each deleted row would read whole tables, to check that nothing refers to it. They
 * are dropped after the move: no request needs them.
 */
export async function createMoveIndexes(database: Database, tables: readonly TableSchema[]): Promise<void> {
  const concurrently = database.engine === 'postgres' ? sql`concurrently` : sql``;
  await retryConflict(async () => {
    // Left by a killed command, or invalid after a conflict.
    await dropMoveIndexes(database, tables);
    for (const { name, table, column } of moveIndexes(tables))
      await sql`create index ${concurrently} if not exists ${sql.ref(name)} on ${sql.table(table)} (${sql.ref(column)})`.execute(
        database.query,
      );
  });
}

export async function dropMoveIndexes(database: Database, tables: readonly TableSchema[]): Promise<void> {
  const concurrently = database.engine === 'postgres' ? sql`concurrently` : sql``;
  await retryConflict(async () => {
    for (const { name } of moveIndexes(tables))
      await sql`drop index ${concurrently} if exists ${sql.ref(name)}`.execute(database.query);
  });
}

function moveIndexes(tables: readonly TableSchema[]): { name: string; table: string; column: string }[] {
  const moved = new Set(movedTables(tables).map(({ name }) => name));
  return tables.flatMap(({ name: table, references }) =>
    references
      .filter(({ table: referred }) => moved.has(referred) && referred !== 'merchants')
      .map(({ column }) => ({ name: `move_${table}_${column}`, table, column })),
  );
}
