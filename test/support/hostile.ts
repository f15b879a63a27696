import fc from 'fast-check';
import type { ApiDocument, Schema } from './api-document.ts';
import { anyCharacters } from './schema-values.ts';

/**
 * JSON text that JSON.stringify cannot produce: `raw('1e400')` inside a value becomes the bare text `1e400` in the
 * output of `hostileJson`.
 */
export function raw(text: string): string {
  return `\uE000${text}\uE000`;
}

export function hostileJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"\uE000([^"\uE000]*)\uE000"/g, '$1');
}

/** An object with an additional field, even `__proto__`, which an assignment would not create. */
export function withField(object: object, name: string, value: unknown): object {
  const copy = { ...object };
  Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

export function withoutField(object: object, name: string): object {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}

/** Values that are not text. */
export const nonTextValues: readonly unknown[] = [
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

/** Text that no field accepts: empty, or with characters that cannot be stored, signed or shown. */
export const malformedTexts: readonly string[] = [
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

/** Injection attempts: text that is code in some language. */
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

/** Texts that are not JSON; `valid` is the text of a valid body. */
export function malformedJson(valid: string): string[] {
  return [
    ...['{', '}', '{]', '{"a":}', '{"a":1,}', "{'a':1}", '{a:1}', 'NaN', 'undefined', '\u0000', '/**/{}', ' '],
    ...[`${valid}x`, `${valid}${valid}`, valid.slice(0, -1), `<xml>${valid}</xml>`, '{"a":"\u0000"}'],
  ];
}

/** JSON that is not an object. */
export function jsonWithoutObject(valid: string): string[] {
  return ['null', 'true', '5', '1e400', '"text"', '[]', `[${valid}]`, JSON.stringify(valid)];
}

export const invalidUtf8: readonly Buffer[] = [
  [0xff],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf5, 0x80, 0x80, 0x80],
  [0xfe, 0xff, 0x00, 0x7b],
  [0x80],
].map((bytes) => Buffer.from(bytes));

/** Content types of which none is JSON. */
export const otherTypes: readonly string[] = [
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp'],
  ...['json', '*/*', 'text/json', ''],
];

/** One code point too many, counted in two ways. */
function tooLong(max: number): string[] {
  return ['x'.repeat(max + 1), ...(max < 9000 ? ['💳'.repeat(max + 1)] : [])];
}

/** Unusual JSON number notations, and text that some parsers accept as a number. */
const unusualNumbers: readonly unknown[] = [
  ...['-0', '1e-7', '5e-324', '0.1e1', '1e308', '-1e400', '9007199254740992', '123456789012345678901234567890'].map(
    raw,
  ),
  ...['12.50', 'NaN', 'Infinity', '0x1', '１'],
];

/** Texts that an integer parameter rejects. */
const invalidIntegers: readonly string[] = [
  ...['-1', '1.5', '1e1', '0x1', '+1', '01', ' 1', '１', 'NaN', 'all', '2.0', '99999999999999999999'],
];

/**
 * Values that a body field must reject: those outside its schema, and malformed text. `valid` is an accepted value.
 */
export function hostileTo(schema: Schema, allows: (value: unknown) => boolean, valid: unknown): unknown[] {
  const { maxItems = 0 } = schema as { maxItems?: number };
  const tooMany = Array.isArray(valid) ? [Array.from({ length: maxItems + 1 }, () => valid[0] as unknown)] : [];
  const candidates = [
    ...nonTextValues,
    ...codeText,
    ...unusualNumbers,
    ...tooLong(longest(schema)),
    ...beyond(schema),
    ...tooMany,
  ];
  return [...malformedTexts, ...candidates.filter((value) => !allows(JSON.parse(hostileJson(value))))];
}

/** The same for a query parameter, which is text. An empty one counts as absent. */
export function hostileToParameter(schema: Schema, allows: (value: string) => boolean): string[] {
  const broken = malformedTexts.filter((value) => value !== '' && value.isWellFormed());
  const integers = schema['type'] === 'integer' ? invalidIntegers : [];
  const candidates = [...codeText, ...tooLong(longest(schema))].filter((value) => !allows(value));
  return [...broken, ...integers, ...candidates];
}

function longest({ maxLength, anyOf }: Schema): number {
  if (Array.isArray(anyOf)) return Math.max(...anyOf.map((each) => longest(each as Schema)));
  return typeof maxLength === 'number' ? maxLength : 0;
}

/** The nearest integers outside the bounds. */
function beyond(schema: Schema): number[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema as Record<string, number | undefined>;
  return [
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...[exclusiveMinimum, exclusiveMaximum].filter((bound) => bound !== undefined),
  ];
}

/** An object or list within a body, with the schemas of its entries. */
export interface Container {
  path: Path;
  schema: Schema;
  children: Readonly<Record<string, Schema>>;
}

/** Every object and list of a valid body in its schema, the body first; of lists the first item. */
export function containersOf(api: ApiDocument, given: Schema, value: unknown, path: Path = []): Container[] {
  const schema = api.resolve(given);
  const inner = (children: Record<string, Schema>): Container[] => [
    { path, schema, children },
    ...Object.entries(children).flatMap(([name, child]) =>
      containersOf(api, child, (value as Record<string, unknown>)[name], [...path, name]),
    ),
  ];
  if (typeof value !== 'object' || value === null) return [];
  if (schema['type'] === 'object') return inner((schema['properties'] ?? {}) as Record<string, Schema>);
  if (schema['type'] === 'array' && Array.isArray(value) && value.length > 0)
    return inner({ 0: schema['items'] as Schema });
  return [];
}

/** The value at a path. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value);
}

/** A copy of the value, with `change` applied at a path. */
export function changedAt(value: unknown, path: Path, change: (inner: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (index === Number(key) ? changedAt(item, rest, change) : item));
  const object = value as Record<string, unknown>;
  return withField(object, String(key), changedAt(object[key], rest, change));
}

/** RFC 6901, implemented independently of the service. */
export function pointerTo(path: Path): string {
  return path.map((key) => `/${String(key).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Field names that no request has. */
export const unknownFieldNames: readonly string[] = [
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
  ...nonTextValues,
  ...malformedTexts,
  ...codeText,
  ...['-0', '1e-7', '1e308', '9007199254740993', '-1e400', '0.1e1', '123456789012345678901234567890'].map(raw),
  'x'.repeat(3000),
  0,
  1,
  2 ** 53,
);

const junk = fc.oneof(hostileValue, fc.jsonValue({ maxDepth: 3 }), anyCharacters(0, 40));
const name = fc.oneof(fc.constantFrom(...unknownFieldNames), anyCharacters(0, 10));

/** A change at one position of a JSON value. */
interface Mutation {
  /** The index of the position, modulo their number. */
  place: number;
  how: 'replace' | 'remove' | 'add' | 'wrap' | 'nest' | 'swap';
  name: string;
  junk: unknown;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  place: fc.nat({ max: 60 }),
  how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'wrap', 'nest', 'swap'),
  name,
  junk,
});

export type Path = readonly (string | number)[];

function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, inner]) =>
      placesOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

/** A copy of the value with the change applied. */
function mutate(value: unknown, change: Mutation): unknown {
  const places = placesOf(value);
  const path = places[change.place % places.length] ?? [];
  const key = path.at(-1);
  if (change.how !== 'remove' || key === undefined) return changedAt(value, path, (inner) => changed(inner, change));
  return changedAt(value, path.slice(0, -1), (parent) =>
    Array.isArray(parent) ? parent.filter((_, index) => index !== key) : withoutField(parent as object, String(key)),
  );
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

const textChange = fc.record({
  at: fc.nat(),
  cut: fc.nat({ max: 8 }),
  insert: anyCharacters(0, 4),
});

/** Turns a valid body into text with one change: of a value, or of the text. */
export const bodyChange: fc.Arbitrary<(valid: unknown) => string> = fc.oneof(
  mutation.map((change) => (valid: unknown) => hostileJson(mutate(valid, change))),
  textChange.map(({ at, cut, insert }) => (valid: unknown) => {
    const text = hostileJson(valid);
    const from = at % (text.length + 1);
    return text.slice(0, from) + insert + text.slice(from + cut);
  }),
);
