/*
 * Map of this module: `recorder.ts` writes an entry for each audited operation, with the state of its subject before
 * and after; the modules provide these in their `audit-subjects.ts`. `audit-log.ts` reads and writes entries.
 * `cleanup.ts` and `erase.ts` remove data. Reasons: docs/decisions/operations.md and retention.md.
 */

import type { Clock } from '../system/clock.ts';
import type { Database } from '../database/database.ts';
import type { AuditLog } from '../operations/serve.ts';
import { maskCardNumbers } from '../system/mask.ts';
import { Problem } from '../api/problem-error.ts';
import { actorOf, completeAuditEntry, writeAuditEntry } from './audit-log.ts';

/** Reads the subject of an operation and its state, before and after the operation. */
export type ReadSubject = (call: {
  merchantId: number;
  body: unknown;
  /** The response; undefined before the operation. */
  response: unknown;
}) => Promise<{ subject: string | null; state: unknown }>;

/** By operation identifier. */
export type AuditSubjects = Readonly<Record<string, ReadSubject>>;

/**
 * For operations that create an object. `nameField` is the request field that identifies it; `fields` are recorded as
 * its state.
 */
export function subjectFromRequest(nameField: string, fields: readonly string[]): ReadSubject {
  return ({ body, response }) => {
    const sent = body as Record<string, unknown>;
    const state = Object.fromEntries(fields.flatMap((field) => (field in sent ? [[field, sent[field]]] : [])));
    const subject = sent[nameField];
    return Promise.resolve({
      subject: typeof subject === 'string' ? subject : null,
      state: response === undefined ? null : state,
    });
  };
}

/**
 * Records changes by users and access tokens. An entry is written before the operation, so that a crash leaves no
 * change without an entry, and completed with the outcome.
 */
export function createAuditLog(options: {
  database: Database;
  clock: Clock;
  /** Operations that are not listed take their subject from the request. */
  subjects: AuditSubjects;
}): AuditLog {
  const { database, clock, subjects } = options;
  return {
    async begin({ http, caller, operation, body }) {
      const { merchantId, userId = null, identity } = caller;
      const actor = { userId, actor: userId === null ? identity : null };
      const readSubject = subjects[operation.id] ?? (() => Promise.resolve({ subject: null, state: null }));
      const { subject, state } = await readSubject({ merchantId, body, response: undefined });
      const named = subject ?? nameFromRequest(body);
      // If no such object exists, the subject may be a card number entered in the wrong field.
      const masked = named === null || (subject !== null && state !== null) ? named : maskCardNumbers(named);
      const id = await writeAuditEntry(database, {
        ...actorOf(http, userId),
        // No merchant's entry, nor one of the user's account, which merchants of the user see.
        ...(operation.isServiceWide ? { userId: null, actor: identity, merchantId: null } : { ...actor, merchantId }),
        action: operation.id,
        subject: masked,
        before: state,
        after: null,
        outcome: 'started',
        at: clock.now(),
      });
      return {
        async succeed(response) {
          const after = await readSubject({ merchantId, body, response });
          await completeAuditEntry(database, id, {
            outcome: 'done',
            subject: subject ?? after.subject ?? nameFromRequest(body),
            after: after.state,
            // The only service-wide change creates a merchant.
            ...(operation.isServiceWide && {
              ...actor,
              merchantId: (response as { merchant: { id: number } }).merchant.id,
            }),
          });
        },
        async fail(error) {
          await completeAuditEntry(database, id, {
            outcome: error instanceof Problem ? error.code : 'internal_error',
            subject: masked,
            after: null,
          });
        },
      };
    },
  };
}

const MAX_SUBJECT_LENGTH = 200;

/** Names several objects in one subject. A longer list ends after a complete name, with an ellipsis. */
export function subjectOfList(names: readonly string[]): string {
  const all = names.join(', ');
  if (all.length <= MAX_SUBJECT_LENGTH) return all;
  const end = all.lastIndexOf(', ', MAX_SUBJECT_LENGTH - 3);
  return end === -1 ? `${all.slice(0, MAX_SUBJECT_LENGTH - 1)}…` : `${all.slice(0, end)}, …`;
}

/** The request's identifying field, if it has one. */
function nameFromRequest(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const named = body as Record<string, unknown>;
  for (const field of ['transaction_id', 'txId', 'id', 'walletAddress', 'key', 'email', 'name']) {
    const value = named[field];
    if (typeof value === 'string' || typeof value === 'number') return subjectOfList([String(value)]);
  }
  return null;
}
