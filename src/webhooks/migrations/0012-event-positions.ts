import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Engine } from '../../database/engine.ts';

/**
 * Positions in a merchant's event log are assigned on reading, to committed events. No event appears before a position
 * that a client has read, and no running unit of work delays an event.
 */
export function eventPositions(engine: Engine): Migration {
  const statements = [
    'drop index events_log',
    ...(engine === 'postgres' ? ['alter table events alter column unit_number drop default'] : []),
    'alter table events drop column unit_number',
    'alter table events add column position bigint',
    'create unique index events_log on events (merchant_id, position) where position is not null',
    'create index events_unplaced on events (merchant_id, id) where position is null and webhook_id is not null',
  ];
  return {
    async up(query: Kysely<unknown>) {
      for (const statement of statements) await sql.raw(statement).execute(query);
    },
  };
}
