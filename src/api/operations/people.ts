import { operation } from '../operation.ts';
import {
  auditQuery,
  auditResponse,
  createMerchantRequest,
  createMerchantResponse,
  invitationRequest,
  inviteRequest,
  inviteResponse,
  merchantsQuery,
  merchantsResponse,
  peopleResponse,
  personRequest,
  personRoleRequest,
} from '../people.ts';

const ada = {
  id: 1,
  email: 'ada@shop.example',
  name: 'Ada Lovelace',
  role: 'owner',
  joinedAt: '2026-11-21T09:00:00.000000Z',
  lastSeenAt: null,
};
const grace = { ...ada, id: 2, email: 'grace@shop.example', name: 'Grace Hopper', role: 'viewer' };
const team = { people: [ada, grace], invitations: [] };

export const listPeople = operation({
  id: 'listPeople',
  method: 'GET',
  path: '/v1/people',
  group: 'people',
  summary: 'List members and invitations',
  scope: 'team:manage',
  response: peopleResponse,
  problems: [],
  examples: [{ summary: 'An owner and a viewer', response: team }],
});

export const invitePerson = operation({
  id: 'invitePerson',
  method: 'POST',
  path: '/v1/people/invite',
  group: 'people',
  summary: 'Invite a member',
  description:
    'Returns the invitation link. If a mail server is set up, the service also [emails](email.md) it. It is valid for seven days and lets its recipient join with this email address and role; with an existing account, they sign in and accept. A new invitation to the same address replaces the previous one. You cannot assign a role with a scope that you do not have (`403 forbidden`).',
  scope: 'team:manage',
  body: inviteRequest,
  response: inviteResponse,
  isSecret: true,
  problems: [],
  examples: [
    {
      summary: 'Invite an operator',
      body: { email: 'edsger@shop.example', role: 'operator' },
      response: {
        invitation: { id: 1, email: 'edsger@shop.example', role: 'operator', expiresAt: '2026-11-28T09:00:00.000000Z' },
        link: 'https://pay.example/account/join#Yk9sVQ0p3mM7hZf2xq8cT1uRwB4nD6eJ5aKgLsXvC0I',
        is_emailed: true,
      },
    },
  ],
});

export const revokeInvitation = operation({
  id: 'revokeInvitation',
  method: 'POST',
  path: '/v1/people/uninvite',
  group: 'people',
  summary: 'Revoke an invitation',
  scope: 'team:manage',
  body: invitationRequest,
  response: peopleResponse,
  problems: ['not_found'],
  examples: [{ summary: 'Wrong address', body: { id: 1 }, response: team }],
});

export const setPersonRole = operation({
  id: 'setPersonRole',
  method: 'POST',
  path: '/v1/people/role',
  group: 'people',
  summary: 'Change the role of a member',
  description:
    'You cannot assign a role with a scope that you do not have (`403 forbidden`). Access tokens and invitations that the member created and could not create with the new role are revoked.',
  scope: 'team:manage',
  body: personRoleRequest,
  response: peopleResponse,
  problems: ['not_found', 'last_owner'],
  examples: [
    {
      summary: 'Viewer becomes operator',
      body: { id: 2, role: 'operator' },
      response: { people: [ada, { ...grace, role: 'operator' }], invitations: [] },
    },
  ],
});

export const removePerson = operation({
  id: 'removePerson',
  method: 'POST',
  path: '/v1/people/remove',
  group: 'people',
  summary: 'Remove a member',
  description:
    'Ends their sessions for this merchant immediately, and revokes the access tokens and invitations that they created.',
  scope: 'team:manage',
  body: personRequest,
  response: peopleResponse,
  problems: ['not_found', 'last_owner'],
  examples: [{ summary: 'Former employee', body: { id: 2 }, response: { people: [ada], invitations: [] } }],
});

export const listAuditEntries = operation({
  id: 'listAuditEntries',
  method: 'GET',
  path: '/v1/audit-log',
  group: 'people',
  summary: 'List audit log entries',
  description:
    'Newest first. Contains every change and export in the account area, and every administrative change by an access token or on the command line, successful or rejected. Administrative changes concern settings, methods, the webhook secret, tokens, the team and withdrawals. Payments by access tokens are in the event log.',
  scope: 'audit:read',
  query: auditQuery,
  response: auditResponse,
  problems: [],
  examples: [
    {
      summary: 'Newest entry',
      query: { per_page: '1' },
      response: {
        entries: [
          {
            id: 17,
            at: '2026-11-21T09:00:00.000000Z',
            person: null,
            actor: 'token 2',
            token: { id: 2, name: '' },
            action: 'removePerson',
            subject: 'grace@shop.example',
            before: { role: 'operator' },
            after: null,
            outcome: 'done',
            address: '203.0.113.7',
            userAgent: 'node',
            requestId: 'req_Yk9sVQ0p3mM7hZf2',
          },
        ],
        next_cursor: '17',
      },
    },
  ],
});

export const listMerchants = operation({
  id: 'listMerchants',
  method: 'GET',
  path: '/v1/merchants',
  group: 'merchants',
  summary: 'List merchants',
  scope: 'transaction:read',
  managerOnly: true,
  isServiceWide: true,
  query: merchantsQuery,
  response: merchantsResponse,
  problems: ['manager_only'],
  examples: [
    {
      summary: 'First merchants',
      role: 'manager',
      query: { per_page: '1' },
      response: {
        merchants: [{ id: 1, name: 'Kettle & Co', createdAt: '2026-11-21T09:00:00.000000Z' }],
        next_cursor: null,
      },
    },
  ],
});

export const createMerchant = operation({
  id: 'createMerchant',
  method: 'POST',
  path: '/v1/merchants',
  group: 'merchants',
  summary: 'Create a merchant',
  scope: 'team:manage',
  managerOnly: true,
  isServiceWide: true,
  body: createMerchantRequest,
  response: createMerchantResponse,
  isSecret: true,
  problems: ['manager_only'],
  examples: [
    {
      summary: 'New merchant',
      role: 'manager',
      body: { name: 'Teapot & Sons' },
      response: {
        merchant: { id: 3, name: 'Teapot & Sons', createdAt: '2026-11-21T09:00:00.000000Z' },
        callback_secret: 'whsec_…',
      },
    },
  ],
});
