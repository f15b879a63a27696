import { z } from 'zod';
import { instantText, text } from './text.ts';

const preferenceValue = z.union([z.boolean(), z.number(), z.string().max(8192), z.null()], {
  error: (issue) => (issue.input === undefined ? undefined : 'must be a boolean, a number, a string or null'),
});

const givenValue = z.union(
  [z.boolean(), z.number(), z.string().max(8192), z.array(z.string().max(2048)).max(500), z.null()],
  {
    error: (issue) =>
      issue.input === undefined ? undefined : 'must be a boolean, a number, a string, a list of strings or null',
  },
);

/** One setting to store; `null` unsets it. */
export const preferenceWrite = z.strictObject({
  key: text(64).describe('Such as `callback-url`'),
  value: givenValue.describe(
    'In the key’s own type or written as text; a list also as a string that holds a JSON array; null unsets it',
  ),
});
export type PreferenceWrite = z.infer<typeof preferenceWrite>;

/** Body of `PATCH /v1/merchant/preferences`. */
export const setPreferenceRequest = preferenceWrite;

/** Body of `POST /v1/merchant/preferences` and of its singular path. */
export const setPreferencesRequest = z.strictObject({ preferences: z.array(preferenceWrite).min(1).max(100) });

/** A destination of automatic withdrawals that was changed holds after a delay. */
export const pendingPreference = z
  .object({
    current_value: preferenceValue.describe('What holds until then; null where nothing does'),
    effective_at: instantText.describe('From when on `value` holds'),
    reason: z.literal('new_destination').describe('Why `value` does not hold yet'),
  })
  .meta({ id: 'PendingPreference' });
export type PendingPreference = z.infer<typeof pendingPreference>;

export const preference = z
  .object({
    key: z.string(),
    value: preferenceValue,
    created_at: instantText,
    updated_at: instantText,
    pending: pendingPreference.optional().describe('Only while `value` does not hold yet'),
  })
  .meta({ id: 'Preference' });
export type Preference = z.infer<typeof preference>;

/** Query of `GET /v1/merchant/preferences/keys`. */
export const preferenceKeysQuery = z.strictObject({ key: text(64).optional().describe('This one only') });

/** Kinds of values. Lists are strings that hold a JSON array; amounts whole numbers of `code`'s smallest unit. */
export const preferenceTypes = [
  'boolean',
  'integer',
  'decimal',
  'amount',
  'choice',
  'text',
  'url',
  'country_list',
  'origin_list',
  'colour',
  'address',
] as const;

/** One of `GET /v1/merchant/preferences/keys`. */
export const preferenceKeyEntry = z
  .object({
    key: z.string(),
    meaning: z.string().describe('What it is for, in words'),
    type: z
      .enum(preferenceTypes)
      .describe(
        'What its value is; an `amount` is a whole number of the smallest unit of `code`, as a string (`wallet-rotate-amount-{CODE}` as a number where that is exact, up to 9007199254740991), and a list a string that holds a JSON array',
      ),
    code: z.string().optional().describe('The currency of an `amount` or an `address`'),
    choices: z.array(z.string()).readonly().optional().describe('The only values of a `choice`'),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    max_length: z.number().int().optional().describe('Characters'),
    default: preferenceValue.describe('What holds while it is unset; null where nothing does'),
    scope: z.enum(['preference:write', 'withdrawal:write']).describe('What setting it needs'),
    manager_only: z.boolean().describe('Whether only a manager of the service may set it'),
    value: preferenceValue.describe('What it is set to; null while it is unset'),
    pending: pendingPreference.nullable().describe('Where `value` does not hold yet; null where it does'),
    updated_at: instantText.nullable(),
    updated_by: z
      .string()
      .nullable()
      .describe(
        'Who set it, such as `token 7`; null while it is unset, for the command line, and where it is not known',
      ),
  })
  .meta({ id: 'PreferenceKey' });
export type PreferenceKeyEntry = z.infer<typeof preferenceKeyEntry>;

export const preferenceKeysResponse = z.object({ keys: z.array(preferenceKeyEntry) });

export const preferencesResponse = z.object({ merchantPreferences: z.array(preference) });
