import { z } from 'zod';
import { instantText, text } from './text.ts';

const preferenceValue = z.union([z.boolean(), z.number(), z.string().max(8192), z.null()], {
  error: (issue) => (issue.input === undefined ? undefined : 'must be a boolean, a number, a string or null'),
});

/** One setting to store; `null` unsets it. */
export const preferenceWrite = z.strictObject({
  key: text(64).describe('Such as `callback-url`'),
  value: preferenceValue.describe('In the key’s own type or written as text; null unsets it'),
});
export type PreferenceWrite = z.infer<typeof preferenceWrite>;

/** Body of `PATCH /v1/merchant/preferences`. */
export const setPreferenceRequest = preferenceWrite;

/** Body of `POST /v1/merchant/preferences` and of its singular path. */
export const setPreferencesRequest = z.strictObject({ preferences: z.array(preferenceWrite).min(1).max(100) });

export const preference = z
  .object({
    key: z.string(),
    value: preferenceValue,
    created_at: instantText,
    updated_at: instantText,
  })
  .meta({ id: 'Preference' });
export type Preference = z.infer<typeof preference>;

/** Query of `GET /v1/merchant/preferences/keys`. */
export const preferenceKeysQuery = z.strictObject({ key: text(64).optional().describe('This one only') });

/** Kinds of values. Lists are strings that hold a JSON array; amounts whole numbers of `code`'s smallest unit, as strings. */
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
        'What its value is; an `amount` is a whole number of the smallest unit of `code`, as a string, and a list a string that holds a JSON array',
      ),
    code: z.string().optional().describe('The currency of an `amount` or an `address`'),
    choices: z.array(z.string()).readonly().optional().describe('The only values of a `choice`'),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    max_length: z.number().int().optional().describe('Characters'),
    default: preferenceValue.describe('What holds while it is unset; null where nothing does'),
    manager_only: z.boolean().describe('Whether only a manager of the service may set it'),
    value: preferenceValue.describe('What it is set to; null while it is unset'),
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
