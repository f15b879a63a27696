import { z } from 'zod';
import { instantText, text } from './text.ts';

const preferenceValue = z.union([z.boolean(), z.number(), z.string().max(8192), z.null()], {
  error: (issue) => (issue.input === undefined ? undefined : 'must be a boolean, a number, a string or null'),
});

const writtenValue = z.union(
  [z.boolean(), z.number(), z.string().max(8192), z.array(z.string().max(2048)).max(500), z.null()],
  {
    error: (issue) =>
      issue.input === undefined ? undefined : 'must be a boolean, a number, a string, a list of strings or null',
  },
);

/** A preference to store; `null` unsets it. */
const preferenceWrite = z.strictObject({
  key: text(64).describe('Such as `callback-url`'),
  value: writtenValue.describe(
    'A value of the key’s type, or its string form; lists also as a string that contains a JSON array. null unsets the preference',
  ),
});
export type PreferenceWrite = z.infer<typeof preferenceWrite>;

/** Body of `PATCH /v1/merchant/preferences`. */
export const setPreferenceRequest = preferenceWrite;

/** Body of `POST /v1/merchant/preferences` and of its singular path. */
export const setPreferencesRequest = z.strictObject({ preferences: z.array(preferenceWrite).min(1).max(100) });

/** A changed destination of automatic withdrawals; it takes effect after a delay. */
const pendingPreference = z
  .object({
    current_value: preferenceValue.describe('Value in effect until then; null for none'),
    effective_at: instantText.describe('Time at which `value` takes effect'),
    reason: z.literal('new_destination').describe('Reason for the delay'),
  })
  .meta({ id: 'PendingPreference' });
export type PendingPreference = z.infer<typeof pendingPreference>;

export const preference = z
  .object({
    key: z.string(),
    value: preferenceValue,
    created_at: instantText,
    updated_at: instantText,
    pending: pendingPreference.optional().describe('Present until `value` takes effect'),
  })
  .meta({ id: 'Preference' });
export type Preference = z.infer<typeof preference>;

/** Query of `GET /v1/merchant/preferences/keys`. */
export const preferenceKeysQuery = z.strictObject({ key: text(64).optional().describe('Only this key') });

/** Value types. Lists are strings with a JSON array; amounts are whole numbers of `code`'s smallest unit. */
const preferenceTypes = [
  'boolean',
  'integer',
  'decimal',
  'amount',
  'choice',
  'text',
  'url',
  'contact',
  'country_list',
  'origin_list',
  'color',
  'address',
] as const;

/** An entry of `GET /v1/merchant/preferences/keys`. */
const preferenceKeyEntry = z
  .object({
    key: z.string(),
    meaning: z.string().describe('Description'),
    type: z
      .enum(preferenceTypes)
      .describe(
        'Value type. An `amount` is a whole number of the smallest unit of `code`, as a string (`wallet-rotate-amount-{CODE}` as a number up to 9007199254740991). A list is a string with a JSON array',
      ),
    code: z.string().optional().describe('The currency of an `amount` or an `address`'),
    choices: z.array(z.string()).readonly().optional().describe('Values of a `choice`'),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    max_length: z.number().int().optional().describe('Maximum number of characters'),
    default: preferenceValue.describe('Value while it is unset; null for none'),
    scope: z.enum(['preference:write', 'withdrawal:write', 'transaction:read']).describe('Scope required to set it'),
    manager_only: z.boolean().describe('True if only a manager of the service can set it'),
    value: preferenceValue.describe('Current value; null while it is unset'),
    pending: pendingPreference.nullable().describe('Pending change; null if `value` is in effect'),
    updated_at: instantText.nullable(),
    updated_by: z
      .string()
      .nullable()
      .describe('Actor that set it, such as `token 7`; null while it is unset, for the command line, and if unknown'),
  })
  .meta({ id: 'PreferenceKey' });
export type PreferenceKeyEntry = z.infer<typeof preferenceKeyEntry>;

export const preferenceKeysResponse = z.object({ keys: z.array(preferenceKeyEntry) });

export const preferencesResponse = z.object({ merchantPreferences: z.array(preference) });
