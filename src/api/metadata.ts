import { z } from 'zod';
import { hasControlCharacter, text } from './text.ts';

const MAX_PAIRS = 50;
const MAX_KEY_LENGTH = 40;
const MAX_VALUE_LENGTH = 500;

/**
 * The reason why `key` is not allowed; null if it is. A filter has the key in brackets (`metadata[key]=value`), and the
 * account area has it before an equals sign (`key=value`).
 */
function keyProblem(key: string): string | null {
  if (key.trim() === '') return 'must not have an empty key';
  if (!key.isWellFormed() || hasControlCharacter(key)) return 'must not have control characters in a key';
  if (/[[\]=]/.test(key)) return 'must not have `[`, `]` or `=` in a key';
  return [...key].length > MAX_KEY_LENGTH ? `must have a key of at most ${MAX_KEY_LENGTH} characters` : null;
}

const pairs = z
  .record(z.string(), text(MAX_VALUE_LENGTH))
  .check(({ value, issues }) => {
    const report = (code: string, message: string, path: string[] = []) =>
      issues.push({ code: 'custom', input: value, path, message, params: { code } });
    if (Object.keys(value).length > MAX_PAIRS) report('too_long', `must have at most ${MAX_PAIRS} pairs`);
    for (const key of Object.keys(value)) {
      const problem = keyProblem(key);
      if (problem) report('invalid_key', problem, [key]);
    }
  })
  .meta({
    maxProperties: MAX_PAIRS,
    propertyNames: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH, pattern: '^[^\\[\\]=]*$' },
  });

/** The merchant's key-value pairs, such as IDs in its own systems. */
export type Metadata = Readonly<Record<string, string>>;

/** Metadata of a new record. */
export const metadata = pairs.meta({
  id: 'Metadata',
  description:
    'Set of key-value pairs that you attach to the object: at most 50, keys up to 40 and values up to 500 characters. Payers never see it',
});

/** Rejects the key `__proto__`, which a record would ignore. */
const rejectProto = (value: unknown, context: z.core.$RefinementCtx) => {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__')) {
    const message = 'must not have the key `__proto__`';
    context.issues.push({
      code: 'custom',
      input: value,
      path: ['__proto__'],
      message,
      params: { code: 'invalid_key' },
    });
  }
  return value;
};

/** Metadata in a request. */
export const metadataInput = z.preprocess(rejectProto, metadata);

/** Query parameters such as `metadata[order]=1001`, which `readQuery` collects. All pairs must match. */
export const metadataFilter = z
  .preprocess(rejectProto, pairs)
  .optional()
  .describe('Only records with these pairs, such as `metadata[order]=1001`: exact, and case-sensitive');
