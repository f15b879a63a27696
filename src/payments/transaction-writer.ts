import { statement } from './schema.ts';
import type { Runner } from '../database/engine.ts';
import { type Selectable, sql } from 'kysely';
import type { Database, UnitOfWork } from '../database/database.ts';
import { type FirstEvent, insertFirstEvents, recordFirstEvent } from '../webhooks/record-event.ts';
import type { FiatTransactionTable } from './schema.ts';
import { gathered } from '../database/batch.ts';

export type NewTransaction = Omit<Selectable<FiatTransactionTable>, 'id'>;

/** Writes transactions, each with its first event; answers the number of each, or null when the merchant has one of the same reference. */
export interface TransactionWriter {
  /** In a unit of their own, together with what others ask for at the same time; durable when it answers. */
  insert(transaction: NewTransaction, event: FirstEvent): Promise<number | null>;
  insertIn(unit: UnitOfWork, transaction: NewTransaction, event: FirstEvent): Promise<number | null>;
}

interface TransactionWithEvent {
  transaction: NewTransaction;
  event: FirstEvent & { merchant_id: number };
}

export function createTransactionWriter(database: Database): TransactionWriter {
  const pairOf = (transaction: NewTransaction, event: FirstEvent): TransactionWithEvent => ({
    transaction,
    event: { ...event, merchant_id: transaction.merchant_id },
  });
  const write = gathered<TransactionWithEvent, number | null>(async (pairs) =>
    database.engine === 'postgres'
      ? await insertBatch(database, pairs)
      : await database.inUnit(async (unit) => await insertOneByOne(unit, pairs)),
  );
  return {
    insert: async (transaction, event) => await write(pairOf(transaction, event)),
    async insertIn(unit, transaction, event) {
      const [id = null] = await insertOneByOne(unit, [pairOf(transaction, event)]);
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

async function insertOneByOne(unit: Runner, pairs: readonly TransactionWithEvent[]): Promise<(number | null)[]> {
  const ids: (number | null)[] = [];
  for (const { transaction, event } of pairs) {
    const [made] = (await insertTransaction(unit, { transaction })).rows;
    if (made)
      await recordFirstEvent(unit, {
        merchantId: transaction.merchant_id,
        subject: { kind: 'fiat_transaction', id: made.id },
        event,
      });
    ids.push(made?.id ?? null);
  }
  return ids;
}

/** In one statement, which is a unit of its own and one round trip for all of them. */
async function insertBatch(database: Database, pairs: readonly TransactionWithEvent[]): Promise<(number | null)[]> {
  const [first] = pairs;
  if (!first) return [];
  batchStatement ??= createBatchStatement(first);
  const { rows } = await batchStatement(database, { pairs: JSON.stringify(pairs) });
  const byLink = new Map(rows.map((row) => [row.link_id, row.id]));
  return pairs.map(({ transaction }) => byLink.get(transaction.link_id) ?? null);
}

let batchStatement: ReturnType<typeof createBatchStatement> | undefined;

/** Writes pairs that have the columns of this one, as all have. */
function createBatchStatement(pair: TransactionWithEvent) {
  const ofTransaction = columnsOf(pair.transaction);
  return statement(
    (_query, { pairs }: { pairs: string }) => sql<{ id: number; link_id: string }>`
    with given as (
      select value -> 'transaction' as transaction, value -> 'event' as event
      from json_array_elements(${pairs}::json)
    ), made as (
      insert into fiat_transactions (${ofTransaction})
      select ${ofTransaction} from given, json_populate_record(null::fiat_transactions, given.transaction)
      on conflict (merchant_id, transaction_id) do nothing
      returning id, link_id
    ), told as (
      ${insertFirstEvents(
        'fiat_transaction',
        pair.event,
        sql`select made.id, given.event from given join made on made.link_id = given.transaction ->> 'link_id'`,
      )}
    )
    select id, link_id from made`,
  );
}

function columnsOf(row: object) {
  return sql.join(Object.keys(row).map((column) => sql.ref(column)));
}
