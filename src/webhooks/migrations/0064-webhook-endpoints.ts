import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Engine } from '../../database/engine.ts';

/**
 * Moves each merchant's webhook endpoint into one table: URL, signing secrets and health. The preference `callback-url`
 * remains the setting. A healthy endpoint has no `failing_since`.
 */
export function webhookEndpoints(engine: Engine): Migration {
  const url = engine === 'postgres' ? `(setting.value::json #>> '{}')` : `json_extract(setting.value, '$')`;
  const statements = [
    `create table webhook_endpoints (
      merchant_id bigint primary key references merchants (id),
      url text,
      secret text not null,
      previous_secret text,
      previous_secret_until bigint,
      failing_since bigint,
      failed_at bigint,
      off_at bigint,
      off_reason text check (off_reason in ('gone', 'no_success'))
    )`,
    `insert into webhook_endpoints
      select merchants.id, ${url}, merchants.callback_secret, merchants.previous_callback_secret,
        merchants.previous_callback_secret_until, receiver.failing_since, receiver.failed_at, receiver.off_at,
        receiver.off_reason
      from merchants
      left join preferences as setting on setting.merchant_id = merchants.id and setting.key = 'callback-url'
      left join callback_receivers as receiver on receiver.merchant_id = merchants.id`,
    'drop table callback_receivers',
    'alter table merchants drop column callback_secret',
    'alter table merchants drop column previous_callback_secret',
    'alter table merchants drop column previous_callback_secret_until',
  ];
  return {
    async up(query: Kysely<unknown>) {
      for (const statement of statements) await sql.raw(statement).execute(query);
    },
  };
}
