import { operation } from '../operation.ts';
import {
  preference,
  preferenceKeysQuery,
  preferenceKeysResponse,
  preferencesResponse,
  setPreferenceRequest,
  setPreferencesRequest,
} from '../preference.ts';

const WITHDRAWAL_KEYS =
  '`null` unsets a preference. `auto-withdrawal` and `auto-withdrawal-destination-{CODE}` also need the scope `withdrawal:write`, and `callback-url` needs `transaction:read`. To change `callback-url`, a signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`). Each of these addresses can be changed 60 times per hour (`429 rate_limited`); unsetting it is not limited.';

const countries = '["TH","VNM"]';
const stored = (key: string, value: unknown) => ({
  key,
  value,
  created_at: '2026-11-21T09:00:00.000000Z',
  updated_at: '2026-11-21T09:00:00.000000Z',
});

export const listPreferences = operation({
  id: 'listPreferences',
  method: 'GET',
  path: '/v1/merchant/preferences',
  group: 'preferences',
  summary: 'List preferences',
  scope: 'preference:read',
  response: preferencesResponse,
  problems: [],
  examples: [
    {
      summary: 'All set preferences',
      response: { merchantPreferences: [stored('callback-url', 'https://shop.example/callbacks')] },
    },
  ],
});

export const listPreferenceKeys = operation({
  id: 'listPreferenceKeys',
  method: 'GET',
  path: '/v1/merchant/preferences/keys',
  group: 'preferences',
  summary: 'List preference keys',
  description:
    'Returns each key with its meaning, allowed values, default, current value, and who set it. `{CODE}` is expanded for each cryptocurrency.',
  scope: 'preference:read',
  query: preferenceKeysQuery,
  response: preferenceKeysResponse,
  problems: [],
  examples: [
    {
      summary: 'Unset preference',
      query: { key: 'link-lifetime-minutes' },
      response: {
        keys: [
          {
            key: 'link-lifetime-minutes',
            meaning: 'Minutes until payment links expire. It applies to links created afterward.',
            type: 'integer',
            minimum: 1,
            maximum: 525600,
            default: 1440,
            scope: 'preference:write',
            manager_only: false,
            value: null,
            pending: null,
            updated_at: null,
            updated_by: null,
          },
        ],
      },
    },
    {
      summary: 'Set preference',
      query: { key: 'callback-url' },
      response: {
        keys: [
          {
            key: 'callback-url',
            meaning:
              'Your webhook endpoint, which receives a webhook when a payment changes. It must start with https://; in the sandbox http:// is allowed for addresses on the same machine.',
            type: 'url',
            default: null,
            scope: 'transaction:read',
            manager_only: false,
            value: 'https://shop.example/callbacks',
            pending: null,
            updated_at: '2026-11-21T09:00:00.000000Z',
            updated_by: 'token 2',
          },
        ],
      },
    },
  ],
});

export const setPreference = operation({
  id: 'setPreference',
  method: 'PATCH',
  path: '/v1/merchant/preferences',
  group: 'preferences',
  summary: 'Set a preference',
  description: WITHDRAWAL_KEYS,
  scope: 'preference:write',
  body: setPreferenceRequest,
  response: preference,
  problems: ['manager_only', 'step_up_required'],
  examples: [
    {
      summary: 'Boolean as text',
      body: { key: 'tx-manual-auto-approve', value: 'true' },
      response: stored('tx-manual-auto-approve', true),
    },
    {
      summary: 'Webhook URL',
      body: { key: 'callback-url', value: 'https://shop.example/callbacks' },
      response: stored('callback-url', 'https://shop.example/callbacks'),
    },
    {
      summary: 'Number as text, by a manager',
      role: 'manager',
      body: { key: 'min-confirmation-btc', value: '6' },
      response: stored('min-confirmation-btc', 6),
    },
  ],
});

export const setPreferences = operation({
  id: 'setPreferences',
  method: 'POST',
  path: '/v1/merchant/preferences',
  group: 'preferences',
  summary: 'Set several preferences',
  description: WITHDRAWAL_KEYS,
  scope: 'preference:write',
  body: setPreferencesRequest,
  response: preferencesResponse,
  problems: ['manager_only', 'step_up_required'],
  examples: [
    {
      summary: 'Restricted countries: a list in a string',
      body: { preferences: [{ key: 'restricted-country-list', value: countries }] },
      response: { merchantPreferences: [stored('restricted-country-list', countries)] },
    },
  ],
});

/** `setPreferences` at the path that the specification lists for the sandbox. */
export const setPreferencesSingular = operation({
  ...setPreferences,
  id: 'setPreferencesSingular',
  path: '/v1/merchant/preference',
  summary: 'Set several preferences (singular path)',
});
