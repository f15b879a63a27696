import { sql } from 'kysely';
import { ACCOUNTS_JOB, credentialsName } from '../acquirers/account-store.ts';
import { secondFactorKey, secondFactorName } from '../auth/second-factor.ts';
import { insertBatch } from '../backup/restore.ts';
import type { UnitOfWork } from '../database/database.ts';
import { engineOf, type Runner } from '../database/engine.ts';
import { wakeJob } from '../jobs/runner.ts';
import { mailContentKey, mailContentName } from '../mail/outbox.ts';
import type { TableSchema } from '../migrations/describe-tables.ts';
import type { Instant } from '../shared/time.ts';
import { OperatorError } from '../system/operator-error.ts';
import type { Random } from '../system/random.ts';
import { seal, sealingKeyId, type SealingKey, unseal } from '../system/sealed.ts';
import type { Environment } from '../system/settings.ts';
import { webhookSecretName } from '../webhooks/secrets.ts';
import { Digest, readRows, type Row } from './rows.ts';
import { belongsTo, movedTables } from './tables.ts';

export interface CellKeys {
  /** The same in all cells: it signs page tokens and webhooks, and hashes idempotency keys. */
  serviceKey: Uint8Array;
  sealingKeys: readonly SealingKey[];
}

export interface Arrival {
  merchantId: number;
  environment: Environment;
  tables: readonly TableSchema[];
  /** Reads the stored rows of a table, page by page. */
  read: (table: string) => AsyncIterable<Row[]>;
  from: CellKeys;
  to: CellKeys;
  random: Random;
  now: Instant;
  /** Email addresses of members whose accounts in both cells are known to be theirs. */
  sameUsers: ReadonlySet<string>;
}

type Fields = Record<string, Row[number]>;

/** Writes a merchant's rows to the database of its new cell, and verifies them by reading them again. */
export async function insertMerchant(unit: UnitOfWork, arrival: Arrival): Promise<void> {
  const { tables, merchantId } = arrival;
  const userIds = await insertUsers(unit, arrival);
  for (const table of movedTables(tables)) {
    const written = new Digest();
    for await (const rows of arrival.read(table.name)) {
      const adapted = rows.map((row) => changeRow(table, row, (fields) => adapt(table.name, fields, arrival, userIds)));
      written.add(table.name, adapted);
      await insertRows(unit, table, adapted);
    }
    const found = new Digest();
    for await (const rows of readRows(unit, table, belongsTo(merchantId, table.name))) found.add(table.name, rows);
    if (found.count !== written.count || found.value !== written.value)
      throw new OperatorError(
        `The rows of ${table.name} were not written as they were read (${found.count} of ${written.count}).`,
      );
  }
  wakeJob(unit, ACCOUNTS_JOB);
}

export async function insertRows(unit: UnitOfWork, table: TableSchema, rows: readonly Row[]): Promise<void> {
  const columns = table.columns.map(({ name }) => name);
  if (rows.length > 0) await insertBatch(unit.query, engineOf(unit), table, columns, JSON.stringify(rows));
}

function changeRow({ columns }: TableSchema, row: Row, change: (fields: Fields) => Fields): Row {
  const fields = change(Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null])));
  return columns.map(({ name }) => fields[name] ?? null);
}

/** Seals secrets for the new cell, and replaces the IDs of users that already exist there. */
function adapt(table: string, fields: Fields, arrival: Arrival, userIds: ReadonlyMap<number, number>): Fields {
  const changed = { ...fields };
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'person_id' && typeof value === 'number') changed[name] = userIds.get(value) ?? value;
    const [, user] = (name.endsWith('_by') && /^person (\d+)$/.exec(String(value))) || [];
    if (user !== undefined) changed[name] = `person ${userIds.get(Number(user)) ?? user}`;
  }
  const { reseal } = createResealer(arrival);
  if (table === 'webhook_endpoints') {
    const name = webhookSecretName({ merchant_id: Number(fields['merchant_id']), number: Number(fields['number']) });
    for (const column of ['secret', 'previous_secret']) changed[column] = reseal(fields[column], name);
  }
  if (table === 'acquirer_accounts') {
    const sealed = reseal(fields['credentials'], credentialsName(String(fields['account_key'])));
    if (arrival.environment === 'production' && sealingKeyId(String(sealed)) === null)
      throw new OperatorError('Acquirer credentials are stored sealed: set SEALING_KEY in the other cell first.');
    // Newer than every version that the new cell's processes have loaded, so that they reload the account.
    Object.assign(changed, {
      credentials: sealed,
      updated_at: Math.max(arrival.now, Number(fields['updated_at']) + 1),
    });
  }
  if (table === 'mails')
    changed['content'] = reseal(fields['content'], mailContentName(String(fields['message_id'])), mailContentKey);
  return changed;
}

function createResealer({ from, to, random }: Arrival) {
  return {
    /** `derive` returns the key for secrets that are sealed even if no sealing key is configured. */
    reseal(value: Row[number] | undefined, name: string, derive?: (serviceKey: Uint8Array) => SealingKey): Row[number] {
      if (value === null || value === undefined || value === '') return value ?? null;
      const text = String(value);
      const keys = [...from.sealingKeys, ...(derive ? [derive(from.serviceKey)] : [])];
      const opened = sealingKeyId(text) === null ? Buffer.from(text) : unseal(keys, name, text);
      const key = to.sealingKeys[0] ?? derive?.(to.serviceKey);
      return key ? seal(key, name, opened, random) : Buffer.from(opened).toString();
    },
  };
}

/**
 * Adds the users that do not exist in this cell yet; returns each user's ID in this cell. Members keep their
 * credentials. Others, such as former members and the other cell's managers, get no access: they are only named in the
 * audit log.
 */
async function insertUsers(unit: UnitOfWork, arrival: Arrival): Promise<Map<number, number>> {
  const { reseal } = createResealer(arrival);
  const tableOf = (name: string) => {
    const table = arrival.tables.find((each) => each.name === name);
    if (!table) throw new Error(`The table ${name} is missing`);
    return table;
  };
  const memberships = tableOf('memberships').columns.findIndex(({ name }) => name === 'person_id');
  const members = new Set<unknown>();
  for await (const rows of arrival.read('memberships')) for (const row of rows) members.add(row[memberships]);

  const ids = new Map<number, number>();
  const added = new Set<unknown>();
  const people = tableOf('people');
  for await (const rows of arrival.read('people'))
    for (const row of rows) {
      const newRow = changeRow(people, row, (fields) => {
        const factor = (column: string) =>
          reseal(fields[column], secondFactorName(Number(fields['id'])), secondFactorKey);
        const credentials = members.has(fields['id'])
          ? { second_factor: factor('second_factor'), new_second_factor: factor('new_second_factor') }
          : { password_hash: null, second_factor: null, new_second_factor: null };
        return { ...fields, ...credentials, is_manager: 0 };
      });
      const [id, email] = ['id', 'email'].map((name) => row[people.columns.findIndex((each) => each.name === name)]);
      const user = { id: Number(id), email: String(email) };
      const knownId = await findUser(unit, user);
      if (members.has(id)) requireSameUser(user, knownId, arrival.sameUsers);
      ids.set(user.id, knownId ?? user.id);
      if (knownId === undefined) await insertRows(unit, people, [newRow]);
      else if (knownId !== user.id || !members.has(id) || !(await addCredentials(unit, people, newRow))) continue;
      added.add(id);
    }
  for (const name of ['passkeys', 'recovery_codes', 'mail_opt_outs']) {
    const table = tableOf(name);
    const owner = table.columns.findIndex((column) => column.name === 'person_id');
    for await (const rows of arrival.read(name))
      await insertRows(
        unit,
        table,
        rows.filter((row) => added.has(row[owner])),
      );
  }
  return ids;
}

/**
 * Adds the credentials of a user whom an earlier move copied only as a name. Returns false for other users: a member
 * without credentials was reset here, and the former ones must not return.
 */
async function addCredentials(unit: UnitOfWork, { columns }: TableSchema, row: Row): Promise<boolean> {
  const credentials = ['password_hash', 'second_factor', 'second_factor_step', 'new_second_factor'];
  const valueOf = (name: string) => row[columns.findIndex((column) => column.name === name)];
  const { numAffectedRows } = await sql`
    update people set ${sql.join(credentials.map((name) => sql`${sql.ref(name)} = ${valueOf(name)}`))}
    where id = ${valueOf('id')} and password_hash is null and is_manager = 0
      and not exists (select 1 from passkeys where person_id = people.id)
      and not exists (select 1 from memberships where person_id = people.id)`.execute(unit.query);
  return numAffectedRows === 1n;
}

interface User {
  id: number;
  email: string;
}

/** The user's ID in a cell; undefined if they do not exist there. */
async function findUser(reader: Runner, { id, email }: User): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select id from people where id = ${id} or email = ${email}
    order by case when id = ${id} then 0 else 1 end limit 1`.execute(reader.query);
  return rows[0]?.id;
}

/** An email address alone proves nothing: an inviter sees the link, and can create an account with any address. */
function requireSameUser({ id, email }: User, knownId: number | undefined, sameUsers: ReadonlySet<string>): void {
  if (knownId === undefined || knownId === id || sameUsers.has(email)) return;
  throw new OperatorError(
    `The other cell has another account with the email address of the member ${email}, which would get access to the merchant. Ask the member whether it is theirs. If it is, add: --same-user ${email}`,
  );
}

/** Throws if a member's email address belongs to another account in the other cell. */
export async function requireSameUsers(
  source: Runner,
  target: Runner,
  { merchantId, sameUsers }: { merchantId: number; sameUsers: ReadonlySet<string> },
): Promise<void> {
  const { rows } = await sql<User>`select id, email from people
    where id in (select person_id from memberships where merchant_id = ${merchantId}) order by id`.execute(
    source.query,
  );
  for (const user of rows) requireSameUser(user, await findUser(target, user), sameUsers);
}
