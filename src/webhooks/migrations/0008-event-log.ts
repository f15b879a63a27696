import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Engine } from '../../database/engine.ts';

/**
 * Adds `webhook_id`, and an order in which events can be read without missing one. IDs are assigned before units of work
 * commit, so that on PostgreSQL a lower ID may become visible later. The number of the unit shows which IDs can no
 * longer appear.
 */
export function eventLog(engine: Engine): Migration {
  const random = engine === 'sqlite' ? 'lower(hex(randomblob(16)))' : "replace(gen_random_uuid()::text, '-', '')";
  const statements = [
    'alter table events add column webhook_id text',
    'alter table events add column unit_number bigint not null default 0',
    ...(engine === 'postgres'
      ? ['alter table events alter column unit_number set default (pg_current_xact_id()::text::bigint)']
      : []),
    `update events set webhook_id = coalesce(
        (select callback.webhook_id from callbacks as callback where callback.event_id = events.id),
        'evt_' || ${random})
      where type <> 'fiat.transaction.created'`,
    'create index events_log on events (merchant_id, unit_number, id) where webhook_id is not null',
  ];
  return {
    async up(query: Kysely<unknown>) {
      for (const statement of statements) await sql.raw(statement).execute(query);
    },
  };
}
