import type { Clock } from '../system/clock.ts';
import type { Database } from '../database/database.ts';
import type { Trail } from '../operations/serve.ts';
import { maskCardNumbers } from '../system/mask.ts';
import { Problem } from '../api/problem-error.ts';
import { actorOf, endAuditEntry, writeAuditEntry } from './audit-log.ts';

/** Reads the object of an operation and its state, before and after the operation. */
export type DescribeSubject = (call: {
  merchantId: number;
  body: unknown;
  /** The response; undefined before the operation. */
  answer: unknown;
}) => Promise<{ subject: string | null; state: unknown }>;

/** By operation identifier. */
export type AuditSubjects = Readonly<Record<string, DescribeSubject>>;

/** For operations that create an object from the request: `name` is the subject's field, `fields` are recorded. */
export function describeRequest(name: string, fields: readonly string[]): DescribeSubject {
  return ({ body, answer }) => {
    const sent = body as Record<string, unknown>;
    const state = Object.fromEntries(fields.flatMap((field) => (field in sent ? [[field, sent[field]]] : [])));
    const subject = sent[name];
    return Promise.resolve({
      subject: typeof subject === 'string' ? subject : null,
      state: answer === undefined ? null : state,
    });
  };
}

/**
 * Records changes by users and access tokens. An entry is written before the operation, so that a crash leaves no
 * change without an entry, and completed with the outcome.
 */
export function createTrail(options: {
  database: Database;
  clock: Clock;
  /** For other operations the subject is taken from the request. */
  subjects: AuditSubjects;
}): Trail {
  const { database, clock, subjects } = options;
  return {
    async begin({ http, caller, described, body }) {
      const { merchantId, personId, identity } = caller;
      const describe = subjects[described.id] ?? (() => Promise.resolve({ subject: null, state: null }));
      const { subject, state } = await describe({ merchantId, body, answer: undefined });
      const named = subject ?? wordsOf(body);
      // If no such object exists, the subject may be a card number entered in the wrong field.
      const masked = named === null || (subject !== null && state !== null) ? named : maskCardNumbers(named);
      const id = await writeAuditEntry(database, {
        ...actorOf(http, personId ?? null),
        actor: personId === undefined ? identity : null,
        merchantId,
        action: described.id,
        subject: masked,
        before: state,
        after: null,
        outcome: 'begun',
        at: clock.now(),
      });
      return {
        async done(answer) {
          const now = await describe({ merchantId, body, answer });
          await endAuditEntry(database, id, {
            outcome: 'done',
            subject: subject ?? now.subject ?? wordsOf(body),
            after: now.state,
          });
        },
        async failed(error) {
          await endAuditEntry(database, id, {
            outcome: error instanceof Problem ? error.code : 'internal_error',
            subject: masked,
            after: null,
          });
        },
      };
    },
  };
}

/** The request's identifying field, if it has one. */
function wordsOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const named = body as Record<string, unknown>;
  for (const field of ['transaction_id', 'txId', 'id', 'walletAddress', 'key', 'email', 'name']) {
    const value = named[field];
    if (typeof value === 'string' || typeof value === 'number') return String(value).slice(0, 200);
  }
  return null;
}
