/** A changed value; null if there was none. */
export interface Difference {
  name: string;
  before: string | null;
  after: string | null;
}

/** Differences between two states of an object. Nested fields have their full path, `address.city`. */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const [oldValues, newValues] = [flatten(before), flatten(after)];
  const names = [...new Set([...oldValues.keys(), ...newValues.keys()])];
  return names
    .map((name) => ({ name, before: oldValues.get(name) ?? null, after: newValues.get(name) ?? null }))
    .filter((difference) => difference.before !== difference.after);
}

function flatten(value: unknown, name = ''): Map<string, string> {
  if (value === null || value === undefined) return new Map();
  if (Array.isArray(value)) {
    const names = value.map(itemName);
    const areUnique = names.length > 0 && names.every((item) => item !== '') && new Set(names).size === names.length;
    if (!areUnique) return new Map([[name || 'value', formatValue(value)]]);
    return new Map(value.flatMap((item, index) => [...flatten(item, [name, names[index]].filter(Boolean).join('.'))]));
  }
  if (typeof value !== 'object') return new Map([[name || 'value', formatValue(value)]]);
  const entries = Object.entries(value).flatMap(([key, item]) => [
    ...flatten(item, name === '' ? key : `${name}.${key}`),
  ]);
  return new Map(entries);
}

/** Identifies an item of an array; empty if it has no identifying field. */
function itemName(item: unknown): string {
  const { payment_method: method, currency } = (item ?? {}) as Record<string, unknown>;
  return [method, currency].filter((part) => typeof part === 'string').join(' ');
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
