export const tokenRoles = ['merchant', 'manager'] as const;
export type TokenRole = (typeof tokenRoles)[number];

/**
 * Scopes of access tokens and signed-in users. A request without the required scope gets 403 with its name. Operations
 * of a scope `…:read` change nothing and are not audited, whatever their HTTP method.
 */
export const scopeMeanings = {
  'link:write': 'Create and cancel payments',
  'transaction:read': 'Read payments, events and payment methods',
  'card:submit': 'Submit cards from your own form',
  'invoice:write': 'Create crypto invoices',
  'approval:write': 'Approve, reject, capture, void and refund payments; read payer details unmasked',
  'withdrawal:write': 'Withdraw funds from wallets',
  'preference:read': 'Read preferences',
  'preference:write': 'Change preferences',
  'callback:read': 'Read webhooks and their delivery attempts',
  'callback:send': 'Redeliver webhooks and send a test',
  'callback:manage':
    'Manage webhooks, their endpoints and secrets; with transaction:read, also add endpoints and change their URLs and event types',
  'token:manage': 'Create and revoke access tokens',
  'team:manage': 'Invite members, change their roles, and remove them',
  'payer:erase': 'Erase the personal data of payers',
  'audit:read': 'Read the audit log',
  'acquirer:manage': 'Manage acquirer accounts',
} as const;

export type TokenScope = keyof typeof scopeMeanings;
export const tokenScopes = Object.keys(scopeMeanings) as TokenScope[];

/**
 * Scopes that must be requested: they move or redirect funds, grant access to others, return the webhook secret, or delete
 * data.
 */
export const optInScopes: readonly TokenScope[] = [
  ...([
    'withdrawal:write',
    'callback:manage',
    'token:manage',
    'team:manage',
    'payer:erase',
    'acquirer:manage',
  ] as const),
];
/** Default scopes of a token; none of them moves funds out. */
export const defaultScopes = tokenScopes.filter((scope) => !optInScopes.includes(scope));

/** True if the scope's operations are audited for access tokens too. Payments by tokens are in the event log. */
export function isAdministrative(scope: TokenScope): boolean {
  return scope === 'preference:write' || optInScopes.includes(scope);
}

/** Scopes that include others. */
const containedScopes: Readonly<Partial<Record<TokenScope, readonly TokenScope[]>>> = {
  'callback:manage': ['callback:read', 'callback:send'],
};

/** Adds the scopes that the granted scopes include. */
export function allScopes(granted: Iterable<string>): ReadonlySet<string> {
  return new Set([...granted].flatMap((scope) => [scope, ...(containedScopes[scope as TokenScope] ?? [])]));
}
