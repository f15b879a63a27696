import { InvalidArgumentError } from 'commander';
import { displayName } from '../api/text.ts';
import { Problem, validationProblem } from '../api/problem-error.ts';

/**
 * Does what a request of the API would do, and names the option where that names a field: `--fee-fix` for
 * `fee_fix`, or what `names` has for it.
 */
export async function namingOptions<Result>(
  names: Readonly<Record<string, string>>,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Problem) || error.errors.length === 0) throw error;
    const optionOf = (pointer: string) => {
      const field = /[^/?]*$/.exec(pointer)?.[0] ?? '';
      return names[field] ?? `--${field.replaceAll('_', '-')}`;
    };
    throw validationProblem(error.errors.map((each) => ({ ...each, pointer: optionOf(each.pointer) })));
  }
}

/** Reads `--merchant ID` and its like. */
export function wholeNumber(given: string): number {
  if (!/^[1-9]\d{0,14}$/.test(given)) throw new InvalidArgumentError('It is a whole number from 1.');
  return Number(given);
}

/** Reads a name that people see, of at most `max` characters. */
export function line(max: number): (given: string) => string {
  return (given) => {
    const result = displayName(max).safeParse(given);
    if (!result.success) throw new InvalidArgumentError(`It ${result.error.issues[0]?.message}.`);
    return given;
  };
}
