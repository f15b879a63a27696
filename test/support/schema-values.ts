import fc from 'fast-check';
import type { ApiDocument, Schema } from './api-document.ts';

// Created once: both are slow to set up. `fc.webUrl` alone would take 6 seconds.
const emailAddress = fc.emailAddress();
const webAddress = fc
  .tuple(fc.constantFrom('http', 'https'), fc.domain(), fc.string({ unit: 'grapheme' }), fc.string())
  .map(
    ([scheme, host, path, query]) => `${scheme}://${host}/${encodeURIComponent(path)}?q=${encodeURIComponent(query)}`,
  );

/** Values that a JSON Schema allows, for the keywords in use; `likely` values are preferred by field name. */
export function allowedBy(
  api: ApiDocument,
  given: Schema,
  likely: Readonly<Record<string, readonly unknown[]>>,
): fc.Arbitrary<unknown> {
  const schema = api.resolve(given);
  const recurse = (inner: Schema) => allowedBy(api, inner, likely);
  const { const: only, enum: values, anyOf, oneOf, type } = schema as Record<string, never[]>;
  if ('const' in schema) return fc.constant(only);
  if (values) return fc.constantFrom(...values);
  if (anyOf ?? oneOf) return fc.oneof(...(anyOf ?? oneOf ?? []).map(recurse));
  switch (type as unknown) {
    case 'object':
      if (typeof schema['additionalProperties'] === 'object')
        return fc.dictionary(fc.stringMatching(/^[\w -]{1,40}$/), recurse(schema['additionalProperties'] as Schema), {
          maxKeys: 3,
        });
      return recordOf(schema, (name, property) => {
        const own = recurse(property);
        const known = likely[name];
        return known
          ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: own })
          : own;
      });
    case 'array': {
      const {
        items = {},
        minItems = 0,
        maxItems = 5,
      } = schema as { items?: Schema; minItems?: number; maxItems?: number };
      return fc.array(recurse(items), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 4) });
    }
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return numberOf(schema, type as unknown as 'integer' | 'number');
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue();
  }
}

function recordOf(schema: Schema, valueOf: (name: string, property: Schema) => fc.Arbitrary<unknown>) {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Schema>; required?: string[] };
  const model = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, valueOf(name, each)]));
  return fc.record(model, { requiredKeys: required });
}

function textOf(schema: Schema): fc.Arbitrary<string> {
  const {
    pattern,
    format,
    minLength = 0,
    maxLength = 200,
  } = schema as {
    pattern?: string;
    format?: string;
    minLength?: number;
    maxLength?: number;
  };
  if (pattern) return fc.stringMatching(new RegExp(pattern, 'u'));
  if (format === 'uri') return webAddress;
  if (format === 'email') return emailAddress;
  const most = Math.min(maxLength, 300);
  return fc.oneof(
    fc.string({ minLength, maxLength: most }),
    anyCharacters(minLength, most),
    fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(most, 20) }),
  );
}

function numberOf(schema: Schema, type: 'integer' | 'number'): fc.Arbitrary<number> {
  const { minimum, maximum, exclusiveMinimum } = schema as Record<string, number | undefined>;
  const least = minimum ?? exclusiveMinimum ?? -1e9;
  const most = maximum ?? 1e9;
  if (type === 'integer') return fc.integer({ min: Math.ceil(least), max: Math.floor(most) });
  return fc.oneof(
    fc.integer({ min: Math.max(1, Math.ceil(least)), max: Math.min(most, 100_000) }).map((cents) => cents / 100),
    fc.double({ min: least, max: most, noNaN: true, minExcluded: exclusiveMinimum !== undefined }),
  );
}

/** Characters of every kind, including lone surrogates and controls. fast-check's `binary` takes 2 seconds to set up. */
export function anyCharacters(minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc
    .array(fc.oneof(fc.nat(0xff), fc.nat(0x10ffff)), { minLength, maxLength })
    .map((points) => points.map((point) => String.fromCodePoint(point)).join(''));
}
