import type { Clock } from '../system/clock.ts';
import type { Database } from '../database/database.ts';
import type { Trail } from '../operations/serve.ts';
import { maskCardNumbers } from '../system/mask.ts';
import { Problem } from '../api/problem-error.ts';
import { actorOf, endAuditEntry, writeAuditEntry } from './audit-log.ts';

/** What an operation is done to, and how that stands: asked before and after. */
export type DescribeSubject = (call: {
  merchantId: number;
  body: unknown;
  /** What was answered; undefined before. */
  answer: unknown;
}) => Promise<{ subject: string | null; state: unknown }>;

/** Of the operations that change something, by their identifiers. */
export type AuditSubjects = Readonly<Record<string, DescribeSubject>>;

/** For operations whose request names all that they create: `name` is the field of the subject, `fields` are recorded. */
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
 * Writes down what people and access tokens change over the API. Before it is done, so that nothing is done of which nothing is known
 * when the process ends in between; and once more when it is known what came of it.
 */
export function createTrail(options: {
  database: Database;
  clock: Clock;
  /** By the operation's identifier; of others the request's own words are kept. */
  subjects: AuditSubjects;
}): Trail {
  const { database, clock, subjects } = options;
  return {
    async begin({ http, caller, described, body }) {
      const { merchantId, personId, identity } = caller;
      const describe = subjects[described.id] ?? (() => Promise.resolve({ subject: null, state: null }));
      const { subject, state } = await describe({ merchantId, body, answer: undefined });
      const named = subject ?? wordsOf(body);
      // Until it is known that there is such a thing, it may be a card number typed into the wrong field.
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

/** The reference that a request names, if it names one. */
function wordsOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const named = body as Record<string, unknown>;
  for (const field of ['transaction_id', 'txId', 'id', 'walletAddress', 'key', 'email', 'name']) {
    const value = named[field];
    if (typeof value === 'string' || typeof value === 'number') return String(value).slice(0, 200);
  }
  return null;
}
