import type { Operation } from '../api/operation.ts';
import type { Clock } from '../system/clock.ts';
import type { Environment } from '../system/settings.ts';
import type { Database } from '../database/database.ts';
import { type Principal, unauthorized } from '../operations/principal.ts';
import { Problem } from '../api/problem-error.ts';
import { createFindPrincipal } from './tokens.ts';

/** The credential of `Authorization: Bearer …` (RFC 6750), or null. */
export function bearerCredential(header: string | undefined): string | null {
  const match = /^Bearer +([\w.~+/=-]+) *$/i.exec(header ?? '');
  return match?.[1] ?? null;
}

/** Authenticates the header of a request and requires the operation's scope; throws a problem otherwise. */
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
      throw unauthorized('The access token is unknown, was revoked, or belongs to the other environment.');
    if (!principal.scopes.has(scope)) {
      const isMerchantToken = managerOnly && principal.role !== 'manager';
      const hint = isMerchantToken ? '; this operation requires a manager’s token with that scope' : '';
      throw new Problem('forbidden', `The access token lacks the scope ${scope}${hint}.`);
    }
    return principal;
  };
}
