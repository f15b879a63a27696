import { type ApiDocument, resolve, type Schema } from './document.ts';

/** Describes the type of a field: `text, 1 to 64 characters`. */
export function typeWords(document: ApiDocument, given: Schema): string {
  const schema = resolve(document, given);
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return inWords([...new Set(either.map((each) => typeWords(document, each)))], ', or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return 'one of';
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return 'any value';
  return inWords(
    types.map((type) => singleType(document, schema, type)),
    ', or ',
  );
}

function singleType(document: ApiDocument, schema: Schema, type: string): string {
  switch (type) {
    case 'string':
      return [formats[schema.format ?? ''] ?? 'text', lengthWords(schema.minLength, schema.maxLength, 'characters')]
        .filter(Boolean)
        .join(', ');
    case 'integer':
      return ['whole number', rangeWords(schema)].filter(Boolean).join(', ');
    case 'number':
      return ['number', rangeWords(schema)].filter(Boolean).join(', ');
    case 'boolean':
      return 'true or false';
    case 'array': {
      const inside = schema.items ? ` of ${plural(typeWords(document, schema.items))}` : '';
      return [`list${inside}`, lengthWords(schema.minItems, schema.maxItems, 'entries')].filter(Boolean).join(', ');
    }
    default:
      return type;
  }
}

const formats: Readonly<Record<string, string>> = { 'date-time': 'time (ISO 8601, UTC)', uri: 'URL' };

function plural(words: string): string {
  return words === 'object' ? 'objects' : words === 'text' ? 'texts' : words;
}

function lengthWords(least: number | undefined, most: number | undefined, unit: string): string {
  const count = (value: number) => value.toLocaleString('en-GB');
  if (most === undefined) return '';
  return least ? `${count(least)} to ${count(most)} ${unit}` : `at most ${count(most)} ${unit}`;
}

/** Omits limits that equal those of JSON numbers. */
function rangeWords({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string {
  const count = (value: number) => value.toLocaleString('en-GB');
  const least = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined;
  const most = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined;
  if (least !== undefined && most !== undefined) return `${count(least)} to ${count(most)}`;
  return [
    least === undefined ? '' : `at least ${count(least)}`,
    exclusiveMinimum === undefined ? '' : `more than ${count(exclusiveMinimum)}`,
    most === undefined ? '' : `at most ${count(most)}`,
    exclusiveMaximum === undefined ? '' : `less than ${count(exclusiveMaximum)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

function inWords(words: readonly string[], between: string): string {
  return words.join(between).replace(/, or null$/, ' or null');
}
