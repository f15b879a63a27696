/*
 * Shapes for messages between windows. zod's smallest build is larger than all that runs on a
 * merchant's page together, so these few are written by hand; everything else in `contract/` is zod.
 */

/** Tells whether a value from outside is a `T`, and nothing more: unknown properties are refused. */
export type Shape<T> = (value: unknown) => value is T;

/** What a shape accepts. */
export type ShapeOf<S> = S extends Shape<infer T> ? T : never;

/** Text of at most `max` UTF-16 code units. */
export const text =
  (max: number): Shape<string> =>
  (value): value is string =>
    typeof value === 'string' && value.length <= max;

export const truth: Shape<boolean> = (value): value is boolean => typeof value === 'boolean';

/** A whole number, not negative. */
export const count: Shape<number> = (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

export const oneOf =
  <const T extends string>(...words: readonly T[]): Shape<T> =>
  (value): value is T =>
    words.includes(value as T);

export const orNull =
  <T>(shape: Shape<T>): Shape<T | null> =>
  (value): value is T | null =>
    value === null || shape(value);

/** A list of at most 99. */
export const listOf =
  <T>(shape: Shape<T>): Shape<T[]> =>
  (value): value is T[] =>
    // Copied, for a hole is no item to `every`.
    Array.isArray(value) && value.length < 100 && [...(value as unknown[])].every(shape);

type Shapes = Readonly<Record<string, Shape<unknown>>>;

/** An object with exactly these properties. */
export const object =
  <S extends Shapes>(shapes: S): Shape<{ [Name in keyof S]: ShapeOf<S[Name]> }> =>
  (value): value is { [Name in keyof S]: ShapeOf<S[Name]> } => {
    const given = Object(value) as Record<string, unknown>;
    const all = Object.entries(shapes);
    // No shape accepts what is not there: as many names, each of them right, are these names.
    return given === value && Object.keys(given).length === all.length && all.every(([name, is]) => is(given[name]));
  };

/** Whatever is there, for whoever reads it alone. */
export const anything: Shape<unknown> = (value): value is unknown => value !== undefined;

/** An object of any properties, for whoever reads it one by one. */
export const anyObject: Shape<Readonly<Record<string, unknown>>> = (
  value,
): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object that may have these properties, and no others. */
export const some =
  <S extends Shapes>(shapes: S): Shape<{ [Name in keyof S]?: ShapeOf<S[Name]> }> =>
  (value): value is { [Name in keyof S]?: ShapeOf<S[Name]> } =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).every(
      (name) => Object.hasOwn(shapes, name) && shapes[name]?.((value as Record<string, unknown>)[name]),
    );

/** A message: an object whose `type` says which of the shapes its other properties have. */
export type MessageOf<M extends Readonly<Record<string, Shape<object>>>> = {
  [Type in keyof M]: { type: Type } & ShapeOf<M[Type]>;
}[keyof M];

/** Tells whether `value` is `{type, ...}` of one of these messages. */
export const message =
  <M extends Readonly<Record<string, Shape<object>>>>(shapes: M) =>
  (value: unknown): value is MessageOf<M> => {
    const { type, ...rest } = (value ?? {}) as Record<string, unknown>;
    return typeof type === 'string' && Object.hasOwn(shapes, type) && !!shapes[type]?.(rest);
  };
