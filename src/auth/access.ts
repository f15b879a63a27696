import { allScopes } from '../shared/scopes.ts';
import { MERCHANT_HEADER } from '../shared/account-calls.ts';
import type { Operation } from '../api/operation.ts';
import { type PersonRole, scopesOfRole } from '../shared/roles.ts';
import { unauthorized } from '../operations/principal.ts';
import type { Principal } from '../operations/principal.ts';
import type { HttpContext } from '../http/context.ts';
import { Problem } from '../api/problem-error.ts';
import type { PeopleContext } from './context.ts';
import { readSessionCookie, requireOwnPage } from './cookie.ts';
import { findPerson, listMemberships, roleAt } from './users.ts';
import { findSession } from './sessions.ts';

/** What an operation asks of whoever calls it. */
type Asked = Pick<Operation, 'scope' | 'method' | 'isOfService'>;

/**
 * Lets people who have signed in call the merchant's API like a token that holds what their role may do; null
 * where no session's cookie came along.
 */
export type IdentifyPerson = (http: HttpContext, asked: Asked) => Promise<Principal | null>;

export function createIdentifyPerson(context: PeopleContext): IdentifyPerson {
  const { database, clock } = context;
  return async (http, asked) => {
    const secret = readSessionCookie(http, context.https);
    if (secret === null) return null;
    const session = await findSession(database, clock, secret);
    if (session?.step !== 'done') throw unauthorized('Sign in: the session is over.');
    if (asked.method !== 'GET') requireOwnPage(http);
    const person = await findPerson(database, session.personId);
    if (!person) throw unauthorized('Sign in: the session is over.');
    const { merchantId, role } = await merchantMeant(context, http, person, asked);
    const scopes = allScopes(scopesOfRole[role]);
    if (!scopes.has(asked.scope))
      throw new Problem('forbidden', `Your role here is ${role}, which lacks the scope ${asked.scope}.`);
    return {
      identity: `person ${person.id}`,
      merchantId,
      role: role === 'manager' ? 'manager' : 'merchant',
      scopes,
      personId: person.id,
    };
  };
}

/** The merchant that is named, or the only one. Of others nobody learns whether they exist. */
async function merchantMeant(
  { database }: PeopleContext,
  { req }: HttpContext,
  person: { id: number; isManager: boolean },
  { isOfService }: Asked,
): Promise<{ merchantId: number; role: PersonRole }> {
  // A stream of events, which browsers open without headers, names it in its address.
  const named = req.header(MERCHANT_HEADER) ?? req.query('merchant');
  if (named === undefined) {
    const [first, ...others] = await listMemberships(database, person);
    if (first && (others.length === 0 || isOfService)) return first;
    throw new Problem('merchant_not_named', `Name the merchant in the header ${MERCHANT_HEADER}.`);
  }
  const merchantId = /^[1-9]\d{0,14}$/.test(named) ? Number(named) : 0;
  const role = await roleAt(database, person, merchantId);
  if (role === null) throw new Problem('not_found', 'There is no such merchant, or you have no part in it.');
  return { merchantId, role };
}
