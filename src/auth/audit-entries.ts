import { type AuditFilter, listAuditEntries, listServiceEntries } from '../audit/audit-log.ts';
import type { Runner } from '../database/engine.ts';
import { formatInstant } from '../shared/time.ts';
import { db } from './schema.ts';

/**
 * A merchant's audit log with the names of its members and access tokens, newest first. Account entries of users who
 * are also members of another merchant omit their IP address and browser.
 */
export async function readAuditEntries(
  reader: Runner,
  merchantId: number,
  filter: AuditFilter & { userId: number | null },
) {
  const memberships = await db(reader)
    .selectFrom('memberships')
    .select(['person_id', 'created_at'])
    .where('merchant_id', '=', merchantId)
    .execute();
  const members = memberships.map((row) => ({ userId: row.person_id, joinedAt: row.created_at }));
  const rows = await listAuditEntries(reader, merchantId, { ...filter, members });
  const ids = [...new Set(rows.flatMap((row) => row.person_id ?? []))];
  const users = ids.length
    ? await db(reader).selectFrom('people').select(['id', 'email', 'name']).where('id', 'in', ids).execute()
    : [];
  const tokenIds = [...new Set(rows.flatMap((row) => tokenIdOf(row) ?? []))];
  const tokens = tokenIds.length
    ? await db(reader)
        .selectFrom('access_tokens')
        .select(['id', 'name'])
        .where('merchant_id', '=', merchantId)
        .where('id', 'in', tokenIds)
        .execute()
    : [];
  const multiMerchantIds = await findMultiMerchantUsers(reader, merchantId, ids);
  return rows.map((row) => {
    const isHidden = row.merchant_id === null && row.person_id !== null && multiMerchantIds.has(row.person_id);
    return {
      ...describeEntry(row, {
        user: users.find(({ id }) => id === row.person_id) ?? null,
        token: tokens.find(({ id }) => id === tokenIdOf(row)) ?? null,
      }),
      ...(isHidden && { address: '', userAgent: '' }),
    };
  });
}

/** Service-wide changes, newest first. */
export async function readServiceEntries(reader: Runner, filter: AuditFilter) {
  return (await listServiceEntries(reader, filter)).map((row) => describeEntry(row, { user: null, token: null }));
}

type Row = Awaited<ReturnType<typeof listServiceEntries>>[number];

/** ID of the access token that acted. */
function tokenIdOf({ actor }: Row): number | null {
  const id = /^token (\d+)$/.exec(actor ?? '')?.[1];
  return id === undefined ? null : Number(id);
}

function describeEntry(
  row: Row,
  {
    user,
    token,
  }: { user: { id: number; email: string; name: string } | null; token: { id: number; name: string } | null },
) {
  const parseState = (state: string | null) => (state === null ? null : (JSON.parse(state) as unknown));
  return {
    id: row.id,
    at: formatInstant(row.at),
    person: user,
    actor: row.actor,
    token,
    action: row.action,
    subject: row.subject,
    before: parseState(row.before),
    after: parseState(row.after),
    outcome: row.outcome,
    address: row.address,
    userAgent: row.user_agent,
    requestId: row.request_id,
  };
}

/** The users in `ids` who are managers, or also members of another merchant. */
async function findMultiMerchantUsers(
  reader: Runner,
  merchantId: number,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const others = await db(reader)
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
