import { operation } from '../operation.ts';
import {
  createTokenRequest,
  createTokenResponse,
  revokeTokenRequest,
  revokeTokenResponse,
  tokensQuery,
  tokensResponse,
} from '../token.ts';

const till = {
  id: 7,
  name: 'Till 7',
  role: 'merchant',
  scopes: ['link:write', 'transaction:read'],
  created_at: '2026-11-22T10:00:00.000000Z',
  created_by: 'token 2',
  created_by_name: null,
  last_used_at: null,
  expires_at: '2027-11-22T10:00:00.000000Z',
} as const;

export const createAccessToken = operation({
  id: 'createAccessToken',
  method: 'POST',
  path: '/v1/tokens',
  group: 'tokens',
  summary: 'Create an access token',
  description:
    'The token is returned only once. It has the role `merchant` and cannot have a scope that you do not have (`403 forbidden`, with its name).',
  scope: 'token:manage',
  body: createTokenRequest,
  response: createTokenResponse,
  isSecret: true,
  problems: [],
  examples: [
    {
      summary: 'Token for a cash register, valid for a year',
      role: 'manager',
      body: { name: till.name, scopes: till.scopes, expires_at: till.expires_at },
      response: { ...till, access_token: 'pl_test_…' },
    },
  ],
});

export const listAccessTokens = operation({
  id: 'listAccessTokens',
  method: 'GET',
  path: '/v1/tokens',
  group: 'tokens',
  summary: 'List access tokens',
  description: 'Valid tokens, newest first, including those issued to OAuth clients.',
  scope: 'token:manage',
  query: tokensQuery,
  response: tokensResponse,
  problems: [],
  examples: [
    {
      summary: 'Newest token',
      role: 'manager',
      query: { per_page: '1' },
      response: { tokens: [till], next_cursor: '7' },
    },
  ],
});

export const revokeAccessToken = operation({
  id: 'revokeAccessToken',
  method: 'POST',
  path: '/v1/token/revoke',
  group: 'tokens',
  summary: 'Revoke an access token',
  description: 'Takes effect immediately. A token can revoke itself.',
  scope: 'token:manage',
  body: revokeTokenRequest,
  response: revokeTokenResponse,
  problems: ['not_found'],
  examples: [
    {
      summary: 'Lost token',
      role: 'manager',
      body: { id: till.id },
      response: { id: till.id, revoked_at: '2026-11-22T10:05:00.000000Z' },
    },
  ],
});
