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
const two = { people: [ada, grace], invitations: [] };

export const listPeople = operation({
  id: 'listPeople',
  method: 'GET',
  path: '/v1/people',
  group: 'people',
  summary: 'List who may sign in for the merchant, and who is invited',
  scope: 'team:manage',
  answer: peopleResponse,
  problems: [],
  examples: [{ summary: 'An owner, and somebody who looks', answer: two }],
});

export const invitePerson = operation({
  id: 'invitePerson',
  method: 'POST',
  path: '/v1/people/invite',
  group: 'people',
  summary: 'Invite somebody to the account area',
  description:
    'The link is for you to send: the service sends no mail. Whoever follows it within seven days joins with that e-mail address and role; who has an account already signs in and accepts. A new invitation of the same address ends the former one. You cannot give a role with a scope that you do not hold: that is `403 forbidden`.',
  scope: 'team:manage',
  body: inviteRequest,
  answer: inviteResponse,
  isSecret: true,
  problems: [],
  examples: [
    {
      summary: 'Somebody who decides',
      body: { email: 'edsger@shop.example', role: 'operator' },
      answer: {
        invitation: { id: 1, email: 'edsger@shop.example', role: 'operator', expiresAt: '2026-11-28T09:00:00.000000Z' },
        link: 'https://pay.example/account/join#Yk9sVQ0p3mM7hZf2xq8cT1uRwB4nD6eJ5aKgLsXvC0I',
      },
    },
  ],
});

export const takeBackInvitation = operation({
  id: 'takeBackInvitation',
  method: 'POST',
  path: '/v1/people/uninvite',
  group: 'people',
  summary: 'Take an invitation back',
  scope: 'team:manage',
  body: invitationRequest,
  answer: peopleResponse,
  problems: ['not_found'],
  examples: [{ summary: 'One that was sent to the wrong address', body: { id: 1 }, answer: two }],
});

export const setPersonRole = operation({
  id: 'setPersonRole',
  method: 'POST',
  path: '/v1/people/role',
  group: 'people',
  summary: 'Change what somebody may do',
  description:
    'You cannot give a role with a scope that you do not hold: that is `403 forbidden`. Access tokens and invitations that the person created, and could not create with the new role, end.',
  scope: 'team:manage',
  body: personRoleRequest,
  answer: peopleResponse,
  problems: ['not_found', 'last_owner'],
  examples: [
    {
      summary: 'Who looked may decide',
      body: { id: 2, role: 'operator' },
      answer: { people: [ada, { ...grace, role: 'operator' }], invitations: [] },
    },
  ],
});

export const removePerson = operation({
  id: 'removePerson',
  method: 'POST',
  path: '/v1/people/remove',
  group: 'people',
  summary: 'Take somebody out',
  description:
    'Their sessions for this merchant end at once, and so do the access tokens and invitations that they created.',
  scope: 'team:manage',
  body: personRequest,
  answer: peopleResponse,
  problems: ['not_found', 'last_owner'],
  examples: [{ summary: 'Who has left', body: { id: 2 }, answer: { people: [ada], invitations: [] } }],
});

export const listAuditEntries = operation({
  id: 'listAuditEntries',
  method: 'GET',
  path: '/v1/audit-log',
  group: 'people',
  summary: 'Read who has done what, newest first',
  description:
    'Everything that people change in the account area, every file that they export, and every administrative change by an access token (settings, methods, the callback secret, tokens, the team, withdrawals) or on the command line, whether it was done or refused. Payments by access tokens are in the event log.',
  scope: 'audit:read',
  query: auditQuery,
  answer: auditResponse,
  problems: [],
  examples: [
    {
      summary: 'The newest one',
      query: { per_page: '1' },
      answer: {
        entries: [
          {
            id: 17,
            at: '2026-11-21T09:00:00.000000Z',
            person: null,
            actor: 'token 2',
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
  summary: 'List the merchants of the service',
  scope: 'transaction:read',
  managerOnly: true,
  isOfService: true,
  query: merchantsQuery,
  answer: merchantsResponse,
  problems: ['manager_only'],
  examples: [
    {
      summary: 'Some',
      role: 'manager',
      query: { per_page: '1' },
      answer: {
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
  summary: 'Make a merchant',
  scope: 'team:manage',
  managerOnly: true,
  isOfService: true,
  body: createMerchantRequest,
  answer: createMerchantResponse,
  isSecret: true,
  problems: ['manager_only'],
  examples: [
    {
      summary: 'One more',
      role: 'manager',
      body: { name: 'Teapot & Sons' },
      answer: {
        merchant: { id: 3, name: 'Teapot & Sons', createdAt: '2026-11-21T09:00:00.000000Z' },
        callback_secret: 'whsec_…',
      },
    },
  ],
});
