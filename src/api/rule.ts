import { z } from 'zod';

/**
 * A rule over several fields of an object. It also runs when other fields are invalid, so that one response lists every
 * mistake; it sees missing and invalid fields as `undefined`. `report` reports each field only once; `subpath` is the
 * path of the error within the field.
 */
export function rule<Shape extends object>(
  check: (
    fields: Partial<Shape>,
    report: (field: keyof Shape & string, code: string, message: string, subpath?: readonly PropertyKey[]) => void,
  ) => void,
) {
  return z.core._check<Shape>(
    (context) => {
      const reported = new Set(context.issues.map((issue) => issue.path?.[0]));
      const fields = Object.fromEntries(
        Object.entries(context.value).filter(([field]) => !reported.has(field)),
      ) as Partial<Shape>;
      check(fields, (field, code, message, subpath = []) => {
        if (reported.has(field)) return;
        reported.add(field);
        context.issues.push({
          code: 'custom',
          input: fields[field],
          path: [field, ...subpath],
          message,
          params: { code },
        });
      });
    },
    { when: (payload: { value: unknown }) => typeof payload.value === 'object' && payload.value !== null },
  );
}
