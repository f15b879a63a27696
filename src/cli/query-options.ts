import { type Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { metadataFilter } from '../api/metadata.ts';
import { parseWith } from '../http/validation.ts';
import { withOptionNames } from './options.ts';

/** API parameters without an option, because commands print all pages. */
const PAGING = ['cursor', 'per_page'];

type Query = z.ZodObject<Record<string, z.ZodType>>;

/**
 * Adds an option for each parameter of an API query, with the same name, format and values: `--updated-since` for
 * `updated_since`. Commas separate several values of a filter.
 */
export function addQueryOptions(command: Command, query: Query): Command {
  for (const [name, schema] of Object.entries(query.shape))
    if (!PAGING.includes(name)) command.addOption(optionFor(name, schema));
  return command;
}

/** Reads the options of `addQueryOptions`. */
export async function readQueryOptions<Schema extends Query>(
  query: Schema,
  options: Readonly<Record<string, unknown>>,
): Promise<z.output<Schema>> {
  const raw = Object.fromEntries(
    Object.keys(query.shape)
      .map((name) => [name, options[camelCase(name)]] as const)
      .filter(([, value]) => value !== undefined),
  );
  return await withOptionNames({}, () => Promise.resolve(parseWith(query, raw)));
}

function optionFor(name: string, schema: z.ZodType): Option {
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  const long = `--${name.replaceAll('_', '-')}`;
  const description = describe(schema.description ?? inner.description) || `filter by ${name.replaceAll('_', ' ')}`;
  if (name === 'metadata')
    return new Option(`${long} <key=value>`, 'filter by a metadata pair; repeat to require several').argParser(
      parsePair,
    );
  if (inner instanceof z.ZodLiteral) return new Option(long, description).preset(inner.value);
  if (inner instanceof z.ZodEnum) return new Option(`${long} <value>`, description).choices(valuesOf(inner));
  if (!(inner instanceof z.ZodArray)) return new Option(`${long} <value>`, description);
  const option = new Option(`${long} <values>`, `${description}; several are separated by commas`);
  if (inner.element instanceof z.ZodEnum && inner.element.options.length <= 20) option.choices(valuesOf(inner.element));
  // Set after the choices, which apply to one value. The query validates each value.
  return option.argParser((input: string) => input.split(','));
}

function valuesOf(schema: z.ZodEnum): string[] {
  return schema.options.map(String);
}

/** Converts an API description to help text: its first sentence, in lowercase and without backticks. */
function describe(text = ''): string {
  return text
    .split('. ', 1)
    .join('')
    .replaceAll('`', '')
    .replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function parsePair(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new InvalidArgumentError('It must be KEY=VALUE.');
  const pairs = { ...before, [key]: value };
  const result = metadataFilter.safeParse(pairs);
  if (!result.success) throw new InvalidArgumentError(`It ${result.error.issues[0]?.message}.`);
  return pairs;
}
