export const tokenRoles = ['merchant', 'manager'] as const;
export type TokenRole = (typeof tokenRoles)[number];

/** What an access token, or a person who has signed in, may do; a request that needs another one is answered 403 with its name. */
export const scopeMeanings = {
  'link:write': 'Make payments, and cancel them',
  'transaction:read': 'Read payments, their events and the methods that there are',
  'card:submit': 'Submit cards from a form of one’s own',
  'invoice:write': 'Make crypto invoices',
  'approval:write': 'Accept what has come as less or more, approve and reject money on chains',
  'withdrawal:write': 'Send money from wallets',
  'preference:read': 'Read settings',
  'preference:write': 'Change settings',
  'callback:read': 'Read callbacks, and what came back',
  'callback:send': 'Send callbacks again, and a test',
  'callback:manage': 'Look after callbacks, and change the secret that signs them',
  'token:manage': 'Make access tokens, and end them',
  'team:manage': 'Invite people, change what they may do, and take it from them',
  'audit:read': 'Read who has done what',
} as const;

export type TokenScope = keyof typeof scopeMeanings;
export const tokenScopes = Object.keys(scopeMeanings) as TokenScope[];

/** What must be asked for: it moves money out, lets others in, or answers the secret by which webhooks are trusted. */
const askedForScopes: readonly TokenScope[] = ['withdrawal:write', 'callback:manage', 'token:manage', 'team:manage'];
/** What a token holds unless it is asked for more: none moves money out by accident. */
export const usualScopes = tokenScopes.filter((scope) => !askedForScopes.includes(scope));

/** What holds more holds less. */
const containedScopes: Readonly<Partial<Record<TokenScope, readonly TokenScope[]>>> = {
  'callback:manage': ['callback:read', 'callback:send'],
};

/** All that whoever holds these may do. */
export function allScopes(held: Iterable<string>): ReadonlySet<string> {
  return new Set([...held].flatMap((scope) => [scope, ...(containedScopes[scope as TokenScope] ?? [])]));
}
