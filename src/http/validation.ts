import type { z } from 'zod';
import type { FieldProblem } from '../api/problem.ts';
import { maskCardNumbers } from '../system/mask.ts';
import { validationProblem } from '../api/problem-error.ts';

/** Maximum field errors in one response. */
const MAX_ERRORS = 50;

/** Parses `input` with `schema`; throws a problem that lists every invalid field. */
export function parseWith<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  pointer = jsonPointer,
): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw validationProblem(
    result.error.issues.flatMap((issue) => fieldProblems(issue, input, pointer)).slice(0, MAX_ERRORS),
  );
}

function fieldProblems(issue: z.core.$ZodIssue, input: unknown, pointer: PointerForm): FieldProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      pointer: pointer([...issue.path, sanitizeName(key)]),
      code: 'unknown_field',
      detail: 'is not a known field of this request',
    }));
  }
  if (issue.code === 'invalid_union' && !isMissing(issue, input)) {
    // The union member with a matching type has the useful errors.
    const matchingBranch = issue.errors.find(
      (branch) => !branch.some((inner) => inner.code === 'invalid_type' && inner.path.length === 0),
    );
    if (matchingBranch)
      return matchingBranch.flatMap((inner) =>
        fieldProblems({ ...inner, path: [...issue.path, ...inner.path] }, input, pointer),
      );
  }
  if (isMissing(issue, input)) {
    const detail = issue.code === 'custom' ? issue.message : 'is required';
    return [{ pointer: pointer(issue.path), code: 'required', detail }];
  }
  return [{ pointer: pointer(issue.path), code: issueCode(issue), detail: issueDetail(issue) }];
}

function issueCode(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'custom':
      return typeof issue.params?.code === 'string' ? issue.params.code : 'invalid';
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array' ? 'too_long' : 'too_large';
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array' ? 'too_short' : 'too_small';
    case 'invalid_union':
      return 'invalid_type';
    default:
      return issue.code;
  }
}

function issueDetail(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.startsWith('Invalid') ? `must be ${withArticle(issue.expected)}` : issue.message;
    case 'invalid_value':
      return issue.message.startsWith('Invalid') ? `must be one of: ${issue.values.join(', ')}` : issue.message;
    case 'too_big':
      return issue.origin === 'string'
        ? `must have at most ${issue.maximum} characters`
        : `must be at most ${issue.maximum}`;
    case 'too_small':
      return issue.origin === 'array'
        ? `must have at least ${issue.minimum} items`
        : `must be at least ${issue.minimum}`;
    case 'invalid_union':
      return issue.message.startsWith('Invalid') ? 'must have one of the documented types' : issue.message;
    default:
      return issue.message;
  }
}

/** A missing field is reported as required, regardless of the expected type. */
function isMissing(issue: z.core.$ZodIssue, input: unknown): boolean {
  let value = input;
  for (const key of issue.path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return true;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return false;
}

function withArticle(noun: string): string {
  return /^[aeio]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

/** Makes a client's field name safe to repeat: well-formed, short, without card numbers. */
export function sanitizeName(key: string): string {
  const clean = maskCardNumbers(key.toWellFormed());
  return clean.length > 64 ? `${clean.slice(0, 64)}…` : clean;
}

type PointerForm = (path: readonly PropertyKey[]) => string;

/** RFC 6901: `/preferences/0/key`. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A query parameter: `?per_page`, `?metadata[order]`; of a list, the whole parameter. */
export function queryPointer(path: readonly PropertyKey[]): string {
  const [name = '', ...below] = path;
  return `?${String(name)}${below.map((key) => (typeof key === 'number' ? '' : `[${String(key)}]`)).join('')}`;
}
