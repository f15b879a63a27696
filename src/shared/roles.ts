import { type TokenScope, tokenScopes } from './scopes.ts';

/** What a person is for a merchant; a `manager` is of the service's own staff, and is it for all merchants. */
export const personRoles = ['owner', 'operator', 'viewer', 'manager'] as const;
export type PersonRole = (typeof personRoles)[number];

/** Roles that a merchant's own people can have. */
export const merchantRoles = personRoles.filter((role) => role !== 'manager');

const viewerScopes: readonly TokenScope[] = ['transaction:read', 'preference:read', 'callback:read'];
const operatorScopes: readonly TokenScope[] = [
  ...viewerScopes,
  'link:write',
  'invoice:write',
  'approval:write',
  'callback:send',
];
/** Nobody types cards for buyers. */
const allButCards = tokenScopes.filter((scope) => scope !== 'card:submit');

/** What somebody who has signed in may do, in the words of access tokens. */
export const scopesOfRole: Readonly<Record<PersonRole, readonly TokenScope[]>> = {
  viewer: viewerScopes,
  operator: operatorScopes,
  owner: allButCards,
  manager: allButCards,
};
