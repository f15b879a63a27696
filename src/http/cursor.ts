import { validationProblem } from '../api/problem-error.ts';

/** Formats the last row's ID as an opaque cursor, for lists in ID order. */
export function formatCursor(id: number): string {
  return id.toString(36);
}

/** Parses a cursor; throws a problem if it is invalid. */
export function parseCursor(text: string): number {
  const id = /^[\da-z]{1,10}$/.test(text) ? Number.parseInt(text, 36) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  const detail = 'must be the next_cursor of a previous response';
  throw validationProblem([{ pointer: '?cursor', code: 'invalid_cursor', detail }]);
}
