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

export const preferencesResponse = z.object({ merchantPreferences: z.array(preference) });
