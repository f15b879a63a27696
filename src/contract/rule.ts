import { z } from 'zod';

/**
 * A rule over several fields of an object. It runs even when other fields are wrong, so that one
 * answer tells every mistake; fields that are missing or wrong are `undefined` in what it sees.
 * `tell` is silent about a field that something was said about already.
 */
export function rule<Shape extends object>(
  judge: (fields: Partial<Shape>, tell: (field: keyof Shape & string, code: string, message: string) => void) => void,
) {
  return z.core._check<Shape>(
    (context) => {
      const fields = context.value as Partial<Shape>;
      judge(fields, (field, code, message) => {
        if (context.issues.some((issue) => issue.path?.[0] === field)) return;
        context.issues.push({ code: 'custom', input: fields[field], path: [field], message, params: { code } });
      });
    },
    { when: (payload: { value: unknown }) => typeof payload.value === 'object' && payload.value !== null },
  );
}
