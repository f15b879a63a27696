import { validationProblem } from '../api/problem-error.ts';

interface PageQuery {
  cursor?: string | undefined;
  per_page?: number | undefined;
}

/** Page of a list in ID order. Read up to `limit` rows, one more than the page shows: the last announces a next page. */
export function pagingOf({ cursor, per_page: perPage = 20 }: PageQuery) {
  return {
    cursor: cursor === undefined ? null : parseCursor(cursor),
    limit: perPage + 1,
    pageOf<Row extends { id: number }>(rows: readonly Row[]) {
      const shown = rows.slice(0, perPage);
      const last = shown.at(-1);
      return { shown, nextCursor: rows.length > perPage && last ? formatCursor(last.id) : null };
    },
  };
}

/** Formats the last row's ID as an opaque cursor. */
function formatCursor(id: number): string {
  return id.toString(36);
}

/** Parses a cursor; throws a problem if it is invalid. */
function parseCursor(text: string): number {
  const id = /^[\da-z]{1,10}$/.test(text) ? Number.parseInt(text, 36) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  const detail = 'must be the next_cursor of a previous response';
  throw validationProblem([{ pointer: '?cursor', code: 'invalid_cursor', detail }]);
}
