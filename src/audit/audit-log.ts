import type { Runner } from '../database/engine.ts';
import { db } from './schema.ts';
import { isAnyOf } from '../database/search.ts';
import { endOf, type Instant, type Moment } from '../shared/time.ts';
import type { HttpContext } from '../http/context.ts';
import { preferredLanguage } from '../http/language.ts';
import { maskCardNumbers } from '../system/mask.ts';

/** The client of a request. */
export interface Origin {
  address: string;
  userAgent: string;
  /** The browser's preferred language, in BCP 47. */
  language?: string | null;
}

/** The user and client of an action. */
export interface Actor extends Origin {
  userId: number | null;
  requestId: string;
}

export function clientOf(http: HttpContext): Origin {
  const userAgent = maskCardNumbers(http.req.header('user-agent') ?? '');
  return { address: http.get('client').address, userAgent, language: preferredLanguage(http) };
}

export function actorOf(http: HttpContext, userId: number | null): Actor {
  return { userId, ...clientOf(http), requestId: http.get('requestId') };
}

export interface AuditEntry extends Actor {
  /** `token 12` or `command line (alice)`, if the actor is not a user. */
  actor?: string | null;
  merchantId: number | null;
  /** An operation's identifier, or an account action such as `sign_in`. */
  action: string;
  /** The affected object, such as `token 12`. */
  subject: string | null;
  before: unknown;
  after: unknown;
  /** `started`, `done`, or a problem code. */
  outcome: string;
  at: Instant;
}

/** Maximum characters of a recorded state; longer states are truncated. */
const MAX_STATE_LENGTH = 4000;

function serializeState(state: unknown): string | null {
  if (state === null || state === undefined) return null;
  const text = JSON.stringify(state);
  return text.length <= MAX_STATE_LENGTH ? text : JSON.stringify({ cut: text.slice(0, MAX_STATE_LENGTH - 100) });
}

/** A rejected request may contain any text; PostgreSQL stores neither NUL nor lone surrogates. */
function printable(subject: string | null): string | null {
  return subject?.toWellFormed().replaceAll(/\p{Cc}/gu, '\uFFFD') ?? null;
}

export async function writeAuditEntry(runner: Runner, entry: AuditEntry): Promise<number> {
  const { id } = await db(runner)
    .insertInto('audit_entries')
    .values({
      merchant_id: entry.merchantId,
      person_id: entry.userId,
      actor: entry.actor ?? null,
      action: entry.action,
      subject: printable(entry.subject),
      before: serializeState(entry.before),
      after: serializeState(entry.after),
      outcome: entry.outcome,
      address: entry.address,
      user_agent: entry.userAgent.slice(0, 400),
      request_id: entry.requestId,
      at: entry.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Completes an entry with the outcome of its action, and assigns it to a merchant that the action created. */
export async function completeAuditEntry(
  runner: Runner,
  id: number,
  {
    outcome,
    subject,
    after,
    ...created
  }: Pick<AuditEntry, 'outcome' | 'subject' | 'after'> & Partial<Pick<AuditEntry, 'merchantId' | 'userId' | 'actor'>>,
): Promise<void> {
  const { merchantId, userId, actor } = created;
  await db(runner)
    .updateTable('audit_entries')
    .set({ outcome, subject: printable(subject), after: serializeState(after) })
    .$if(merchantId !== undefined, (query) => query.set({ merchant_id: merchantId, person_id: userId, actor }))
    .where('id', '=', id)
    .execute();
}

/** A member of a merchant, with the time they joined. */
export interface Member {
  userId: number;
  joinedAt: Instant;
}

/** Filters of the audit log, and the page to read. */
export interface AuditFilter {
  action?: readonly string[] | undefined;
  since?: Moment | undefined;
  till?: Moment | undefined;
  /** ID of the last entry of the previous page. */
  before: number | null;
  limit: number;
}

function selectEntries(reader: Runner, { action, since, till, before, limit }: AuditFilter) {
  return db(reader)
    .selectFrom('audit_entries')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .$if(before !== null, (rows) => rows.where('id', '<', before ?? 0))
    .$if(action !== undefined, (rows) => rows.where(isAnyOf('action', action ?? [])))
    .$if(since !== undefined, (rows) => rows.where('at', '>=', since?.at ?? 0))
    .$if(till !== undefined, (rows) => rows.where('at', '<', till ? endOf(till) : 0));
}

/** Members per query: SQLite limits the depth of an expression to 1,000. */
const MEMBERS_PER_QUERY = 200;

/** Entries of a merchant, and of its members' accounts since they joined, newest first. */
export async function listAuditEntries(
  reader: Runner,
  merchantId: number,
  { members, userId, ...filter }: AuditFilter & { members: readonly Member[]; userId: number | null },
) {
  const newest = () =>
    selectEntries(reader, filter).$if(userId !== null, (rows) => rows.where('person_id', '=', userId));
  const entries = await newest().where('merchant_id', '=', merchantId).execute();
  for (let start = 0; start < members.length; start += MEMBERS_PER_QUERY) {
    const batch = members.slice(start, start + MEMBERS_PER_QUERY);
    const accountEntries = await newest()
      .where('merchant_id', 'is', null)
      .where(({ and, eb, or }) =>
        or(batch.map((member) => and([eb('person_id', '=', member.userId), eb('at', '>=', member.joinedAt)]))),
      )
      .execute();
    entries.push(...accountEntries);
  }
  return entries.sort((one, other) => other.id - one.id).slice(0, filter.limit);
}

/** Service-wide changes, newest first: entries without a merchant or user. */
export async function listServiceEntries(reader: Runner, filter: AuditFilter) {
  return await selectEntries(reader, filter).where('merchant_id', 'is', null).where('person_id', 'is', null).execute();
}
