import type { QueryCreator } from 'kysely';
import type { EventSubjectKind } from '../api/webhook-events.ts';
import type { Runner } from '../database/engine.ts';
import { lockRows, type UnitOfWork } from '../database/database.ts';
import type { tablesOf } from '../database/tables-of.ts';

/** The record that an event reports. Events and webhooks are ordered within a subject. */
export interface EventSubject {
  kind: EventSubjectKind;
  id: number;
}

/** Access to the subjects of one kind, provided by their module. */
export interface SubjectOwner {
  /** Locks a subject for the unit of work. */
  lock(unit: UnitOfWork, merchantId: number, id: number): Promise<void>;
  /** Finds subjects by a reference, the merchant's or ours. */
  findByReference(reader: Runner, merchantId: number, reference: string): Promise<number[]>;
  /** Reads the references that merchants see, by ID. */
  readReferences(reader: Runner, merchantId: number, ids: readonly number[]): Promise<Map<number, string>>;
}

/** Subject owners by kind. */
export type EventSubjects = Readonly<Record<EventSubjectKind, SubjectOwner>>;

/** Queries of a module's tables. */
type Queries<Tables> = Pick<ReturnType<typeof tablesOf<Tables>>, 'db' | 'statement'>;
/** Any table of subjects. */
type SubjectTables = Record<'subjects', { id: number; merchant_id: number; reference: string | null }>;

/**
 * Access to subjects that are rows of a table. Merchants find them by each of the columns `findBy`, which have an index,
 * and see the first of `shownAs` that is not null.
 */
export function rowSubject<Own, Table extends keyof Own & string>(
  queries: Queries<Own>,
  table: Table,
  {
    findBy,
    shownAs = findBy,
  }: { findBy: readonly (keyof Own[Table] & string)[]; shownAs?: readonly (keyof Own[Table] & string)[] },
): SubjectOwner {
  // The callers' types have checked the names; the compiler cannot infer the table here.
  const { db, statement } = queries as unknown as Queries<SubjectTables>;
  const selectIds = (query: QueryCreator<SubjectTables>, merchantId: number) =>
    query
      .selectFrom(table as 'subjects')
      .select('id')
      .where('merchant_id', '=', merchantId);
  const lockById = statement((query, { merchantId, id }: { merchantId: number; id: number }, runner) =>
    lockRows(runner, selectIds(query, merchantId).where('id', '=', id)),
  );
  return {
    async lock(unit, merchantId, id) {
      await lockById(unit, { merchantId, id });
    },
    async findByReference(reader, merchantId, reference) {
      const [first, ...others] = findBy.map((column) =>
        selectIds(db(reader), merchantId).where(column as 'reference', '=', reference),
      );
      if (!first) return [];
      const rows = await others.reduce((all, each) => all.unionAll(each), first).execute();
      return rows.map(({ id }) => id);
    },
    async readReferences(reader, merchantId, ids) {
      const rows = await selectIds(db(reader), merchantId)
        .select(shownAs as readonly 'reference'[])
        .where('id', 'in', ids)
        .execute();
      const shown = (row: Record<string, string | number | null>) =>
        shownAs.map((column) => row[column]).find((each) => each !== null);
      return new Map(rows.map((row) => [row.id, String(shown(row) ?? '')]));
    },
  };
}
