import { z } from 'zod';
import type { CredentialField } from '../adapter.ts';
import { isSafeUrl } from '../urls.ts';

/** Credentials of one business profile at Hyperswitch. */
export const credentialsSchema = z.strictObject({
  apiUrl: z
    .url()
    .max(200)
    .refine(isSafeUrl, 'must be an https URL, or http on this machine')
    .refine((address) => !/[?#@]/.test(address), 'must be a URL without query, fragment or user name'),
  apiKey: z.string().trim().min(1).max(500),
  responseHashKey: z.string().trim().min(1).max(500),
  profileId: z.string().trim().min(1).max(64).optional(),
  /** Of earlier releases; unused. */
  accountBank: z.string().optional(),
});
export type HyperswitchCredentials = z.infer<typeof credentialsSchema>;

export const credentialFields: readonly CredentialField[] = [
  {
    name: 'apiUrl',
    label: 'API URL',
    hint: 'The address of your Hyperswitch server; https://sandbox.hyperswitch.io or https://api.hyperswitch.io if it is hosted.',
    secret: false,
  },
  {
    name: 'apiKey',
    label: 'API key',
    hint: 'Control Center, Developers, API Keys: create a secret key of the merchant account.',
    secret: true,
  },
  {
    name: 'responseHashKey',
    label: 'Payment response hash key',
    hint: 'Control Center, Developers, Payment Settings: the hash key of the business profile, which signs its webhooks.',
    secret: true,
  },
  {
    name: 'profileId',
    label: 'Business profile',
    hint: 'The profile ID (pro_…), if the merchant account has several business profiles.',
    secret: false,
    optional: true,
  },
];
