import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Engine } from '../../database/engine.ts';

/** Former columns that referenced a subject, and its kind. */
const kinds = {
  fiat_transaction_id: 'fiat_transaction',
  crypto_transaction_id: 'crypto_transaction',
  withdrawal_id: 'withdrawal',
  withdrawal_destination_id: 'withdrawal_destination',
  callback_url_change_id: 'callback_url_change',
};
const columns = Object.keys(kinds);
const kind = `case ${Object.entries(kinds)
  .map(([column, name]) => `when ${column} is not null then '${name}'`)
  .join(' ')} end`;
const id = `coalesce(${columns.join(', ')})`;

/** Events and webhooks reference their subject by kind and ID, without foreign keys to tables of other modules. */
export function eventSubjects(engine: Engine): Migration {
  return {
    async up(query: Kysely<unknown>) {
      const tables = engine === 'postgres' ? ['events', 'callbacks'].flatMap(changeOnPostgres) : rebuildOnSqlite;
      for (const statement of [...tables, ...indexes]) await sql.raw(statement).execute(query);
    },
  };
}

const indexes = [
  'create unique index events_subject on events (merchant_id, subject_kind, subject_id, sequence)',
  // One event may have several notices, each with its own URL.
  `create unique index callbacks_subject on callbacks (merchant_id, subject_kind, subject_id, sequence)
    where url is null`,
];

/** Drops indexes before the update, so that they are not maintained during it. Foreign keys go with their columns. */
function changeOnPostgres(table: string): string[] {
  return [
    `alter table ${table} add column subject_kind text`,
    `alter table ${table} add column subject_id bigint`,
    ...(indexesOf[table] ?? []).map((name) => `drop index ${name}`),
    `update ${table} set subject_kind = ${kind}, subject_id = ${id}`,
    `alter table ${table} alter column subject_kind set not null`,
    `alter table ${table} alter column subject_id set not null`,
    ...columns.map((column) => `alter table ${table} drop column ${column}`),
  ];
}

const indexesOf: Record<string, string[]> = {
  events: [
    ...['events_sequence', 'events_crypto_sequence', 'events_withdrawal_sequence'],
    ...['events_withdrawal_destination_sequence', 'events_callback_url_change_sequence'],
  ],
  callbacks: ['callbacks_order', 'callbacks_crypto_order', 'callbacks_withdrawal_order'],
};

/** SQLite cannot drop a column with a foreign key: the tables are rebuilt, and the table that references them. */
const rebuildOnSqlite = [
  `create table new_events (
    id integer primary key autoincrement,
    merchant_id bigint not null references merchants (id),
    subject_kind text not null,
    subject_id bigint not null,
    sequence bigint not null,
    type text not null,
    at bigint not null,
    status text not null,
    previous_status text,
    detail text,
    data text not null,
    webhook_id text,
    position bigint
  )`,
  `create table new_callbacks (
    id integer primary key autoincrement,
    merchant_id bigint not null references merchants (id),
    subject_kind text not null,
    subject_id bigint not null,
    sequence bigint not null,
    event_id bigint not null references new_events (id),
    webhook_id text not null unique,
    state text not null check (state in ('pending', 'delivered', 'failed')),
    attempts_made bigint not null,
    next_attempt_at bigint not null,
    created_at bigint not null,
    finished_at bigint,
    held bigint not null default 0,
    url text
  )`,
  `create table new_callback_attempts (
    id integer primary key autoincrement,
    merchant_id bigint not null references merchants (id),
    callback_id bigint not null references new_callbacks (id),
    number bigint not null,
    url text not null,
    at bigint not null,
    duration_ms bigint not null,
    status_code bigint,
    error text,
    answer text
  )`,
  `insert into new_events select id, merchant_id, ${kind}, ${id}, sequence, type, at, status, previous_status, detail,
    data, webhook_id, position from events`,
  `insert into new_callbacks select id, merchant_id, ${kind}, ${id}, sequence, event_id, webhook_id, state,
    attempts_made, next_attempt_at, created_at, finished_at, held, url from callbacks`,
  `insert into new_callback_attempts select id, merchant_id, callback_id, number, url, at, duration_ms, status_code,
    error, answer from callback_attempts`,
  'drop table callback_attempts',
  'drop table callbacks',
  'drop table events',
  'alter table new_events rename to events',
  'alter table new_callbacks rename to callbacks',
  'alter table new_callback_attempts rename to callback_attempts',
  'create unique index events_log on events (merchant_id, position) where position is not null',
  'create index events_unplaced on events (merchant_id, id) where position is null and webhook_id is not null',
  'create index callbacks_newest on callbacks (merchant_id, id)',
  `create index callbacks_failed on callbacks (merchant_id, id) where state = 'failed'`,
  `create index callbacks_pending on callbacks (merchant_id, id) where state = 'pending'`,
  `create index callbacks_due on callbacks (merchant_id, next_attempt_at)
    where state = 'pending' and held = 0 and url is null`,
  `create index callbacks_notices_due on callbacks (merchant_id, next_attempt_at)
    where state = 'pending' and held = 0 and url is not null`,
  'create index callback_attempts_callback on callback_attempts (merchant_id, callback_id, number)',
];
