import { operation } from '../operation.ts';
import { preference, preferencesResponse, setPreferenceRequest, setPreferencesRequest } from '../preference.ts';

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
  summary: 'List all settings that are set',
  scope: 'preference:read',
  answer: preferencesResponse,
  problems: [],
  examples: [
    {
      summary: 'All that is set',
      answer: { merchantPreferences: [stored('callback-url', 'https://shop.example/callbacks')] },
    },
  ],
});

export const setPreference = operation({
  id: 'setPreference',
  method: 'PATCH',
  path: '/v1/merchant/preferences',
  group: 'preferences',
  summary: 'Set one setting; null unsets it',
  scope: 'preference:write',
  body: setPreferenceRequest,
  answer: preference,
  problems: ['manager_only'],
  examples: [
    {
      summary: 'A truth, written as text',
      body: { key: 'tx-manual-auto-approve', value: 'true' },
      answer: stored('tx-manual-auto-approve', true),
    },
    {
      summary: 'Where callbacks go',
      body: { key: 'callback-url', value: 'https://shop.example/callbacks' },
      answer: stored('callback-url', 'https://shop.example/callbacks'),
    },
    {
      summary: 'A number, written as text, by a manager',
      role: 'manager',
      body: { key: 'min-confirmation-btc', value: '6' },
      answer: stored('min-confirmation-btc', 6),
    },
  ],
});

export const setPreferences = operation({
  id: 'setPreferences',
  method: 'POST',
  path: '/v1/merchant/preferences',
  group: 'preferences',
  summary: 'Set several settings, all or none',
  scope: 'preference:write',
  body: setPreferencesRequest,
  answer: preferencesResponse,
  problems: ['manager_only'],
  examples: [
    {
      summary: 'Countries that are not taken: a list, escaped in a string',
      body: { preferences: [{ key: 'restricted-country-list', value: countries }] },
      answer: { merchantPreferences: [stored('restricted-country-list', countries)] },
    },
  ],
});

/** The same under the path that is published for the sandbox. */
export const setPreferencesSingular = operation({
  ...setPreferences,
  id: 'setPreferencesSingular',
  path: '/v1/merchant/preference',
  summary: 'Set several settings, under the path that is published for the sandbox',
});
