export const tokenRoles = ['merchant', 'manager'] as const;
export type TokenRole = (typeof tokenRoles)[number];

/** What an access token may do; a request that needs another one is answered 403 with its name. */
export const tokenScopes = [
  'link:write',
  'transaction:read',
  'card:submit',
  'approval:write',
  'preference:read',
  'preference:write',
  'callback:manage',
] as const;
export type TokenScope = (typeof tokenScopes)[number];
