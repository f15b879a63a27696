import fc from 'fast-check';

/**
 * JSON text that JSON.stringify cannot write: `raw('1e400')` inside a value becomes the bare text
 * `1e400` in what `hostileJson` answers.
 */
export function raw(text: string): string {
  return `\uE000${text}\uE000`;
}

export function hostileJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"\uE000([^"\uE000]*)\uE000"/g, '$1');
}

/** An object with one more field, also one called `__proto__`, which an assignment would not make. */
export function withField(object: object, name: string, value: unknown): object {
  const copy = { ...object };
  Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

export function withoutField(object: object, name: string): object {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}

/** What is no text at all. */
export const notText: readonly unknown[] = [
  null,
  true,
  false,
  0.5,
  -1,
  raw('1e400'),
  [],
  ['a'],
  {},
  { a: 1 },
  { length: 3 },
  { toString: 'a' },
  withField({}, '__proto__', { polluted: true }),
];

/** Text that no field takes: empty, or with characters that cannot be kept, signed or shown. */
export const brokenText: readonly string[] = [
  '',
  ' ',
  '\u00a0',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udfffb',
  '\udc00\ud800',
  '\u0007',
  '\u001b[31mred',
  'a\nb',
  'a\r\nSet-Cookie: a=b',
  'a\tb',
  '\u007f',
  '\u0085',
  '\u2028',
  '\u2029',
];

/** Text that is somebody's code, and ours is not to run or to stumble over. */
export const codeText: readonly string[] = [
  "'; drop table fiat_transactions; --",
  "' or '1'='1",
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '</script><script>alert(2)</script>',
  '{{7*7}}',
  '${7*7}',
  '<%= 7*7 %>',
  '%00%0a',
  '../../../etc/passwd',
  '\u202Egnp.exe',
  '\u200f\u200b',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e400',
  '😀👩‍👩‍👧',
  'e\u0301',
  '&lt;b&gt;',
  '\\u0000',
  "\\'",
];

/** One code point too many, counted in either of two ways, and far too many. */
export function tooLong(max: number): string[] {
  return ['x'.repeat(max + 1), '💳'.repeat(max + 1), 'x'.repeat(30_000)];
}

/** Names of fields that no request has. */
export const strangeNames: readonly string[] = [
  'extra',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  ' ',
  'a/b~c',
  '\u0000',
  '\ud800',
  '\u202E',
  'x'.repeat(10_000),
];

const hostileValue = fc.constantFrom<unknown>(
  ...notText,
  ...brokenText,
  ...codeText,
  ...['-0', '1e-7', '1e308', '9007199254740993', '-1e400', '0.1e1', '123456789012345678901234567890'].map(raw),
  'x'.repeat(3000),
  0,
  1,
  2 ** 53,
);

const junk = fc.oneof(hostileValue, fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: 'binary', maxLength: 40 }));
const name = fc.oneof(fc.constantFrom(...strangeNames), fc.string({ unit: 'binary', maxLength: 10 }));

/** One change at one place of a JSON value. */
export interface Mutation {
  /** Which place, counted through the value and around again. */
  place: number;
  how: 'replace' | 'remove' | 'add' | 'wrap' | 'nest' | 'swap';
  name: string;
  junk: unknown;
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  place: fc.nat({ max: 60 }),
  how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'wrap', 'nest', 'swap'),
  name,
  junk,
});

type Path = readonly (string | number)[];

function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, inner]) =>
      placesOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

/** The value with the change made; the value given stays as it is. */
export function mutate(value: unknown, change: Mutation): unknown {
  const places = placesOf(value);
  const path = places[change.place % places.length] ?? [];
  return changeAt(value, path, change);
}

function changeAt(value: unknown, path: Path, change: Mutation): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return changed(value, change);
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    if (rest.length === 0 && change.how === 'remove') return items.filter((_, index) => index !== key);
    return items.map((item, index) => (index === key ? changeAt(item, rest, change) : item));
  }
  const object = value as Record<string, unknown>;
  if (rest.length === 0 && change.how === 'remove') return withoutField(object, String(key));
  return withField(object, String(key), changeAt(object[key], rest, change));
}

function changed(value: unknown, change: Mutation): unknown {
  switch (change.how) {
    case 'replace':
      return change.junk;
    case 'remove':
      return null;
    case 'add':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? withField(value, change.name, change.junk)
        : [value, change.junk];
    case 'wrap':
      return [value];
    case 'nest':
      return withField({}, change.name, value);
    case 'swap':
      return typeof value === 'string' ? Number(value) : String(value);
  }
}
