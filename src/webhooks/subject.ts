import type { EventSubjectKind } from '../api/webhook-events.ts';
import type { Runner } from '../database/engine.ts';
import type { UnitOfWork } from '../database/database.ts';

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

/** Maps IDs to references. */
export function referencesById(rows: readonly { id: number; reference: string }[]): Map<number, string> {
  return new Map(rows.map(({ id, reference }) => [id, reference]));
}
