import { z } from 'zod';

/**
 * A rule over several fields of an object. It also runs when other fields are invalid, so that one response
 * lists every mistake; it sees missing and invalid fields as `undefined`. `tell` reports each field only once.
 */
export function rule<Shape extends object>(
  judge: (fields: Partial<Shape>, tell: (field: keyof Shape & string, code: string, message: string) => void) => void,
) {
  return z.core._check<Shape>(
    (context) => {
      const told = new Set(context.issues.map((issue) => issue.path?.[0]));
      const fields = Object.fromEntries(
        Object.entries(context.value).filter(([field]) => !told.has(field)),
      ) as Partial<Shape>;
      judge(fields, (field, code, message) => {
        if (told.has(field)) return;
        told.add(field);
        context.issues.push({ code: 'custom', input: fields[field], path: [field], message, params: { code } });
      });
    },
    { when: (payload: { value: unknown }) => typeof payload.value === 'object' && payload.value !== null },
  );
}
