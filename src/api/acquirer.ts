import { z } from 'zod';
import { countryAlpha3 } from './country.ts';
import { currencyCode } from './currency.ts';
import { urlText, displayName, instantText, requestedInstant, text } from './text.ts';

const accountId = text(64).describe('Identifies the account, in its webhook URL too');

/** A field of the credentials of an acquirer's accounts. */
const credentialField = z.object({
  name: z.string(),
  label: z.string(),
  hint: z.string().describe('Location of the value in the acquirer’s dashboard, or its purpose'),
  secret: z.boolean().describe('true if the value is never returned'),
  optional: z.boolean(),
  options: z.array(z.string()).nullable().describe('Accepted values; null if any text is accepted'),
});

const capability = z.object({
  payment_method: z.string(),
  countries: z.array(z.string()).nullable().describe('ISO 3166-1 alpha-3; null for every country of the method'),
  currencies: z.array(z.string()).nullable().describe('ISO 4217; null for every currency of the method'),
  refunds: z.enum(['none', 'full', 'partial']),
  payer_fields: z
    .array(z.string())
    .describe('Payer details that the acquirer requires; the payment page asks for them'),
});

/** An acquirer that this release supports. */
const acquirer = z
  .object({
    name: z.string(),
    display_name: z.string(),
    credentials: z.array(credentialField).describe('Fields of an account’s credentials, in the order of a form'),
    capabilities: z.array(capability),
  })
  .meta({ id: 'Acquirer' });
export type AcquirerEntry = z.infer<typeof acquirer>;

/** Query of `GET /v1/acquirers`. */
export const acquirersQuery = z.strictObject({ name: text(40).optional().describe('Only this acquirer') });
export const acquirersResponse = z.object({ acquirers: z.array(acquirer) });

const priority = z.int().min(1).max(1000);

/** A payment method that an account accepts. */
const route = z.object({
  payment_method: z.string(),
  country: z.string().describe('ISO 3166-1 alpha-3, or `*` for every country'),
  currency: z.string().describe('ISO 4217, or `*` for every currency'),
  priority: priority.describe('The account with the lowest number is tried first'),
});

const health = z.object({
  circuit: z
    .enum(['closed', 'half_open', 'open'])
    .describe('`open`: no payments after repeated failures; `half_open`: one trial call is allowed'),
  circuit_since: instantText.nullable().describe('Time at which the circuit opened; null while it is closed'),
  last_failure: z
    .object({
      at: instantText,
      call: z.string(),
      reason: z.enum(['failed', 'timeout']),
    })
    .nullable()
    .describe('The last call without a response from the acquirer'),
  calls: z.int().describe('Calls that the figures cover, at most 500'),
  success_rate: z.number().nullable().describe('Share of calls with a response, 0 to 1; null before the first'),
  median_ms: z.number().nullable().describe('Median duration of a call; null before the first'),
  calls_last_minute: z.int(),
  calls_per_minute: z.int().nullable().describe('Limit of calls; null without one'),
});

/** An account with an acquirer. */
export const acquirerAccount = z
  .object({
    id: accountId,
    acquirer: z.string(),
    name: z.string(),
    shared: z.boolean().describe('true if all merchants use it'),
    enabled: z.boolean().describe('false: no new payments; open payments, refunds and webhooks continue'),
    routes: z.array(route),
    credentials: z
      .array(z.object({ name: z.string(), value: z.string().nullable(), is_set: z.boolean() }))
      .describe('Fields of the credentials; `value` is null for secrets'),
    credentials_updated_at: instantText,
    webhook_url: urlText.describe('Webhook URL to enter in the acquirer’s dashboard'),
    health: health
      .nullable()
      .describe('Figures of the process that responded, since its start; null if the account is not connected'),
    notifications: z.object({
      last_received_at: instantText.nullable().describe('null without one in the last 60 days'),
      pending: z.int().describe('Webhooks received but not processed yet; at most 1,000 are counted'),
    }),
    open_disputes: z.int().describe('Open disputes of your payments'),
    created_at: instantText,
    updated_at: instantText,
  })
  .meta({ id: 'AcquirerAccount' });
export type AcquirerAccountEntry = z.infer<typeof acquirerAccount>;

export const acquirerAccountsResponse = z.object({ accounts: z.array(acquirerAccount) });
export const acquirerAccountQuery = z.strictObject({ id: accountId });

const requestedRoute = z.strictObject({
  payment_method: text(60),
  country: z
    .union([z.literal('*'), countryAlpha3])
    .default('*')
    .describe('ISO 3166-1 alpha-3; all countries by default'),
  currency: z
    .union([z.literal('*'), currencyCode])
    .default('*')
    .describe('ISO 4217; all currencies by default'),
  priority: priority.default(1).describe('The account with the lowest number is tried first'),
});
const requestedRoutes = z
  .array(requestedRoute)
  .max(500)
  .describe('Payment methods that the account accepts; one entry for each method, country and currency');
const requestedCredentials = z
  .record(text(64), text(4000))
  .refine((fields) => Object.keys(fields).length > 0, { error: 'must not be empty', params: { code: 'required' } })
  .meta({ minProperties: 1 })
  .describe('All fields of the credentials, by name. They are stored sealed, and secrets are never returned');
const name = displayName(60).describe('Your name for the account');

export const addAcquirerAccountRequest = z.strictObject({
  acquirer: text(40).describe('Name of the acquirer'),
  name,
  shared: z.boolean().default(false).describe('true if all merchants use it; only your merchant by default'),
  credentials: requestedCredentials,
  routes: requestedRoutes.default([]),
});

const expectedUpdatedAt = requestedInstant
  .optional()
  .describe('The `updated_at` that you have read; the change is rejected if the account has changed since then')
  .meta({ format: 'date-time' });

export const updateAcquirerAccountRequest = z.strictObject({
  id: accountId,
  name: name.optional(),
  enabled: z.boolean().optional(),
  routes: requestedRoutes.optional().describe('Replaces all routes'),
  updated_at: expectedUpdatedAt,
});

export const setAcquirerCredentialsRequest = z.strictObject({
  id: accountId,
  credentials: requestedCredentials,
  updated_at: expectedUpdatedAt,
});

export const checkAcquirerCredentialsRequest = z.strictObject({
  acquirer: text(40).describe('Name of the acquirer'),
  credentials: requestedCredentials,
});
export const checkAcquirerAccountRequest = z.strictObject({ id: accountId });
export const acquirerCheckResponse = z
  .object({
    result: z
      .enum(['ok', 'failed', 'unreachable'])
      .describe('`failed`: the acquirer rejected the credentials; `unreachable`: no valid response'),
    detail: z.string().describe('One sentence about the result'),
  })
  .meta({ id: 'AcquirerCheck' });
