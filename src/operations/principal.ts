import { Problem } from '../api/problem-error.ts';
import type { TokenRole, TokenScope } from '../shared/scopes.ts';
import type { ApiCaller, ServeOperation } from './serve.ts';

/** An authenticated caller of the merchant API. */
export interface Principal extends ApiCaller {
  role: TokenRole;
  scopes: ReadonlySet<string>;
  /** For users: throws a problem unless they have recently confirmed their identity. */
  requireStepUp?: () => void;
}

/** Serves operations of the merchant API. */
export type ServeApi = ServeOperation<Principal>;

export function unauthorized(detail: string): Problem {
  return new Problem('unauthorized', detail, { headers: { 'WWW-Authenticate': 'Bearer realm="paylatch"' } });
}

/** Requires a scope beyond the operation's own. */
export function requireScope({ scopes, userId }: Principal, scope: TokenScope): void {
  if (scopes.has(scope)) return;
  const caller = userId === undefined ? 'The access token' : 'Your role';
  throw new Problem('forbidden', `${caller} lacks the scope ${scope}.`);
}
