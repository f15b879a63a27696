import { statement } from './schema.ts';
import type { Runner } from '../database/engine.ts';
import { type Selectable, sql } from 'kysely';
import type { Database, UnitOfWork } from '../database/database.ts';
import { type FirstEvent, insertFirstEvents, recordFirstEvent } from '../webhooks/record-event.ts';
import type { FiatTransactionTable } from './schema.ts';
import { createBatcher } from '../database/batch.ts';

type NewTransaction = Omit<Selectable<FiatTransactionTable>, 'id'>;

/** Inserts transactions with their first events. Returns the ID; null when the merchant's reference already exists. */
export interface TransactionWriter {
  /** Inserts in a separate unit of work, batched with concurrent inserts. Durable when it returns. */
  insert(transaction: NewTransaction, event: FirstEvent): Promise<number | null>;
  /** Inserts in the caller's unit of work. */
  insertIn(unit: UnitOfWork, transaction: NewTransaction, event: FirstEvent): Promise<number | null>;
}

interface TransactionWithEvent {
  transaction: NewTransaction;
  event: FirstEvent & { merchant_id: number };
}

export function createTransactionWriter(database: Database): TransactionWriter {
  const withEvent = (transaction: NewTransaction, event: FirstEvent): TransactionWithEvent => ({
    transaction,
    event: { ...event, merchant_id: transaction.merchant_id },
  });
  const write = createBatcher<TransactionWithEvent, number | null>(async (entries) =>
    database.engine === 'postgres'
      ? await insertBatch(database, entries)
      : await database.inTransaction(async (unit) => await insertOneByOne(unit, entries)),
  );
  return {
    insert: async (transaction, event) => await write(withEvent(transaction, event)),
    async insertIn(unit, transaction, event) {
      const [id = null] = await insertOneByOne(unit, [withEvent(transaction, event)]);
      return id;
    },
  };
}

const insertTransaction = statement((query, { transaction }: Pick<TransactionWithEvent, 'transaction'>) =>
  query
    .insertInto('fiat_transactions')
    .values(transaction)
    .onConflict((conflict) => conflict.columns(['merchant_id', 'transaction_id']).doNothing())
    .returning('id'),
);

async function insertOneByOne(unit: Runner, entries: readonly TransactionWithEvent[]): Promise<(number | null)[]> {
  const ids: (number | null)[] = [];
  for (const { transaction, event } of entries) {
    const [inserted] = (await insertTransaction(unit, { transaction })).rows;
    if (inserted)
      await recordFirstEvent(unit, {
        merchantId: transaction.merchant_id,
        subject: { kind: 'fiat_transaction', id: inserted.id },
        event,
      });
    ids.push(inserted?.id ?? null);
  }
  return ids;
}

/** Inserts all entries with one statement: one round trip, and a separate unit of work. */
async function insertBatch(database: Database, entries: readonly TransactionWithEvent[]): Promise<(number | null)[]> {
  const [first] = entries;
  if (!first) return [];
  batchStatement ??= createBatchStatement(first);
  const { rows } = await batchStatement(database, { entries: JSON.stringify(entries) });
  const byLink = new Map(rows.map((row) => [row.link_id, row.id]));
  return entries.map(({ transaction }) => byLink.get(transaction.link_id) ?? null);
}

let batchStatement: ReturnType<typeof createBatchStatement> | undefined;

/** Creates the batch statement from the columns of one entry; all entries have the same columns. */
function createBatchStatement(entry: TransactionWithEvent) {
  const columns = columnsOf(entry.transaction);
  return statement(
    (_query, { entries }: { entries: string }) => sql<{ id: number; link_id: string }>`
    with input as (
      select value -> 'transaction' as transaction, value -> 'event' as event
      from json_array_elements(${entries}::json)
    ), inserted as (
      insert into fiat_transactions (${columns})
      select ${columns} from input, json_populate_record(null::fiat_transactions, input.transaction)
      on conflict (merchant_id, transaction_id) do nothing
      returning id, link_id
    ), recorded as (
      ${insertFirstEvents(
        'fiat_transaction',
        entry.event,
        sql`select inserted.id, input.event from input join inserted on inserted.link_id = input.transaction ->> 'link_id'`,
      )}
    )
    select id, link_id from inserted`,
  );
}

function columnsOf(row: object) {
  return sql.join(Object.keys(row).map((column) => sql.ref(column)));
}
