import type { EventSubjectKind } from '../api/webhook-events.ts';
import type { Runner } from '../database/engine.ts';
import type { UnitOfWork } from '../database/database.ts';

/** The record that an event reports. Events and webhooks come in order within it. */
export interface EventSubject {
  kind: EventSubjectKind;
  id: number;
}

/** Access to the subjects of one kind, from the module that owns them. */
export interface SubjectOwner {
  /** Locks a subject until the unit of work ends. */
  lock(unit: UnitOfWork, merchantId: number, id: number): Promise<void>;
  /** The subjects that a merchant finds by a reference, its own or ours. */
  findByReference(on: Runner, merchantId: number, reference: string): Promise<number[]>;
  /** The reference that the merchant is shown, by ID. */
  readReferences(on: Runner, merchantId: number, ids: readonly number[]): Promise<Map<number, string>>;
}

/** The owners of all subjects. */
export type EventSubjects = Readonly<Record<EventSubjectKind, SubjectOwner>>;

/** References by ID, from rows. */
export function byId(rows: readonly { id: number; reference: string }[]): Map<number, string> {
  return new Map(rows.map(({ id, reference }) => [id, reference]));
}
