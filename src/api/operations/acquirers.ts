import {
  acquirerAccount,
  acquirerAccountQuery,
  acquirerAccountsResponse,
  acquirerCheckResponse,
  acquirersQuery,
  acquirersResponse,
  addAcquirerAccountRequest,
  checkAcquirerAccountRequest,
  checkAcquirerCredentialsRequest,
  setAcquirerCredentialsRequest,
  updateAcquirerAccountRequest,
} from '../acquirer.ts';
import { operation } from '../operation.ts';

const id = 'Yk9sVQ0p3mM7hZf2aBcDeF';
const credentials = { secretKey: 'xnd_production_example', callbackToken: 'a1b2c3', accountCountry: 'TH' } as const;
const routes = [{ payment_method: 'qr_code', country: 'THA', currency: 'THB', priority: 1 }] as const;
const stored = {
  id,
  acquirer: 'xendit',
  name: 'Xendit Thailand',
  shared: false,
  enabled: true,
  routes,
  credentials: [
    { name: 'secretKey', value: null, is_set: true },
    { name: 'callbackToken', value: null, is_set: true },
    { name: 'accountCountry', value: 'TH', is_set: true },
  ],
  credentials_updated_at: '2026-11-21T09:00:00.000000Z',
  webhook_url: `https://pay.example/acquirers/${id}/webhooks`,
  health: {
    circuit: 'closed',
    circuit_since: null,
    last_failure: null,
    calls: 0,
    success_rate: null,
    median_ms: null,
    calls_last_minute: 0,
    calls_per_minute: 300,
  },
  notifications: { last_received_at: null, pending: 0 },
  open_disputes: 0,
  created_at: '2026-11-21T09:00:00.000000Z',
  updated_at: '2026-11-21T09:00:00.000000Z',
} as const;
const moreRoutes = [
  ...routes,
  { payment_method: 'virtual_account', country: 'IDN', currency: 'IDR', priority: 1 },
] as const;
const wrongKey = { result: 'failed', detail: 'The sandbox needs a test key (xnd_development_…).' } as const;
const STEP_UP =
  'A signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`).';

const common = { group: 'acquirers', scope: 'acquirer:manage', managerOnly: true } as const;

export const listAcquirers = operation({
  ...common,
  id: 'listAcquirers',
  method: 'GET',
  path: '/v1/acquirers',
  summary: 'List acquirers',
  description:
    'The acquirers of this release, with the credentials that their accounts need and the methods they offer.',
  query: acquirersQuery,
  response: acquirersResponse,
  problems: ['manager_only'],
  examples: [
    {
      summary: 'Xendit',
      role: 'manager',
      query: { name: 'xendit' },
      response: {
        acquirers: [
          {
            name: 'xendit',
            display_name: 'Xendit',
            credentials: [
              {
                name: 'secretKey',
                label: 'Secret API key',
                hint: 'Dashboard, Settings, API keys.',
                secret: true,
                optional: false,
                options: null,
              },
            ],
            capabilities: [
              {
                payment_method: 'qr_code',
                countries: ['THA'],
                currencies: ['THB'],
                refunds: 'none',
                payer_fields: [],
              },
            ],
          },
        ],
      },
    },
  ],
});

export const listAcquirerAccounts = operation({
  ...common,
  id: 'listAcquirerAccounts',
  method: 'GET',
  path: '/v1/acquirer-accounts',
  summary: 'List acquirer accounts',
  description: 'The accounts that your merchant uses: its own, and those that all merchants share.',
  response: acquirerAccountsResponse,
  problems: ['manager_only'],
  examples: [{ summary: 'No accounts', role: 'manager', response: { accounts: [] } }],
});

export const addAcquirerAccount = operation({
  ...common,
  id: 'addAcquirerAccount',
  method: 'POST',
  path: '/v1/acquirer-accounts',
  summary: 'Add an acquirer account',
  description: `Test the credentials first with \`POST /v1/acquirers/check\`. Then enter \`webhook_url\` in the acquirer’s dashboard. ${STEP_UP}`,
  needsStepUp: true,
  body: addAcquirerAccountRequest,
  response: acquirerAccount,
  problems: ['manager_only', 'step_up_required'],
  examples: [
    {
      summary: 'Account for QR payments in Thailand',
      role: 'manager',
      body: { acquirer: 'xendit', name: stored.name, credentials, routes },
      // A new account has no health figures until it is connected.
      response: { ...stored, health: null },
    },
  ],
});

export const getAcquirerAccount = operation({
  ...common,
  id: 'getAcquirerAccount',
  method: 'GET',
  path: '/v1/acquirer-account',
  summary: 'Retrieve an acquirer account',
  query: acquirerAccountQuery,
  response: acquirerAccount,
  problems: ['manager_only', 'not_found'],
  examples: [{ summary: 'Account', role: 'manager', query: { id }, response: stored }],
});

export const updateAcquirerAccount = operation({
  ...common,
  id: 'updateAcquirerAccount',
  method: 'PATCH',
  path: '/v1/acquirer-account',
  summary: 'Change an acquirer account',
  description: `Changes its name, enables or disables it, or replaces its routes. Omitted fields stay unchanged. ${STEP_UP}`,
  needsStepUp: true,
  body: updateAcquirerAccountRequest,
  response: acquirerAccount,
  problems: ['manager_only', 'step_up_required', 'not_found', 'edit_conflict'],
  examples: [
    {
      summary: 'Disabled account',
      role: 'manager',
      body: { id, enabled: false },
      response: { ...stored, enabled: false },
    },
    {
      summary: 'Enabled again, with virtual accounts',
      role: 'manager',
      body: { id, enabled: true, routes: moreRoutes },
      response: { ...stored, routes: moreRoutes },
    },
  ],
});

export const setAcquirerCredentials = operation({
  ...common,
  id: 'setAcquirerCredentials',
  method: 'POST',
  path: '/v1/acquirer-account/credentials',
  summary: 'Replace the credentials of an acquirer account',
  description: `Replaces all credential fields, so that a stored secret is never sent to a new API URL. The webhook URL stays the same. ${STEP_UP}`,
  needsStepUp: true,
  body: setAcquirerCredentialsRequest,
  response: acquirerAccount,
  problems: ['manager_only', 'step_up_required', 'not_found', 'edit_conflict'],
  examples: [
    { summary: 'New API key', role: 'manager', body: { id, credentials }, response: { ...stored, routes: moreRoutes } },
  ],
});

export const checkAcquirerCredentials = operation({
  ...common,
  id: 'checkAcquirerCredentials',
  method: 'POST',
  path: '/v1/acquirers/check',
  summary: 'Test credentials',
  description: `Calls the acquirer with credentials that are not stored. It charges nothing. ${STEP_UP}`,
  needsStepUp: true,
  body: checkAcquirerCredentialsRequest,
  response: acquirerCheckResponse,
  problems: ['manager_only', 'step_up_required'],
  examples: [
    {
      summary: 'Key of the wrong environment',
      role: 'manager',
      body: { acquirer: 'xendit', credentials },
      response: wrongKey,
    },
  ],
});

export const checkAcquirerAccount = operation({
  ...common,
  id: 'checkAcquirerAccount',
  method: 'POST',
  path: '/v1/acquirer-account/check',
  summary: 'Test the credentials of an acquirer account',
  description: 'Calls the acquirer with the stored credentials. It charges nothing.',
  body: checkAcquirerAccountRequest,
  response: acquirerCheckResponse,
  problems: ['manager_only', 'not_found'],
  examples: [
    {
      summary: 'Key of the wrong environment',
      role: 'manager',
      body: { id },
      response: wrongKey,
    },
  ],
});
