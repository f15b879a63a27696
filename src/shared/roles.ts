import { type TokenScope, tokenScopes } from './scopes.ts';

/** Roles of users. A `manager` is staff of the service, for all merchants. */
export const userRoles = ['owner', 'operator', 'viewer', 'manager'] as const;
export type UserRole = (typeof userRoles)[number];

/** Roles of a merchant's members. */
export const merchantRoles = userRoles.filter((role) => role !== 'manager');

const viewerScopes: readonly TokenScope[] = ['transaction:read', 'preference:read', 'callback:read'];
const operatorScopes: readonly TokenScope[] = [
  ...viewerScopes,
  'link:write',
  'invoice:write',
  'approval:write',
  'callback:send',
];
/** Users never submit cards for buyers. */
const allButCards = tokenScopes.filter((scope) => scope !== 'card:submit');

/** Scopes of each role. */
export const scopesOfRole: Readonly<Record<UserRole, readonly TokenScope[]>> = {
  viewer: viewerScopes,
  operator: operatorScopes,
  owner: allButCards.filter((scope) => scope !== 'acquirer:manage'),
  manager: allButCards,
};
