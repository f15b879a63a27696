import { z } from 'zod';
import { parseMoment } from '../shared/time.ts';

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** RFC 5321, section 4.1.2, without quoted local parts and address literals, which are rare in practice. */
export const EMAIL = new RegExp(
  `^[a-z0-9!#$%&'*+/=?^_\`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_\`{|}~-]+)*@(?:${label}\\.)+${label}$`,
  'i',
);

/**
 * Text that is safe to store, sign, log and show: well-formed Unicode (no lone surrogates, which databases and UTF-8
 * encoders do not preserve), no control characters (PostgreSQL rejects NUL), at least one character that is not white
 * space. `max` counts code points.
 */
export function text(max: number) {
  return z
    .string()
    .check((context) => {
      const value = context.value;
      const report = (code: string, message: string) =>
        context.issues.push({ code: 'custom', input: value, message, params: { code } });
      if (!value.isWellFormed())
        report('malformed_text', 'contains half of a surrogate pair, which is not a character');
      else if (hasControlCharacter(value)) report('control_character', 'contains a control character');
      else if (value.trim() === '') report('required', 'must not be empty');
      else if ([...value].length > max) report('too_long', `must have at most ${max} characters`);
    })
    .meta({ minLength: 1, maxLength: max });
}

/** A display name: text without invisible or reordering characters. */
export function displayName(max: number) {
  return text(max).check((context) => {
    const problem = displayNameProblem(context.value);
    if (problem)
      context.issues.push({ code: 'custom', input: context.value, message: problem, params: { code: 'unprintable' } });
  });
}

/**
 * The reason why `value` cannot be a display name, or null if it can. Format characters reorder or hide the
 * characters next to them; only joiners are part of words (Persian, Hindi, emoji).
 */
export function displayNameProblem(value: string): string | null {
  if (/(?![\u200C\u200D])\p{Cf}|\p{Co}|\p{Cn}/u.test(value))
    return 'must not contain invisible formatting, private-use or unassigned characters';
  // U+2800 is the braille pattern without dots.
  if (/^[\s\p{Default_Ignorable_Code_Point}\p{M}\u2800]*$/u.test(value)) return 'must contain visible characters';
  return null;
}

/** A time in responses: ISO 8601 in UTC with microseconds and `Z`. */
export const instantText = z.string().meta({ format: 'date-time' });

/** A date-time in requests. */
export const requestedInstant = z
  .string()
  .max(40)
  .refine((value) => parseMoment(value) !== null, {
    error: 'must be a date-time such as 2027-01-31T09:30:00Z',
    params: { code: 'invalid_time' },
  });

/** A URL in responses. */
export const urlText = z.string().meta({ format: 'uri' });

/** C0 and C1 control characters, delete, and the two Unicode line separators. */
export function hasControlCharacter(value: string): boolean {
  return /[\p{Cc}\u2028\u2029]/u.test(value);
}

/** An absolute http(s) URL without credentials, at most 2,048 characters. */
export const httpUrl = text(2048)
  .check((context) => {
    const problem = httpUrlProblem(context.value);
    if (problem)
      context.issues.push({ code: 'custom', input: context.value, message: problem, params: { code: 'invalid_url' } });
  })
  .meta({ format: 'uri' });

/** The reason why `value` is not an acceptable URL, or null if it is. */
export function httpUrlProblem(value: string): string | null {
  if (!URL.canParse(value)) return 'must be an absolute URL such as https://shop.example/paid';
  // Without the slashes, a link on a page would be relative.
  if (!/^https?:\/\//i.test(value)) return 'must start with https:// or http://';
  const url = new URL(value);
  if (url.username || url.password) return 'must not contain a user name or password';
  return null;
}
