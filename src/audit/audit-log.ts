import { formatInstant, type Instant } from '../shared/time.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import type { HttpContext } from '../http/context.ts';
import { maskCardNumbers } from '../system/mask.ts';

/** The client that a request comes from. */
export interface Origin {
  address: string;
  userAgent: string;
}

/** Who acts, and from where. */
export interface Actor extends Origin {
  personId: number | null;
  requestId: string;
}

export function originOf(http: HttpContext): Origin {
  const userAgent = maskCardNumbers(http.req.header('user-agent') ?? '');
  return { address: http.get('client').address, userAgent };
}

export function actorOf(http: HttpContext, personId: number | null): Actor {
  return { personId, ...originOf(http), requestId: http.get('requestId') };
}

export interface AuditEntry extends Actor {
  /** `token 12` or `command line (alice)`, where it is not a person. */
  actor?: string | null;
  merchantId: number | null;
  /** An operation's identifier, or what was done with an account. */
  action: string;
  /** What it was done to, in a few words. */
  subject: string | null;
  before: unknown;
  after: unknown;
  /** `begun`, `done`, or the code of the problem that it ended in. */
  outcome: string;
  at: Instant;
}

/** The longest state that is kept; what is longer is cut to what it was about. */
const MOST_KEPT = 4000;

function kept(state: unknown): string | null {
  if (state === null || state === undefined) return null;
  const text = JSON.stringify(state);
  return text.length <= MOST_KEPT ? text : JSON.stringify({ cut: text.slice(0, MOST_KEPT - 100) });
}

/** What was refused may name anything: PostgreSQL keeps neither NUL nor half a character. */
function printable(subject: string | null): string | null {
  return subject?.toWellFormed().replaceAll(/\p{Cc}/gu, '\uFFFD') ?? null;
}

export async function writeAuditEntry(on: UnitOfWork | Pick<Database, 'query'>, entry: AuditEntry): Promise<number> {
  const { id } = await on.query
    .insertInto('audit_entries')
    .values({
      merchant_id: entry.merchantId,
      person_id: entry.personId,
      actor: entry.actor ?? null,
      action: entry.action,
      subject: printable(entry.subject),
      before: kept(entry.before),
      after: kept(entry.after),
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

/** Tells what came of something that was written down when it began. */
export async function endAuditEntry(
  on: UnitOfWork | Pick<Database, 'query'>,
  id: number,
  { outcome, subject, after }: Pick<AuditEntry, 'outcome' | 'subject' | 'after'>,
): Promise<void> {
  await on.query
    .updateTable('audit_entries')
    .set({ outcome, subject: printable(subject), after: kept(after) })
    .where('id', '=', id)
    .execute();
}

/**
 * Changes for a merchant by people, access tokens and the command line, and what its members have done with their accounts since they joined, newest
 * first. Of who is a member elsewhere too, nobody here learns from where they sign in.
 */
export async function listAuditEntries(
  { query }: Pick<Database, 'query'>,
  merchantId: number,
  { personId, before, limit }: { personId: number | null; before: number | null; limit: number },
) {
  const newest = () =>
    query
      .selectFrom('audit_entries')
      .selectAll('audit_entries')
      .orderBy('audit_entries.id', 'desc')
      .limit(limit)
      .$if(before !== null, (rows) => rows.where('audit_entries.id', '<', before ?? 0))
      .$if(personId !== null, (rows) => rows.where('audit_entries.person_id', '=', personId));
  const ofMerchant = await newest().where('audit_entries.merchant_id', '=', merchantId).execute();
  const ofAccounts = await newest()
    .innerJoin('memberships', 'memberships.person_id', 'audit_entries.person_id')
    .where('memberships.merchant_id', '=', merchantId)
    .where('audit_entries.merchant_id', 'is', null)
    .whereRef('audit_entries.at', '>=', 'memberships.created_at')
    .execute();
  const elsewhere = await membersElsewhere({ query }, merchantId, ofAccounts);
  const entries = [
    ...ofMerchant,
    ...ofAccounts.map((row) => (elsewhere.has(row.person_id) ? { ...row, address: '', user_agent: '' } : row)),
  ]
    .sort((one, other) => other.id - one.id)
    .slice(0, limit);
  const ids = [...new Set(entries.flatMap((row) => row.person_id ?? []))];
  const people = ids.length
    ? await query.selectFrom('people').select(['id', 'email', 'name']).where('id', 'in', ids).execute()
    : [];
  const parsed = (state: string | null) => (state === null ? null : (JSON.parse(state) as unknown));
  return entries.map((row) => ({
    id: row.id,
    at: formatInstant(row.at),
    person: people.find(({ id }) => id === row.person_id) ?? null,
    actor: row.actor,
    action: row.action,
    subject: row.subject,
    before: parsed(row.before),
    after: parsed(row.after),
    outcome: row.outcome,
    address: row.address,
    userAgent: row.user_agent,
    requestId: row.request_id,
  }));
}

/** Who of them is something for another merchant too. */
async function membersElsewhere(
  { query }: Pick<Database, 'query'>,
  merchantId: number,
  rows: readonly { person_id: number | null }[],
): Promise<ReadonlySet<number | null>> {
  const ids = [...new Set(rows.flatMap((row) => row.person_id ?? []))];
  if (ids.length === 0) return new Set();
  const others = await query
    .selectFrom('people')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.person_id', '=', 'people.id').on('memberships.merchant_id', '!=', merchantId),
    )
    .select('people.id')
    .where('people.id', 'in', ids)
    .where((expression) =>
      expression.or([expression('is_manager', '=', 1), expression('memberships.id', 'is not', null)]),
    )
    .execute();
  return new Set(others.map(({ id }) => id));
}
