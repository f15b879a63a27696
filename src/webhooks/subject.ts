import type { EventSubjectKind } from '../api/webhook-events.ts';

/** The record that an event reports. Events and webhooks come in order within it. */
export interface EventSubject {
  kind: EventSubjectKind;
  id: number;
}

const columns = {
  fiat_transaction: 'fiat_transaction_id',
  crypto_transaction: 'crypto_transaction_id',
  withdrawal: 'withdrawal_id',
  withdrawal_destination: 'withdrawal_destination_id',
  callback_url_change: 'callback_url_change_id',
} as const;
const tables = {
  fiat_transaction: 'fiat_transactions',
  crypto_transaction: 'crypto_transactions',
  withdrawal: 'withdrawals',
  withdrawal_destination: 'withdrawal_destinations',
  callback_url_change: 'callback_url_changes',
} as const;
const kinds = Object.keys(columns) as EventSubject['kind'][];

/** The column of events and callbacks that names a subject of this kind. */
export function subjectColumn(kind: EventSubject['kind']) {
  return columns[kind];
}

/** Where subjects of this kind stand. */
export function subjectTable(kind: EventSubject['kind']) {
  return tables[kind];
}

/** The columns that name a subject, of which one holds it and the others nothing. */
export type SubjectColumns = Record<(typeof columns)[EventSubject['kind']], number | null>;

export function columnsOf({ kind, id }: EventSubject): SubjectColumns {
  const nobody: SubjectColumns = {
    fiat_transaction_id: null,
    crypto_transaction_id: null,
    withdrawal_id: null,
    withdrawal_destination_id: null,
    callback_url_change_id: null,
  };
  return { ...nobody, [columns[kind]]: id };
}

export function subjectOf(row: SubjectColumns): EventSubject {
  for (const kind of kinds) {
    const id = row[columns[kind]];
    if (id !== null) return { kind, id };
  }
  throw new Error('An event belongs to nobody');
}
