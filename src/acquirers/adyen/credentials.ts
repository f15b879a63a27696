import { z } from 'zod';
import type { CredentialField } from '../adapter.ts';
import { simulatorUrl } from '../urls.ts';
import { accountBanks } from './account-banks.ts';
import { readCertificate } from './card-key.ts';

const hmacKey = z
  .string()
  .trim()
  .regex(/^[\dA-Fa-f]{64}$/, 'must be the 64 hexadecimal digits of an HMAC key');

/** Credentials of one merchant account at Adyen. */
export const credentialsSchema = z
  .strictObject({
    merchantAccount: z.string().trim().min(1).max(80),
    // Checked here because `fetch` quotes an invalid header, and so the key, in its error.
    apiKey: z
      .string()
      .trim()
      .regex(/^[\x21-\x7e]{1,500}$/, 'must be an API key: letters, digits and punctuation'),
    environment: z.enum(['test', 'live']),
    liveUrlPrefix: z
      .string()
      .trim()
      .regex(/^[\dA-Za-z]+(?:-[\dA-Za-z]+)*$/, 'must be the prefix alone, such as 1797a841fbb37ca7-AdyenDemo')
      .optional(),
    hmacKey,
    previousHmacKey: hmacKey.optional(),
    webhookUser: z.string().min(1).max(200).optional(),
    webhookPassword: z.string().min(1).max(200).optional(),
    encryptionCertificate: z
      .string()
      .trim()
      .max(8000)
      .refine(
        (value) => readCertificate(value) !== null,
        'must be an X.509 certificate with an RSA key of at least 2048 bits',
      )
      .optional(),
    accountBank: z.enum(Object.keys(accountBanks) as [keyof typeof accountBanks]).optional(),
    apiUrl: simulatorUrl.optional(),
  })
  .check(({ value, issues }) => {
    const report = (path: string, message: string) =>
      issues.push({ code: 'custom', path: [path], message, input: value });
    if (value.environment === 'live' && value.liveUrlPrefix === undefined && value.apiUrl === undefined)
      report('liveUrlPrefix', 'is required for the live environment');
    if ((value.webhookUser === undefined) !== (value.webhookPassword === undefined))
      report('webhookPassword', 'and the webhook user name must be set together');
  });
export type AdyenCredentials = z.infer<typeof credentialsSchema>;

export const credentialFields: readonly CredentialField[] = [
  {
    name: 'merchantAccount',
    label: 'Merchant account',
    hint: 'Customer Area, the account menu at the top: the name of the merchant account, not of the company account.',
    secret: false,
  },
  {
    name: 'apiKey',
    label: 'API key',
    hint: 'Customer Area, Developers, API credentials: generate it for a credential with the Checkout webservice role.',
    secret: true,
  },
  {
    name: 'environment',
    label: 'Environment',
    hint: 'The platform that the API key belongs to.',
    secret: false,
    options: ['test', 'live'],
  },
  {
    name: 'liveUrlPrefix',
    label: 'Live URL prefix',
    hint: 'Live Customer Area, Developers, API URLs: the prefix of your company account.',
    secret: false,
    optional: true,
  },
  {
    name: 'hmacKey',
    label: 'HMAC key',
    hint: 'Customer Area, Developers, Webhooks: generate it for the standard webhook that posts to this account.',
    secret: true,
  },
  {
    name: 'previousHmacKey',
    label: 'Previous HMAC key',
    hint: 'Needed while you replace the HMAC key: Adyen signs with the previous key for a few minutes.',
    secret: true,
    optional: true,
  },
  {
    name: 'webhookUser',
    label: 'Webhook user name',
    hint: 'The user name of the webhook’s basic authentication, if you set one.',
    secret: false,
    optional: true,
  },
  {
    name: 'webhookPassword',
    label: 'Webhook password',
    hint: 'The password of the webhook’s basic authentication.',
    secret: true,
    optional: true,
  },
  {
    name: 'encryptionCertificate',
    label: 'Card encryption certificate',
    hint: 'Customer Area, Developers, API credentials, Client settings: pages then encrypt card data, so that this server never receives it. Leave empty to send raw card data.',
    secret: false,
    optional: true,
    summarize: (pem) => `SHA-256 ${readCertificate(pem)?.fingerprint256 ?? 'unreadable'}`,
  },
  {
    name: 'accountBank',
    label: 'Bank of virtual accounts',
    hint: 'The bank that issues virtual accounts in Indonesia; Permata’s accept transfers from most banks.',
    secret: false,
    optional: true,
    options: Object.keys(accountBanks),
  },
  {
    name: 'apiUrl',
    label: 'API URL',
    hint: 'Only for an Adyen simulator: replaces the URL of the environment.',
    secret: false,
    optional: true,
  },
];

/** Base URL of Checkout v71 (Adyen's page "Live endpoints"). */
export function apiUrl({ apiUrl: url, environment, liveUrlPrefix }: AdyenCredentials): string {
  if (url !== undefined) return url.replace(/\/+$/, '');
  return environment === 'test'
    ? 'https://checkout-test.adyen.com/v71'
    : `https://${liveUrlPrefix}-checkout-live.adyenpayments.com/checkout/v71`;
}
