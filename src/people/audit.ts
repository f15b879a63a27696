import { formatInstant, type Instant } from '../contract/time.ts';
import type { Database, UnitOfWork } from '../platform/database/database.ts';

/** Who does it, and from where. */
export interface Actor {
  personId: number | null;
  address: string;
  userAgent: string;
  requestId: string;
}

export interface AuditEntry extends Actor {
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

export async function writeAuditEntry(on: UnitOfWork | Pick<Database, 'query'>, entry: AuditEntry): Promise<number> {
  const { id } = await on.query
    .insertInto('audit_entries')
    .values({
      merchant_id: entry.merchantId,
      person_id: entry.personId,
      action: entry.action,
      subject: entry.subject,
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
    .set({ outcome, subject, after: kept(after) })
    .where('id', '=', id)
    .execute();
}

/** What people have done for a merchant, and how its people came in and look after that, newest first. */
export async function listAuditEntries(
  { query }: Pick<Database, 'query'>,
  merchantId: number,
  { personId, before, limit }: { personId: number | null; before: number | null; limit: number },
) {
  const newest = () => {
    const rows = query.selectFrom('audit_entries').selectAll().orderBy('id', 'desc').limit(limit);
    return before === null ? rows : rows.where('id', '<', before);
  };
  const ofMerchant = newest().where('merchant_id', '=', merchantId);
  const team = await query
    .selectFrom('memberships')
    .select('person_id')
    .where('merchant_id', '=', merchantId)
    .execute();
  const asked = team.map(({ person_id: id }) => id).filter((id) => personId === null || id === personId);
  const read = [
    await (personId === null ? ofMerchant : ofMerchant.where('person_id', '=', personId)).execute(),
    asked.length === 0 ? [] : await newest().where('merchant_id', 'is', null).where('person_id', 'in', asked).execute(),
  ];
  const entries = read
    .flat()
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
