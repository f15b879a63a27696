import { allScopes } from '../../../src/shared/scopes.ts';
import type { Account } from '../../../src/api/account.ts';
import { scopesOfRole } from '../../../src/shared/roles.ts';
import type { AccountMerchant } from '../context.ts';
import { routes, type RouteMatch } from '../routes.ts';
import { writeStored, readStored } from '../storage.ts';

const MERCHANT_KEY = 'paylatch-account-merchant';

/** Reason why a page is not shown. */
export type AccessDenial = 'not_found' | 'no_access' | 'role' | 'managers_only' | 'no_merchant';

/** The merchant with this ID if the user may see it. Managers see all merchants. */
export function findMerchant(account: Account | null, id: number | null): AccountMerchant | null {
  if (id === null || account === null) return null;
  const membership = account.merchants.find((merchant) => merchant.id === id);
  if (membership) return membership;
  return account.person.isManager ? { id, name: `#${id}`, role: 'manager' } : null;
}

/** Scopes of the user for a merchant. */
export function scopesFor(merchant: AccountMerchant | null): ReadonlySet<string> {
  return merchant === null ? new Set() : allScopes(scopesOfRole[merchant.role]);
}

/** Reason why the user may not see a page; null if permitted. The API enforces the same rules. */
export function accessDenialFor(account: Account | null, match: RouteMatch): AccessDenial | null {
  if (match.page === 'unknown' || match.page === 'start') return 'not_found';
  const { audience, scope, managersOnly } = routes[match.page];
  if (audience === 'manager' || managersOnly) {
    if (!account?.person.isManager) return 'managers_only';
    if (audience === 'manager') return null;
  }
  if (audience !== 'merchant') return null;
  const merchant = findMerchant(account, match.merchant);
  if (merchant === null) return 'no_access';
  return scope === undefined || scopesFor(merchant).has(scope) ? null : 'role';
}

/** The merchant of a URL without one: the last one used; null for managers with several merchants. */
export function defaultMerchant({ merchants, person }: Account): number | null {
  const lastMerchant = Number(readStored(MERCHANT_KEY));
  if (merchants.some(({ id }) => id === lastMerchant)) return lastMerchant;
  return person.isManager && merchants.length !== 1 ? null : (merchants[0]?.id ?? null);
}

export function rememberMerchant(merchant: number): void {
  writeStored(MERCHANT_KEY, String(merchant));
}
