import { type ApiDocument, resolveReference, type Schema } from './document.ts';

/** Describes the type of a field: `string, 1 to 64 characters`. */
export function describeType(document: ApiDocument, schemaOrReference: Schema): string {
  const schema = resolveReference(document, schemaOrReference);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return joinTypes([...new Set(variants.map((each) => describeType(document, each)))], ', or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return 'enum';
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return 'any value';
  return joinTypes(
    types.map((type) => describeSingleType(document, schema, type)),
    ', or ',
  );
}

function describeSingleType(document: ApiDocument, schema: Schema, type: string): string {
  switch (type) {
    case 'string': {
      const format = formats[schema.format ?? ''] ?? 'string';
      return [format, describeLength(schema.minLength, schema.maxLength, 'characters')].filter(Boolean).join(', ');
    }
    case 'integer':
      return ['integer', describeRange(schema)].filter(Boolean).join(', ');
    case 'number':
      return ['number', describeRange(schema)].filter(Boolean).join(', ');
    case 'boolean':
      return 'boolean';
    case 'array': {
      const inside = schema.items ? ` of ${plural(describeType(document, schema.items))}` : '';
      return [`array${inside}`, describeLength(schema.minItems, schema.maxItems, 'entries')].filter(Boolean).join(', ');
    }
    default:
      return type;
  }
}

const formats: Readonly<Record<string, string>> = { 'date-time': 'time (ISO 8601, UTC)', uri: 'URL' };

function plural(type: string): string {
  return /^(object|string|enum)$/.test(type) ? `${type}s` : type;
}

function describeLength(min: number | undefined, max: number | undefined, unit: string): string {
  const count = (value: number) => value.toLocaleString('en-GB');
  if (max === undefined) return '';
  return min ? `${count(min)} to ${count(max)} ${unit}` : `at most ${count(max)} ${unit}`;
}

/** Omits limits that equal those of JSON numbers. */
function describeRange({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string {
  const count = (value: number) => value.toLocaleString('en-GB');
  const min = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined;
  const max = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined;
  if (min !== undefined && max !== undefined) return `${count(min)} to ${count(max)}`;
  return [
    min === undefined ? '' : `at least ${count(min)}`,
    exclusiveMinimum === undefined ? '' : `more than ${count(exclusiveMinimum)}`,
    max === undefined ? '' : `at most ${count(max)}`,
    exclusiveMaximum === undefined ? '' : `less than ${count(exclusiveMaximum)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

function joinTypes(types: readonly string[], separator: string): string {
  return types.join(separator).replace(/, or null$/, ' or null');
}
