import { generated, integer, json, record, type RecordOf, type TableOf, text } from '../database/record.ts';
import { tablesOf } from '../database/tables-of.ts';
import type { AccountHealth } from './health.ts';

/** An operator's account with an acquirer. */
export const accountRecord = record({
  id: generated(),
  /** Random: identifies the account in attempts, and in the URL of its webhooks. */
  account_key: text().as('key'),
  /** Null for an account that all merchants share. */
  merchant_id: integer().nullable(),
  adapter: text(),
  /** The operator's name for it. */
  name: text(),
  /** JSON, sealed if a sealing key is set. */
  credentials: text(),
  credentials_updated_at: integer(),
  created_at: integer(),
  /** Time of the last change; identifies the version of the account. */
  updated_at: integer(),
  /** A disabled account accepts no new payments; open payments and refunds continue. */
  disabled_at: integer().nullable(),
});
export interface StoredAccount extends RecordOf<typeof accountRecord> {}

/** A payment method that an account accepts. */
export const routeRecord = record({
  account_id: integer(),
  payment_method: text(),
  /** ISO 3166-1 alpha-3, or `*`. */
  country: text(),
  /** ISO 4217, or `*`. */
  currency: text(),
  /** The account with the lowest number is tried first. */
  priority: integer(),
});
export interface Route extends RecordOf<typeof routeRecord> {}

/** A notification of an account, stored before its webhook is acknowledged. */
export const notificationRecord = record({
  id: generated(),
  account_key: text(),
  /** Unique within the account: a repeated notification is stored once. */
  notification_id: text(),
  /** The parsed notification, without card data. */
  body: text(),
  /** Failed attempts to apply it. */
  attempts: integer(),
  /** Null once it was applied or abandoned. */
  next_attempt_at: integer().nullable(),
  received_at: integer(),
});
export interface StoredNotification extends RecordOf<typeof notificationRecord> {}

/** Health figures that a process has measured for an account. */
export const healthRecord = record({
  account_key: text(),
  /** Host name and process ID. */
  process: text(),
  figures: json((stored) => stored as AccountHealth),
  measured_at: integer(),
});
export interface StoredHealth extends RecordOf<typeof healthRecord> {}

export interface AcquirerTables {
  acquirer_health: TableOf<typeof healthRecord>;
  acquirer_accounts: TableOf<typeof accountRecord>;
  acquirer_routes: TableOf<typeof routeRecord>;
  acquirer_notifications: TableOf<typeof notificationRecord>;
}

export const { db } = tablesOf<AcquirerTables>();
