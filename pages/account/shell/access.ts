import { allScopes } from '../../../src/shared/scopes.ts';
import type { Account } from '../../../src/api/account.ts';
import { scopesOfRole } from '../../../src/shared/roles.ts';
import type { AccountMerchant } from '../context.ts';
import { routes, type Whereabouts } from '../routes.ts';
import { store, stored } from '../storage.ts';

const MERCHANT_KEY = 'paylatch-account-merchant';

/** Why a page is not shown. */
export type Refusal = 'unknown' | 'not_yours' | 'not_in_role' | 'managers_only' | 'no_merchant';

/** The merchant of that number, as far as this person may see it; managers may see every one. */
export function merchantOf(account: Account | null, id: number | null): AccountMerchant | null {
  if (id === null || account === null) return null;
  const known = account.merchants.find((merchant) => merchant.id === id);
  if (known) return known;
  return account.person.isManager ? { id, name: `#${id}`, role: 'manager' } : null;
}

/** What the person may do for a merchant. */
export function scopesFor(merchant: AccountMerchant | null): ReadonlySet<string> {
  return merchant === null ? new Set() : allScopes(scopesOfRole[merchant.role]);
}

/** Why a person may not see what an address names; null where they may. The API refuses all the same. */
export function refusalOf(account: Account | null, where: Whereabouts): Refusal | null {
  if (where.page === 'unknown' || where.page === 'start') return 'unknown';
  const { of, scope, isForManagers } = routes[where.page];
  if (of === 'manager' || isForManagers) {
    if (!account?.person.isManager) return 'managers_only';
    if (of === 'manager') return null;
  }
  if (of !== 'merchant') return null;
  const merchant = merchantOf(account, where.merchant);
  if (merchant === null) return 'not_yours';
  return scope === undefined || scopesFor(merchant).has(scope) ? null : 'not_in_role';
}

/** The merchant that somebody begins with who named none: the last one; null where there are too many to guess. */
export function usualMerchant({ merchants, person }: Account): number | null {
  const last = Number(stored(MERCHANT_KEY));
  if (merchants.some(({ id }) => id === last)) return last;
  return person.isManager && merchants.length !== 1 ? null : (merchants[0]?.id ?? null);
}

export function rememberMerchant(merchant: number): void {
  store(MERCHANT_KEY, String(merchant));
}
