/** A value that was changed; null where there was none. */
export interface Difference {
  name: string;
  before: string | null;
  after: string | null;
}

/** What is not the same in two states of something; fields within fields by their whole names, `address.city`. */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const [old, now] = [flat(before), flat(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])];
  return names
    .map((name) => ({ name, before: old.get(name) ?? null, after: now.get(name) ?? null }))
    .filter((difference) => difference.before !== difference.after);
}

function flat(value: unknown, name = ''): Map<string, string> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== 'object' || Array.isArray(value)) return new Map([[name || 'value', written(value)]]);
  const entries = Object.entries(value).flatMap(([key, each]) => [...flat(each, name === '' ? key : `${name}.${key}`)]);
  return new Map(entries);
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
