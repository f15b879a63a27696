import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export type Schema = Record<string, unknown>;

interface Content {
  content: Record<string, { schema: Schema; examples?: Record<string, { summary: string; value: unknown }> }>;
}

export interface DocumentedOperation {
  operationId: string;
  parameters?: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
  method: string;
  path: string;
}

/** An independent reader of an OpenAPI document. */
export class ApiDocument {
  readonly operations: readonly DocumentedOperation[];
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false, validateSchema: false });
  /** Query parameters are text, regardless of their schema. */
  readonly #queryAjv = new Ajv2020({ strict: false, allErrors: false, validateSchema: false, coerceTypes: true });
  readonly #validators = new Map<Schema, ValidateFunction>();
  readonly #components: Record<string, Schema>;

  constructor(document: Schema) {
    const { paths, components } = document as {
      paths: Record<string, Record<string, DocumentedOperation>>;
      components: { schemas: Record<string, Schema> };
    };
    this.operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => ({ ...described, method: method.toUpperCase(), path })),
    );
    this.#components = components.schemas;
    addFormats.default(this.#ajv);
    for (const [name, schema] of Object.entries(components.schemas))
      for (const ajv of [this.#ajv, this.#queryAjv])
        ajv.addSchema(closed(schema) as Schema, `#/components/schemas/${name}`);
  }

  /** Resolves a schema reference. */
  resolve(schema: Schema): Schema {
    const name = typeof schema['$ref'] === 'string' ? schema['$ref'].replace('#/components/schemas/', '') : null;
    return name === null ? schema : this.resolve(this.#components[name] ?? {});
  }

  /** Validates values; undocumented fields are invalid. */
  validator(schema: Schema): ValidateFunction {
    const validate = this.#validators.get(schema) ?? this.#ajv.compile(closed(schema) as Schema);
    this.#validators.set(schema, validate);
    return validate;
  }

  /** Validates query strings. */
  queryValidator(schema: Schema): (query: object) => boolean {
    const validate = this.#queryAjv.compile(closed(schema) as Schema);
    // The validator modifies its input.
    return (query) => validate({ ...query });
  }

  /** The reason that a response is not documented for an operation; null if it is. */
  refuse(
    described: DocumentedOperation,
    result: { status: number; headers: Headers; body: unknown; text: string },
  ): string | null {
    const response = described.responses[String(result.status)];
    if (!response) return `${result.status} is not documented`;
    const type = (result.headers.get('content-type') ?? '').split(';')[0] ?? '';
    const content = response.content[type];
    if (!content) return `${result.status} as ${type} is not documented`;
    const validate = this.validator(content.schema);
    return validate(type.endsWith('json') ? result.body : result.text) ? null : this.#ajv.errorsText(validate.errors);
  }
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, closed(entry)]));
  return copy['type'] === 'object' && copy['properties'] && copy['additionalProperties'] === undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}
