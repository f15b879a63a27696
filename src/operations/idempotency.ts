import { db } from './schema.ts';
import { createHmac } from 'node:crypto';
import { DAY, type Instant, MINUTE, SECOND } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import { createCleanupJob, type Job } from '../jobs/runner.ts';
import { isConnectionError } from '../database/errors.ts';
import { Problem } from '../api/problem-error.ts';

/** Time for which a response is stored. */
const RETENTION: Instant = DAY;
/** Time after which another process may take over an unfinished request. The request still takes effect only once. */
const LOCK_DURATION: Instant = 30 * SECOND;
/** Longest valid lock. One that expires later was written with a wrong clock, and counts as abandoned. */
const MAX_LOCK: Instant = LOCK_DURATION + MINUTE;
const RELEASE_INTERVAL_MS = 500;

/** Identifies a request: its caller, operation and key. */
export interface RequestKey {
  merchantId: number;
  /** The access token, user or page that sent it. Keys of different callers are independent. */
  identity: string;
  /** Method and path. */
  operation: string;
  /** The keyed hash of the client's key, for this caller and operation. */
  key: string;
}

/** Hashes a key sent by a client. */
export type HashKey = (sent: { identity: string; operation: string; key: string }) => string;

/** A stored response. */
export interface StoredResponse {
  status: number;
  body: string;
}

/** A request in progress, locked by one process until `lockedUntil`. */
interface LockedRequest extends RequestKey {
  lockedUntil: Instant;
}

export interface IdempotencyStore {
  hashKey: HashKey;
  /**
   * Locks a request, or returns its stored response. Throws if it is in progress (409), or its key was used with another
   * body (422). `former`: what a former release hashed for the same request.
   */
  begin(
    name: RequestKey,
    request: unknown,
    former?: unknown,
  ): Promise<{ locked: LockedRequest } | { stored: StoredResponse }>;
  /** Stores a response in the unit of work whose result it reports; false if another process took over the request. */
  storeResponse(unit: UnitOfWork, locked: LockedRequest, response: StoredResponse): Promise<boolean>;
  /** Releases a request that had no effect, so that it can be sent again. If the database is unavailable: later. */
  release(locked: LockedRequest): Promise<void>;
  /** Deletes stored responses older than a day, and releases requests after the database was unavailable. */
  jobs: readonly Job[];
}

/** Reads the header: 1 to 255 printable ASCII characters. */
export function readIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (/^[\x20-\x7e]{1,255}$/.test(header)) return header;
  throw new Problem('malformed_request', 'The header Idempotency-Key must have 1 to 255 printable ASCII characters.');
}

export function createIdempotencyStore(options: {
  database: Database;
  clock: Clock;
  /** Requests are stored as keyed hashes, which can only be compared. */
  key: Uint8Array;
}): IdempotencyStore {
  const { database, clock } = options;

  const digestOf = (request: unknown) =>
    createHmac('sha256', options.key).update('request ').update(canonicalJson(request)).digest('base64url');

  const insert = async (unit: UnitOfWork, locked: LockedRequest, digest: string, now: Instant): Promise<boolean> => {
    const { lockedUntil: held_until, ...name } = locked;
    const { numInsertedOrUpdatedRows } = await db(unit)
      .insertInto('idempotency_keys')
      .values({
        ...toColumns(name),
        request_digest: digest,
        held_until,
        status: null,
        answer: null,
        created_at: now,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['merchant_id', 'identity', 'operation', 'key'])
          .doUpdateSet({ request_digest: digest, held_until, status: null, answer: null, created_at: now })
          .where('idempotency_keys.created_at', '<=', now - RETENTION),
      )
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  };

  /** Takes over a request abandoned by another process; false if a third process was faster. */
  const takeOver = async (unit: UnitOfWork, abandoned: LockedRequest, lockedUntil: Instant): Promise<boolean> => {
    const { numUpdatedRows } = await whereLocked(db(unit).updateTable('idempotency_keys'), abandoned)
      .set({ held_until: lockedUntil })
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  };

  /** Requests to release once the database responds. */
  const unreleased = new Set<LockedRequest>();
  const deleteLocked = async (locked: LockedRequest) =>
    await whereLocked(db(database).deleteFrom('idempotency_keys'), locked).execute();
  const release = async (locked: LockedRequest) => {
    try {
      await deleteLocked(locked);
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      unreleased.add(locked);
    }
  };

  return {
    hashKey: ({ identity, operation, key }) =>
      createHmac('sha256', options.key).update(`idempotency key ${identity}\n${operation}\n${key}`).digest('base64url'),
    async begin(name, request, former) {
      const digest = digestOf(request);
      const digests = former === undefined ? [digest] : [digest, digestOf(former)];
      const now = clock.now();
      const locked = { ...name, lockedUntil: now + LOCK_DURATION };
      const begun = database.inTransaction(async (unit) => {
        if (await insert(unit, locked, digest, now)) return { locked };
        const row = await where(db(unit).selectFrom('idempotency_keys').selectAll(), name).executeTakeFirst();
        // The request was released between the two statements; it had no effect.
        if (!row) throw keyInUse();
        if (!digests.includes(row.request_digest)) {
          throw new Problem(
            'idempotency_key_reused',
            'This Idempotency-Key was used for a different request. Use a new key for a new request.',
          );
        }
        if (row.status !== null) return { stored: { status: row.status, body: row.answer ?? 'null' } };
        const { held_until: lockedUntil } = row;
        if (lockedUntil === null || (lockedUntil > now && lockedUntil <= now + MAX_LOCK)) throw keyInUse();
        if (!(await takeOver(unit, { ...name, lockedUntil }, locked.lockedUntil))) throw keyInUse();
        return { locked };
      });
      return await begun.catch((error: unknown) => {
        // The commit may have succeeded although its confirmation was lost.
        if (isConnectionError(error)) unreleased.add(locked);
        throw error;
      });
    },
    async storeResponse(unit, locked, { status, body }) {
      const { numUpdatedRows } = await whereLocked(db(unit).updateTable('idempotency_keys'), locked)
        .set({ held_until: null, status, answer: body })
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
    release,
    jobs: [
      createCleanupJob('idempotency keys', clock, async (now) => {
        await db(database)
          .deleteFrom('idempotency_keys')
          .where('created_at', '<=', now - RETENTION)
          .execute();
      }),
      {
        name: 'idempotency releases',
        intervalMs: RELEASE_INTERVAL_MS,
        hasWork: async () => await Promise.resolve(unreleased.size > 0),
        async runOnce() {
          for (const locked of [...unreleased]) {
            unreleased.delete(locked);
            // Another process may have taken over an expired request.
            if (locked.lockedUntil > clock.now()) await release(locked);
          }
          return 0;
        },
      },
    ],
  };
}

/** Also returned if another process has taken over a slow request. */
export function keyInUse(): Problem {
  return new Problem(
    'idempotency_key_in_use',
    'A request with this Idempotency-Key is in progress. Retry in a moment to get its response.',
    { headers: { 'Retry-After': '1' } },
  );
}

function toColumns({ merchantId, identity, operation, key }: RequestKey) {
  return { merchant_id: merchantId, identity, operation, key };
}

interface Filterable<Query> {
  where(
    column: 'merchant_id' | 'identity' | 'operation' | 'key' | 'held_until',
    operator: '=',
    value: string | number,
  ): Query;
}

/** Matches a request that is still locked by this process. */
function whereLocked<Query extends Filterable<Query>>(query: Query, locked: LockedRequest): Query {
  return where(query, locked).where('held_until', '=', locked.lockedUntil);
}

function where<Query extends Filterable<Query>>(query: Query, name: RequestKey): Query {
  return query
    .where('merchant_id', '=', name.merchantId)
    .where('identity', '=', name.identity)
    .where('operation', '=', name.operation)
    .where('key', '=', name.key);
}

/** JSON with sorted keys, so that the order of fields does not matter. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, entry: unknown) =>
    typeof entry === 'object' && entry !== null && !Array.isArray(entry)
      ? Object.fromEntries(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : entry,
  );
}
