import { db } from './schema.ts';
import { createHmac } from 'node:crypto';
import { DAY, type Instant, SECOND } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import { createSweep, type Job } from '../jobs/runner.ts';
import { Problem } from '../api/problem-error.ts';

/** How long an answer is kept. */
const KEPT: Instant = DAY;
/** How long a request may be worked on before another process takes it up; it is done once all the same. */
const HELD: Instant = 30 * SECOND;

/** Who sent a request, and what they call it. */
export interface RequestName {
  merchantId: number;
  /** The access token or the page that sent it: nobody else's keys are looked at. */
  identity: string;
  /** Method and path. */
  operation: string;
  /** The keyed hash of the sender's key, for this caller and operation: it is compared, and never read. */
  key: string;
}

/** Hashes a key as it was sent. */
export type HashKey = (sent: { identity: string; operation: string; key: string }) => string;

/** An answer as it was given. */
export interface KeptAnswer {
  status: number;
  body: string;
}

/** A request that is worked on: by whoever began it, until it seems to be left and another takes it up. */
export interface HeldRequest extends RequestName {
  heldUntil: Instant;
}

export interface IdempotencyStore {
  hashKey: HashKey;
  /** Begins a request, or answers what was answered to it before; throws when it may not be done now. */
  begin(name: RequestName, request: unknown): Promise<{ held: HeldRequest } | { kept: KeptAnswer }>;
  /** Keeps an answer, in the unit of what it tells of; false when another has taken the request up meanwhile. */
  keep(unit: UnitOfWork, held: HeldRequest, answer: KeptAnswer): Promise<boolean>;
  /** Forgets a request that has done nothing, so that it can be sent again. */
  release(held: HeldRequest): Promise<void>;
  /** Forgets what is older than a day. */
  sweep: Job;
}

/** The header's value: 1 to 255 visible ASCII characters. */
export function readIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (/^[\x20-\x7e]{1,255}$/.test(header)) return header;
  throw new Problem('malformed_request', 'The header Idempotency-Key must have 1 to 255 ASCII characters.');
}

export function createIdempotencyStore(options: {
  database: Database;
  clock: Clock;
  /** What is kept of a request is a keyed hash: it tells whether two are the same, and nothing else. */
  key: Uint8Array;
}): IdempotencyStore {
  const { database, clock } = options;

  const digestOf = (request: unknown) =>
    createHmac('sha256', options.key).update('request ').update(canonical(request)).digest('base64url');

  const insert = async (unit: UnitOfWork, held: HeldRequest, digest: string, now: Instant): Promise<boolean> => {
    const { heldUntil: held_until, ...name } = held;
    const { numInsertedOrUpdatedRows } = await db(unit)
      .insertInto('idempotency_keys')
      .values({
        ...columnsOf(name),
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
          .where('idempotency_keys.created_at', '<=', now - KEPT),
      )
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  };

  /** Takes up what another process has left; false when somebody else was faster. */
  const takeUp = async (unit: UnitOfWork, left: HeldRequest, heldUntil: Instant): Promise<boolean> => {
    const { numUpdatedRows } = await whereHeld(db(unit).updateTable('idempotency_keys'), left)
      .set({ held_until: heldUntil })
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  };

  return {
    hashKey: ({ identity, operation, key }) =>
      createHmac('sha256', options.key).update(`idempotency key ${identity}\n${operation}\n${key}`).digest('base64url'),
    async begin(name, request) {
      const digest = digestOf(request);
      const now = clock.now();
      const held = { ...name, heldUntil: now + HELD };
      return await database.inUnit(async (unit) => {
        if (await insert(unit, held, digest, now)) return { held };
        const row = await where(db(unit).selectFrom('idempotency_keys').selectAll(), name).executeTakeFirst();
        // Released between the two statements: nothing was done under it.
        if (!row) throw inUse();
        if (row.request_digest !== digest) {
          throw new Problem(
            'idempotency_key_reused',
            'Another request was sent with this Idempotency-Key. Use a new key for a new request.',
          );
        }
        if (row.status !== null) return { kept: { status: row.status, body: row.answer ?? 'null' } };
        if (row.held_until === null || row.held_until > now) throw inUse();
        if (!(await takeUp(unit, { ...name, heldUntil: row.held_until }, held.heldUntil))) throw inUse();
        return { held };
      });
    },
    async keep(unit, held, { status, body }) {
      const { numUpdatedRows } = await whereHeld(db(unit).updateTable('idempotency_keys'), held)
        .set({ held_until: null, status, answer: body })
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
    async release(held) {
      await whereHeld(db(database).deleteFrom('idempotency_keys'), held).execute();
    },
    sweep: createSweep('idempotency keys', clock, async (now) => {
      await db(database)
        .deleteFrom('idempotency_keys')
        .where('created_at', '<=', now - KEPT)
        .execute();
    }),
  };
}

/** Said as well to whoever was so slow that another has taken the request up. */
export function inUse(): Problem {
  return new Problem(
    'idempotency_key_in_use',
    'A request with this Idempotency-Key is being worked on. Send it again in a moment for its answer.',
    { headers: { 'Retry-After': '1' } },
  );
}

function columnsOf({ merchantId, identity, operation, key }: RequestName) {
  return { merchant_id: merchantId, identity, operation, key };
}

interface Filterable<Query> {
  where(
    column: 'merchant_id' | 'identity' | 'operation' | 'key' | 'held_until',
    is: '=',
    value: string | number,
  ): Query;
}

/** While nobody else has taken it up, and nothing is answered yet. */
function whereHeld<Query extends Filterable<Query>>(query: Query, held: HeldRequest): Query {
  return where(query, held).where('held_until', '=', held.heldUntil);
}

function where<Query extends Filterable<Query>>(query: Query, name: RequestName): Query {
  return query
    .where('merchant_id', '=', name.merchantId)
    .where('identity', '=', name.identity)
    .where('operation', '=', name.operation)
    .where('key', '=', name.key);
}

/** The same text for the same value, in whatever order its fields were written. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, entry: unknown) =>
    typeof entry === 'object' && entry !== null && !Array.isArray(entry)
      ? Object.fromEntries(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : entry,
  );
}
