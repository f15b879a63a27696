import { validationProblem } from '../api/problem-error.ts';

/** Where a page of a list ended that is in the order of its rows: the row, short and without a meaning to others. */
export function writeCursor(id: number): string {
  return id.toString(36);
}

/** Throws a problem where it is none. */
export function readCursor(text: string): number {
  const id = /^[\da-z]{1,10}$/.test(text) ? Number.parseInt(text, 36) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  const detail = 'must be the next_cursor of an answer before';
  throw validationProblem([{ pointer: '?cursor', code: 'invalid_cursor', detail }]);
}
