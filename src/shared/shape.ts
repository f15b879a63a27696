/*
 * Validators for messages between windows. The smallest zod build is larger than all our code on a merchant's page, so
 * these few are written by hand.
 */

/** Returns true if an untrusted value is exactly a `T`; unknown properties are rejected. */
export type Shape<T> = (value: unknown) => value is T;

/** The type that a shape accepts. */
export type ShapeOf<S> = S extends Shape<infer T> ? T : never;

/** Text of at most `max` UTF-16 code units. */
export const text =
  (max: number): Shape<string> =>
  (value): value is string =>
    typeof value === 'string' && value.length <= max;

export const boolean: Shape<boolean> = (value): value is boolean => typeof value === 'boolean';

/** A whole number, not negative. */
export const count: Shape<number> = (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

export const oneOf =
  <const T extends string>(...values: readonly T[]): Shape<T> =>
  (value): value is T =>
    values.includes(value as T);

export const orNull =
  <T>(shape: Shape<T>): Shape<T | null> =>
  (value): value is T | null =>
    value === null || shape(value);

/** A list of at most 99. */
export const listOf =
  <T>(shape: Shape<T>): Shape<T[]> =>
  (value): value is T[] =>
    // Copied, because `every` skips holes.
    Array.isArray(value) && value.length < 100 && [...(value as unknown[])].every(shape);

type Shapes = Readonly<Record<string, Shape<unknown>>>;

/** An object with exactly these properties. */
export const object =
  <S extends Shapes>(shapes: S): Shape<{ [Name in keyof S]: ShapeOf<S[Name]> }> =>
  (value): value is { [Name in keyof S]: ShapeOf<S[Name]> } => {
    const candidate = Object(value) as Record<string, unknown>;
    const all = Object.entries(shapes);
    // No shape accepts undefined, so the same number of valid names means the same names.
    return (
      candidate === value &&
      Object.keys(candidate).length === all.length &&
      all.every(([name, is]) => is(candidate[name]))
    );
  };

/** Any value, validated by its reader. */
export const anything: Shape<unknown> = (value): value is unknown => value !== undefined;

/** An object with any properties, validated by its reader. */
export const anyObject: Shape<Readonly<Record<string, unknown>>> = (
  value,
): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object that may have these properties, and no others. */
export const partial =
  <S extends Shapes>(shapes: S): Shape<{ [Name in keyof S]?: ShapeOf<S[Name]> }> =>
  (value): value is { [Name in keyof S]?: ShapeOf<S[Name]> } =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).every(
      (name) => Object.hasOwn(shapes, name) && shapes[name]?.((value as Record<string, unknown>)[name]),
    );

/** A message: an object whose `type` selects the shape of its other properties. */
export type MessageOf<M extends Readonly<Record<string, Shape<object>>>> = {
  [Type in keyof M]: { type: Type } & ShapeOf<M[Type]>;
}[keyof M];

/** Returns true if `value` is one of these messages. */
export const message =
  <M extends Readonly<Record<string, Shape<object>>>>(shapes: M) =>
  (value: unknown): value is MessageOf<M> => {
    const { type, ...rest } = (value ?? {}) as Record<string, unknown>;
    return typeof type === 'string' && Object.hasOwn(shapes, type) && !!shapes[type]?.(rest);
  };
