import type { TokenScope } from '../contract/access-token.ts';
import type { Operation } from '../contract/operation.ts';
import type { Clock } from '../platform/clock.ts';
import type { Environment } from '../platform/config.ts';
import type { Database } from '../platform/database/database.ts';
import type { ServeOperation } from '../platform/http/operations.ts';
import { Problem } from '../platform/problem.ts';
import { createFindPrincipal, type Principal } from './tokens.ts';

/** RFC 6750: the credential of `Authorization: Bearer …`, or null. */
export function bearerCredential(header: string | undefined): string | null {
  const match = /^Bearer +([\w.~+/=-]+) *$/i.exec(header ?? '');
  return match?.[1] ?? null;
}

export function unauthorized(detail: string): Problem {
  return new Problem('unauthorized', detail, { headers: { 'WWW-Authenticate': 'Bearer realm="paylatch"' } });
}

/** For what needs another scope than the operation itself. */
export function requireScope({ scopes, personId }: Principal, scope: TokenScope): void {
  if (scopes.has(scope)) return;
  const caller = personId === undefined ? 'The access token' : 'Your role here';
  throw new Problem('forbidden', `${caller} lacks the scope ${scope}.`);
}

/** Serves the operations of the merchant's API to whoever holds an access token with their scope. */
export type ServeApi = ServeOperation<Principal>;

/** Turns the header of a request into a principal that holds the operation's scope, or throws the problem that says why not. */
export type Authenticate = (
  header: string | undefined,
  operation: Pick<Operation, 'scope' | 'managerOnly'>,
) => Promise<Principal>;

export function createAuthenticate(options: {
  database: Database;
  clock: Clock;
  environment: Environment;
}): Authenticate {
  const findPrincipal = createFindPrincipal(options.database, options.clock, options.environment);
  return async (header, { scope, managerOnly = false }) => {
    const token = bearerCredential(header);
    if (!token) throw unauthorized('Send your access token as the header "Authorization: Bearer <ACCESS_TOKEN>".');
    const principal = await findPrincipal(token);
    if (!principal)
      throw unauthorized('The access token is not known here, was revoked, or belongs to the other environment.');
    if (!principal.scopes.has(scope)) {
      const isMerchants = managerOnly && principal.role !== 'manager';
      const besides = isMerchants ? ', and only a manager’s token with that scope may do this' : '';
      throw new Problem('forbidden', `The access token lacks the scope ${scope}${besides}.`);
    }
    return principal;
  };
}
