import { z } from 'zod';
import type { Environment } from '../../system/settings.ts';
import type { CredentialField } from '../adapter.ts';
import { accountBanks, type IndonesianBank, type VietnameseBank } from './account-banks.ts';
import { simulatorUrl } from '../urls.ts';

/** Countries of business accounts that accept cards (Xendit's page "Cards: overview"), ISO 3166-1 alpha-2. */
const cardCountries = ['HK', 'ID', 'MX', 'MY', 'PH', 'SG', 'TH', 'VN'] as const;

/** Two names of the same channel: the first from Xendit's list of channels, the second from its API reference. */
const promptPayChannels = ['PROMPTPAY', 'QRPROMPTPAY'] as const;

const indonesianBanks = Object.keys(accountBanks.IDN) as [IndonesianBank, ...IndonesianBank[]];
const vietnameseBanks = Object.keys(accountBanks.VNM) as [VietnameseBank, ...VietnameseBank[]];

/** Credentials of one business account at Xendit. */
export const credentialsSchema = z.strictObject({
  // Checked here because `fetch` quotes an invalid header, and so the key, in its error. A colon ends the user name of
  // Basic authentication.
  secretKey: z
    .string()
    .trim()
    .regex(
      /^xnd_(?:development|production)_[\x21-\x39\x3b-\x7e]{1,500}$/,
      'must be a secret API key: xnd_production_…',
    ),
  callbackToken: z.string().trim().min(1).max(500),
  accountCountry: z.enum(cardCountries),
  promptPayChannel: z.enum(promptPayChannels).optional(),
  accountBank: z.enum(indonesianBanks).optional(),
  vietnameseAccountBank: z.enum(vietnameseBanks).optional(),
  apiUrl: simulatorUrl.optional(),
});
export type XenditCredentials = z.infer<typeof credentialsSchema>;

export const credentialFields: readonly CredentialField[] = [
  {
    name: 'secretKey',
    label: 'Secret API key',
    hint: 'Dashboard, Settings, API Keys: a secret key with write access to Money-In and read access to Transactions.',
    secret: true,
  },
  {
    name: 'callbackToken',
    label: 'Webhook verification token',
    hint: 'Dashboard, Settings, Webhooks: the token that Xendit sends with every webhook.',
    secret: true,
  },
  {
    name: 'accountCountry',
    label: 'Country of the account',
    hint: 'The country of your business account: cards are charged there.',
    secret: false,
    options: cardCountries,
  },
  {
    name: 'promptPayChannel',
    label: 'PromptPay channel',
    hint: 'The channel code of PromptPay in your dashboard; PROMPTPAY by default.',
    secret: false,
    optional: true,
    options: promptPayChannels,
  },
  {
    name: 'accountBank',
    label: 'Bank of virtual accounts in Indonesia',
    hint: 'A bank that is activated for your account; Permata by default.',
    secret: false,
    optional: true,
    options: indonesianBanks,
  },
  {
    name: 'vietnameseAccountBank',
    label: 'Bank of virtual accounts in Vietnam',
    hint: 'A bank that is activated for your account; Viet Capital by default.',
    secret: false,
    optional: true,
    options: vietnameseBanks,
  },
  {
    name: 'apiUrl',
    label: 'API URL',
    hint: 'Only for a Xendit simulator: replaces https://api.xendit.co.',
    secret: false,
    optional: true,
  },
];

/** Base URL of the API, for test and live keys alike. */
export function apiUrl({ apiUrl: url = 'https://api.xendit.co' }: Pick<XenditCredentials, 'apiUrl'>): string {
  return url.replace(/\/+$/, '');
}

/** True for a live key in production, or a test key in the sandbox. At Xendit, only the key selects the mode. */
export function isKeyFor({ secretKey }: Pick<XenditCredentials, 'secretKey'>, environment: Environment): boolean {
  return secretKey.startsWith(environment === 'production' ? 'xnd_production_' : 'xnd_development_');
}
