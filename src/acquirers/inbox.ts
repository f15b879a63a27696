import type { Database, UnitOfWork } from '../database/database.ts';
import { engineOf, type Runner } from '../database/engine.ts';
import { CLAIM_DURATION, createDueJob } from '../jobs/due.ts';
import { createCleanupJob, type Job, wakeJob } from '../jobs/runner.ts';
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import { describeError, type Log } from '../system/log.ts';
import type { Notification } from './adapter.ts';
import type { AcquirerAccount } from './registry.ts';
import { db, notificationRecord, type StoredNotification } from './schema.ts';

const INBOX_JOB = 'acquirer notifications';
/** Backoff between attempts to apply a notification. After the last attempt it is abandoned, and logged as an error. */
const backoff: readonly Instant[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  6 * HOUR,
  ...Array.from({ length: 7 }, () => DAY),
];
/** Acquirers retry a webhook for days; duplicates are recognized for this long. */
const RETENTION: Instant = 60 * DAY;

export type ApplyNotification = (accountKey: string, notification: Notification) => Promise<void>;

/** Stores notifications before they are acknowledged, and applies each once. Order does not matter. */
export interface NotificationInbox {
  /**
   * Stores the notifications of a webhook; a job applies them. Returns false if the account is no longer stored, such
   * as after its merchant was moved to another cell: the acquirer must send them again.
   */
  store(account: Pick<AcquirerAccount, 'key' | 'isStored'>, notifications: readonly Notification[]): Promise<boolean>;
  /** Stores notifications and applies them before it returns. Failed ones are retried later. */
  storeAndApply(accountKey: string, notifications: readonly Notification[]): Promise<void>;
  jobs: readonly Job[];
}

export function createNotificationInbox({
  database,
  clock,
  log,
  apply,
}: {
  database: Database;
  clock: Clock;
  log: Log;
  apply: ApplyNotification;
}): NotificationInbox {
  /** Inserts new notifications, and returns them; null if they need a stored account that is missing. */
  const insert = async (
    accountKey: string,
    notifications: readonly Notification[],
    { dueAt, isStored }: { dueAt: Instant; isStored: boolean },
  ) =>
    await database.inTransaction(async (unit) => {
      if (isStored && !(await lockAccount(unit, accountKey))) return null;
      const inserted: StoredNotification[] = [];
      for (const notification of notifications) {
        const row = await db(unit)
          .insertInto('acquirer_notifications')
          .values(
            notificationRecord.write({
              accountKey,
              notificationId: notification.id,
              body: encode(notification),
              attempts: 0,
              nextAttemptAt: dueAt,
              receivedAt: clock.now(),
            }),
          )
          .onConflict((conflict) => conflict.columns(['account_key', 'notification_id']).doNothing())
          .returningAll()
          .executeTakeFirst();
        if (row) inserted.push(notificationRecord.read(row));
      }
      if (inserted.length > 0) wakeJob(unit, INBOX_JOB);
      return inserted;
    });

  const recordAttempt = async (
    stored: StoredNotification,
    change: Pick<StoredNotification, 'attempts' | 'nextAttemptAt'>,
  ) => {
    await database.inTransaction(async (unit) => {
      await db(unit)
        .updateTable('acquirer_notifications')
        .set(notificationRecord.write(change))
        .where('id', '=', stored.id)
        .execute();
    });
  };

  const applyStored = async (stored: StoredNotification): Promise<void> => {
    const { accountKey, attempts } = stored;
    try {
      await apply(accountKey, decode(stored.body));
      await recordAttempt(stored, { attempts, nextAttemptAt: null });
    } catch (error) {
      const retryDelay = backoff[attempts];
      const details = { account: accountKey, notification: stored.id, error: describeError(error) };
      if (retryDelay === undefined) log.error(details, 'notification abandoned: compare the payment with the acquirer');
      else log.warn(details, 'notification could not be applied');
      await recordAttempt(stored, {
        attempts: attempts + 1,
        nextAttemptAt: retryDelay === undefined ? null : clock.now() + retryDelay,
      });
    }
  };

  return {
    async store({ key, isStored = false }, notifications) {
      return (await insert(key, notifications, { dueAt: clock.now(), isStored })) !== null;
    },

    async storeAndApply(accountKey, notifications) {
      // Claimed as in the job, which takes over if this process dies.
      const stored = await insert(accountKey, notifications, { dueAt: clock.now() + CLAIM_DURATION, isStored: false });
      for (const each of stored ?? []) await applyStored(each);
    },

    jobs: [
      createDueJob({ database, clock }, db, {
        ...{ name: INBOX_JOB, table: 'acquirer_notifications', column: 'next_attempt_at' },
        work: async (row) => await applyStored(notificationRecord.read(row)),
      }),
      createCleanupJob('acquirer notification cleanup', clock, async (now) => {
        await database.inTransaction(async (unit) => {
          await db(unit)
            .deleteFrom('acquirer_notifications')
            .where('received_at', '<', now - RETENTION)
            .where('next_attempt_at', 'is', null)
            .execute();
        });
      }),
    ],
  };
}

/** Keeps a stored account from being moved until the transaction ends; false if it is not stored. */
async function lockAccount(unit: UnitOfWork, accountKey: string): Promise<boolean> {
  const account = db(unit).selectFrom('acquirer_accounts').select('id').where('account_key', '=', accountKey);
  const locked = engineOf(unit) === 'postgres' ? account.forKeyShare() : account;
  return (await locked.executeTakeFirst()) !== undefined;
}

/** Pending notifications are counted up to this number. More indicate an outage. */
const MAX_COUNTED = 1000;

/** The last notification of an account, and the number of unprocessed ones (at most 1,000 are counted). */
export async function readNotificationStats(
  reader: Runner | UnitOfWork,
  accountKey: string,
): Promise<{ lastReceivedAt: Instant | null; pending: number }> {
  const last = await db(reader)
    .selectFrom('acquirer_notifications')
    .select('received_at')
    .where('account_key', '=', accountKey)
    .orderBy('received_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const pending = await db(reader)
    .selectFrom('acquirer_notifications')
    .select('id')
    .where('account_key', '=', accountKey)
    .where('next_attempt_at', 'is not', null)
    .limit(MAX_COUNTED)
    .execute();
  return { lastReceivedAt: last ? last.received_at : null, pending: pending.length };
}

/** JSON has no bigint: amounts are written as `{ "minor": "100" }`. */
function encode(notification: Notification): string {
  return JSON.stringify(notification, (_key, value: unknown) =>
    typeof value === 'bigint' ? { minor: value.toString() } : value,
  );
}

/** Only `encode` writes these rows. */
function decode(body: string): Notification {
  return JSON.parse(body, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'minor' in value && typeof value.minor === 'string'
      ? BigInt(value.minor)
      : value,
  ) as Notification;
}
