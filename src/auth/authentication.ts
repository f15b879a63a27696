import type { Operation } from '../api/operation.ts';
import { type Principal, unauthorized } from '../operations/principal.ts';
import type { Identify } from '../operations/serve.ts';
import { Problem } from '../api/problem-error.ts';
import { countRequest, type IdentifyUser } from './access.ts';
import type { AuthContext } from './context.ts';
import { createFindPrincipal, type FindPrincipal } from './tokens.ts';

/** The credential of `Authorization: Bearer …` (RFC 6750), or null. */
export function bearerCredential(header: string | undefined): string | null {
  const match = /^Bearer +([\w.~+/=-]+) *$/i.exec(header ?? '');
  return match?.[1] ?? null;
}

/** Authenticates callers by their session cookie or access token, and counts their requests. */
export function createIdentify(context: AuthContext, identifyUser: IdentifyUser): Identify<Principal> {
  const findPrincipal = createFindPrincipal(context.database, context.clock, context.environment);
  return async (http, operation) => {
    const credential = http.req.header('authorization');
    const user = credential === undefined ? await identifyUser(http, operation) : null;
    if (user) return user;
    const principal = await findByToken(findPrincipal, credential);
    await countRequest(context, http, principal);
    requireTokenScope(principal, operation);
    return principal;
  };
}

/** Authenticates the header of a request; throws a problem if it has no valid token. */
async function findByToken(findPrincipal: FindPrincipal, header: string | undefined): Promise<Principal> {
  const token = bearerCredential(header);
  if (!token) throw unauthorized('Send your access token as the header "Authorization: Bearer <ACCESS_TOKEN>".');
  const principal = await findPrincipal(token);
  if (!principal) throw unauthorized('The access token is unknown, was revoked, or belongs to the other environment.');
  return principal;
}

function requireTokenScope(
  { scopes, role }: Principal,
  { scope, managerOnly = false }: Pick<Operation, 'scope' | 'managerOnly'>,
): void {
  if (scopes.has(scope)) return;
  const isMerchantToken = managerOnly && role !== 'manager';
  const hint = isMerchantToken ? '; this operation requires a manager’s token with that scope' : '';
  throw new Problem('forbidden', `The access token lacks the scope ${scope}${hint}.`);
}
