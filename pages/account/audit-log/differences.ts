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
  if (Array.isArray(value)) {
    const names = value.map(nameOf);
    const areTold = names.length > 0 && names.every((each) => each !== '') && new Set(names).size === names.length;
    if (!areTold) return new Map([[name || 'value', written(value)]]);
    return new Map(value.flatMap((each, index) => [...flat(each, [name, names[index]].filter(Boolean).join('.'))]));
  }
  if (typeof value !== 'object') return new Map([[name || 'value', written(value)]]);
  const entries = Object.entries(value).flatMap(([key, each]) => [...flat(each, name === '' ? key : `${name}.${key}`)]);
  return new Map(entries);
}

/** What one of several is told apart by; empty where nothing says which it is. */
function nameOf(each: unknown): string {
  const { payment_method: method, currency } = (each ?? {}) as Record<string, unknown>;
  return [method, currency].filter((part) => typeof part === 'string').join(' ');
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
