import { InvalidArgumentError } from 'commander';
import { displayName } from '../api/text.ts';
import { parseId } from '../system/cell.ts';
import { Problem, validationProblem } from '../api/problem-error.ts';

/**
 * Runs an API operation and replaces field names in its errors with options: `--fee-fix` for `fee_fix`, or the
 * option in `names`.
 */
export async function withOptionNames<Result>(
  names: Readonly<Record<string, string>>,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Problem) || error.errors.length === 0) throw error;
    const optionOf = (pointer: string) => {
      const field = /([^/?]*)(?:\/\d+)?$/.exec(pointer)?.[1] ?? '';
      return names[field] ?? `--${field.replaceAll('_', '-')}`;
    };
    throw validationProblem(error.errors.map((each) => ({ ...each, pointer: optionOf(each.pointer) })));
  }
}

/** Parses an ID, such as `1`, or `aa-1` of a cell. */
export function parseIdOption(input: string): number {
  const id = parseId(input);
  if (id === null) throw new InvalidArgumentError('It must be an ID, such as 1.');
  return id;
}

/** Parses a decimal number, such as `2.9`. */
export function parseDecimal(input: string): number {
  if (!/^\d+(?:\.\d+)?$/.test(input)) throw new InvalidArgumentError('It must be a number, such as 2.9.');
  return Number(input);
}

/** Parses a positive integer. */
export function parsePositiveInteger(input: string): number {
  if (!/^[1-9]\d{0,14}$/.test(input)) throw new InvalidArgumentError('It must be a positive integer.');
  return Number(input);
}

/** Parses a display name of at most `max` characters. */
export function parseDisplayName(max: number): (input: string) => string {
  return (input) => {
    const result = displayName(max).safeParse(input);
    if (!result.success) throw new InvalidArgumentError(`It ${result.error.issues[0]?.message}.`);
    return input;
  };
}
