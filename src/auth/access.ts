import { allScopes } from '../shared/scopes.ts';
import { MERCHANT_HEADER } from '../shared/account-calls.ts';
import type { Operation } from '../api/operation.ts';
import { type UserRole, scopesOfRole } from '../shared/roles.ts';
import { unauthorized } from '../operations/principal.ts';
import type { Principal } from '../operations/principal.ts';
import type { ApiCaller } from '../operations/serve.ts';
import type { HttpContext } from '../http/context.ts';
import { Problem } from '../api/problem-error.ts';
import type { AuthContext } from './context.ts';
import { readSessionCookie, requireSameOrigin } from './cookie.ts';
import { findUser, listMemberships, findRole } from './users.ts';
import { findSession } from './sessions.ts';
import { requireSteppedUp } from './sign-in.ts';

/** The access requirements of an operation. */
type AccessRequirements = Pick<Operation, 'scope' | 'method' | 'isServiceWide' | 'needsStepUp'>;

/**
 * Authenticates signed-in users for the merchant API, with the scopes of their role, and counts their requests; null
 * without a session cookie.
 */
export type IdentifyUser = (http: HttpContext, requirements: AccessRequirements) => Promise<Principal | null>;

export function createIdentifyUser(context: AuthContext): IdentifyUser {
  const { database, clock } = context;
  return async (http, requirements) => {
    const secret = readSessionCookie(http, context.https);
    if (secret === null) return null;
    const session = await findSession(database, clock, secret);
    if (session?.step !== 'done') throw unauthorized('The session has expired. Sign in again.');
    if (requirements.method !== 'GET') requireSameOrigin(http);
    const user = await findUser(database, session.userId);
    if (!user) throw unauthorized('The session has expired. Sign in again.');
    const identity = `person ${user.id}`;
    await countRequest(context, http, { identity });
    const { merchantId, role } = await resolveMerchant(context, http, user, requirements);
    const scopes = allScopes(scopesOfRole[role]);
    if (!scopes.has(requirements.scope))
      throw new Problem('forbidden', `Your role ${role} lacks the scope ${requirements.scope}.`);
    const requireStepUp = () => requireSteppedUp(context, session);
    if (requirements.needsStepUp) requireStepUp();
    return {
      identity,
      merchantId,
      role: role === 'manager' ? 'manager' : 'merchant',
      scopes,
      userId: user.id,
      requireStepUp,
    };
  };
}

/** Counts a request before its access is checked, so that refused requests are limited too. */
export async function countRequest(
  { enforceRateLimit }: AuthContext,
  http: HttpContext,
  { identity, rateLimitKey = identity }: Pick<ApiCaller, 'identity' | 'rateLimitKey'>,
): Promise<void> {
  const headers = await enforceRateLimit('token', rateLimitKey);
  for (const [name, value] of Object.entries(headers)) http.header(name, value);
}

/** The merchant named in the request, or the user's only one. Does not reveal whether other merchants exist. */
async function resolveMerchant(
  { database }: AuthContext,
  { req }: HttpContext,
  user: { id: number; isManager: boolean },
  { isServiceWide }: AccessRequirements,
): Promise<{ merchantId: number; role: UserRole }> {
  // EventSource sends no headers, so streams name the merchant in the URL.
  const merchantName = req.header(MERCHANT_HEADER) ?? req.query('merchant');
  if (merchantName === undefined) {
    const [first, ...others] = await listMemberships(database, user);
    if (first && (others.length === 0 || isServiceWide)) return first;
    throw new Problem('merchant_required', `Send the merchant’s ID in the header ${MERCHANT_HEADER}.`);
  }
  const merchantId = /^[1-9]\d{0,15}$/.test(merchantName) ? Number(merchantName) : 0;
  const role = await findRole(database, user, merchantId);
  if (role === null) throw new Problem('not_found', 'This merchant does not exist, or you are not a member of it.');
  return { merchantId, role };
}
