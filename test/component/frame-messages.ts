import fc from 'fast-check';
import { themeTokens } from '../../src/shared/frame/theme.ts';

/*
 * The allowed contents of messages between page and frame, specified independently of the contract's code. A limit
 * that is loosened there by mistake differs from the one here.
 */
export type Allowed =
  | { text: number }
  | { oneOf: readonly string[] }
  | 'truth'
  | 'count'
  | 'anyValue'
  | { listOf: Allowed }
  | { orNull: Allowed }
  | { exactly: Readonly<Record<string, Allowed>> }
  | { some: Readonly<Record<string, Allowed>> };

const word = { text: 128 };
const line = { text: 4096 };
const words = { listOf: word };
const payment = { exactly: { reference: word } };

export const fromFrameAllowed = {
  'pay-ready': payment,
  'pay-change': { exactly: { complete: 'truth', empty: 'truth', brand: { orNull: word }, invalid: words } },
  'pay-submit': { exactly: { trigger: { oneOf: ['buyer', 'page'] } } },
  'pay-challenge': { exactly: { reference: word, redirect: 'truth' } },
  'pay-success': payment,
  'pay-pending': payment,
  'pay-decline': {
    exactly: { reference: word, code: word, advice: word, retryable: 'truth', attemptsLeft: 'count' },
  },
  'pay-cancel': { exactly: { reference: word, reason: { oneOf: ['challenge', 'merchant', 'prevented'] } } },
  'pay-error': { exactly: { code: word, message: line, retryable: 'truth', reference: { orNull: word } } },
  theme: { exactly: { color: words, columnGap: words, fontFamily: words } },
  labels: { exactly: { label: line, incomplete: line } },
  height: { exactly: { height: 'count' } },
  reveal: { exactly: {} },
  leave: { exactly: { address: line } },
} as const satisfies Record<string, Allowed>;

const tokens = Object.fromEntries(
  Object.values(themeTokens)
    .flat()
    .map((name) => [name, line]),
);

export const toFrameAllowed = {
  configure: {
    exactly: {
      locale: line,
      direction: line,
      scheme: { oneOf: ['light', 'dark'] },
      tokens: { some: tokens },
      disabled: 'truth',
      redirect: line,
      button: 'truth',
      billing: 'anyValue',
    },
  },
  verdict: { exactly: { go: 'truth' } },
  submit: { exactly: {} },
  report: { exactly: {} },
  focus: { exactly: {} },
  reset: { exactly: {} },
} as const satisfies Record<string, Allowed>;

/** Valid values, including the limits. */
export function validValues(allowed: Allowed): fc.Arbitrary<unknown> {
  if (allowed === 'truth') return fc.boolean();
  if (allowed === 'anyValue') return fc.jsonValue();
  if (allowed === 'count') return fc.oneof(fc.nat(), fc.constantFrom(0, Number.MAX_SAFE_INTEGER));
  if ('text' in allowed) {
    const { text: max } = allowed;
    const longest = fc.constantFrom('x', '\u0000', '\ud800').map((character) => character.repeat(max));
    return fc.oneof(
      fc.string({ maxLength: Math.min(max, 50) }).filter(({ length }) => length <= max),
      longest,
    );
  }
  if ('oneOf' in allowed) return fc.constantFrom(...allowed.oneOf);
  if ('orNull' in allowed) return fc.option(validValues(allowed.orNull), { nil: null });
  if ('listOf' in allowed) {
    const inner = validValues(allowed.listOf);
    return fc.oneof(
      fc.array(inner, { maxLength: 5 }),
      inner.map((item) => Array.from({ length: 99 }, () => item)),
    );
  }
  if ('some' in allowed) return fc.record(validProperties(allowed.some), { requiredKeys: [] });
  return fc.record(validProperties(allowed.exactly));
}

const validProperties = (properties: Readonly<Record<string, Allowed>>) =>
  Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, validValues(inner)]));

/** Invalid values one step away from a valid value: each limit exceeded by one, each part replaced. */
function* invalidValues(allowed: Allowed, value: unknown): Generator {
  yield* [undefined, null, true, 1, 'x', ['x'], {}].filter((other) => !isValid(allowed, other));
  if (allowed === 'anyValue') return;
  if (allowed === 'truth') yield* [0, 'true'];
  else if (allowed === 'count') yield* [-1, 0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, '1', 1n];
  else if ('text' in allowed) yield* ['x'.repeat(allowed.text + 1), ['x']];
  else if ('oneOf' in allowed) yield* ['', ` ${allowed.oneOf[0]}`, [allowed.oneOf[0]]];
  else if ('orNull' in allowed) yield* invalidValues(allowed.orNull, value ?? '');
  else if ('listOf' in allowed) {
    yield Array.from({ length: 100 }, () => 'x');
    // An array hole is not a string. Many array methods skip holes, so this case is explicit.
    yield* [Object.assign([], { length: 1 }), Object.assign(['x'], { length: 3 }), { length: 0 }];
    for (const item of invalidValues(allowed.listOf, 'x')) yield ['x', item];
  } else {
    const whole = value as Record<string, unknown>;
    const properties = 'some' in allowed ? allowed.some : allowed.exactly;
    yield [whole];
    for (const name of [...inheritedNames, 'more']) yield withProperty(whole, name, 'x');
    for (const [name, inner] of Object.entries(properties)) {
      for (const bad of invalidValues(inner, whole[name] ?? {})) yield withProperty(whole, name, bad);
      if ('exactly' in allowed) yield without(whole, name);
    }
  }
}

/** Names of inherited properties. */
export const inheritedNames = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'] as const;
export const propertyNames = fc.oneof(fc.constantFrom(...inheritedNames, 'digits', 'card_number', 'type'), fc.string());
/** All values that can be sent between windows; functions and symbols cannot. */
export const clonableValues = fc.anything({
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withBigInt: true,
});

/** An object with one more own property. Supports `__proto__`, which an assignment would not create. */
export function withProperty(object: object, name: string, value: unknown): object {
  return Object.defineProperty({ ...object }, name, { value, enumerable: true, configurable: true, writable: true });
}

const without = (object: object, name: string) =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));

/** Valid messages of one type. */
export const validMessages = (type: string, allowed: Allowed) =>
  validValues(allowed).map((rest) => ({ ...(rest as object), type }));

/** All variants of a message with exactly one error. */
export function invalidVariants(message: { type: string }, allowed: Allowed): unknown[] {
  const { type } = message;
  return [...invalidValues(allowed, without(message, 'type'))].flatMap((rest) => {
    if (typeof rest !== 'object' || rest === null) return [];
    const broken = { ...rest, type };
    return isValid(allowed, without(broken, 'type')) ? [] : [broken];
  });
}

function isValid(allowed: Allowed, value: unknown): boolean {
  if (allowed === 'anyValue') return value !== undefined;
  if (allowed === 'truth') return typeof value === 'boolean';
  if (allowed === 'count') return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  if ('text' in allowed) return typeof value === 'string' && value.length <= allowed.text;
  if ('oneOf' in allowed) return typeof value === 'string' && allowed.oneOf.includes(value);
  if ('orNull' in allowed) return value === null || isValid(allowed.orNull, value);
  if ('listOf' in allowed) {
    // An array hole is not a string. Many array methods skip holes, so this case is explicit.
    return (
      Array.isArray(value) &&
      value.length < 100 &&
      [...(value as unknown[])].every((item) => isValid(allowed.listOf, item))
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = new Map<string, unknown>(Object.entries(value));
  const properties = new Map<string, Allowed>(Object.entries('some' in allowed ? allowed.some : allowed.exactly));
  if ('exactly' in allowed && entries.size !== properties.size) return false;
  return [...entries].every(([name, inner]) => {
    const allowedValue = properties.get(name);
    return allowedValue !== undefined && isValid(allowedValue, inner);
  });
}
