import type { Operation } from '../api/operation.ts';
import { type Principal, unauthorized } from '../operations/principal.ts';
import type { Identify } from '../operations/serve.ts';
import { Problem } from '../api/problem-error.ts';
import type { IdentifyUser } from './access.ts';
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
    const caller = user ?? (await authenticate(findPrincipal, credential, operation));
    const headers = await context.enforceRateLimit('token', caller.rateLimitKey ?? caller.identity);
    for (const [name, value] of Object.entries(headers)) http.header(name, value);
    return caller;
  };
}

/** Authenticates the header of a request and requires the operation's scope; throws a problem otherwise. */
async function authenticate(
  findPrincipal: FindPrincipal,
  header: string | undefined,
  { scope, managerOnly = false }: Pick<Operation, 'scope' | 'managerOnly'>,
): Promise<Principal> {
  const token = bearerCredential(header);
  if (!token) throw unauthorized('Send your access token as the header "Authorization: Bearer <ACCESS_TOKEN>".');
  const principal = await findPrincipal(token);
  if (!principal) throw unauthorized('The access token is unknown, was revoked, or belongs to the other environment.');
  if (!principal.scopes.has(scope)) {
    const isMerchantToken = managerOnly && principal.role !== 'manager';
    const hint = isMerchantToken ? '; this operation requires a manager’s token with that scope' : '';
    throw new Problem('forbidden', `The access token lacks the scope ${scope}${hint}.`);
  }
  return principal;
}
