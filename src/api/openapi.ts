import { z } from 'zod';
import { scopeMeanings } from '../shared/scopes.ts';
import {
  bodyProblems,
  commonProblems,
  isFileResponse,
  type Operation,
  type OperationExample,
  operationGroups,
  idempotencyProblems,
  acceptsIdempotencyKey,
} from './operation.ts';
import { webhookExamples } from './operations/example-webhooks.ts';
import { webhookBodies, webhookEvents, webhookEventTypes } from './webhook-events.ts';
import { type ProblemCode, problemCatalog, problemDocument } from './problem.ts';

type Json = Record<string, unknown>;

/**
 * The OpenAPI 3.1 document, generated from the operations that the server uses. Schemas with an `id` become
 * components.
 */
export function describeApi(options: {
  operations: readonly Operation[];
  version: string;
  /** Base URL of the service. */
  publicUrl: string;
}): Json {
  const components: Record<string, Json> = {};
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => toSchema(schema, io, components);
  const paths: Record<string, Json> = {};
  for (const operation of options.operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: toOperation(operation, schemaOf),
    };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Paylatch',
      version: options.version,
      contact: { name: 'API reference of this installation', url: `${options.publicUrl}/reference` },
      description:
        'Payment links, card payments, crypto invoices and account management.\n\nAmounts are decimal numbers in the currency’s main unit; amounts of cryptocurrencies are whole numbers of the smallest unit unless stated otherwise. Times are ISO 8601 in UTC. Unknown fields are rejected. Errors are `application/problem+json` (RFC 9457) with a stable `code`.',
    },
    servers: [{ url: options.publicUrl }],
    externalDocs: { description: 'API reference with every error', url: `${options.publicUrl}/reference` },
    security: [{ accessToken: [] }, { clientCredentials: [] }],
    tags: Object.values(operationGroups).map((name) => ({ name })),
    paths,
    webhooks: describeWebhooks(schemaOf),
    components: {
      schemas: components,
      parameters: {
        ...webhookHeaders,
        'Idempotency-Key': {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'For 24 hours, the same request with the same key returns the first response with `Idempotency-Replayed: true` and is not executed again.',
          schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
          example: '5f3b1c1e-6d0f-4a2b-9a55-0d6f0b1f7c11',
        },
      },
      headers: {
        'Request-Id': {
          description: 'ID of the request; include it when you contact support.',
          schema: { type: 'string' },
        },
      },
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'Access token of the merchant.',
        },
        clientCredentials: {
          type: 'oauth2',
          description: 'Exchanges client credentials for an access token that is valid for an hour.',
          flows: { clientCredentials: { tokenUrl: `${options.publicUrl}/oauth/token`, scopes: { ...scopeMeanings } } },
        },
      },
    },
  };
}

/** Headers of every webhook, as Standard Webhooks defines them. */
const webhookHeaders = {
  'webhook-id': {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'Event ID, the same for every delivery attempt. Ignore events that you have already processed.',
    schema: { type: 'string' },
    example: 'evt_a2NXoWdzJg99-U3RoByt4uebgMs',
  },
  'webhook-timestamp': {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'Time of the attempt in Unix seconds. Reject it if it differs from your clock by more than 5 minutes.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '1795510800',
  },
  'webhook-signature': {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'Signatures of `webhook-id`, `webhook-timestamp` and the raw body joined by dots, separated by spaces: `v1,` HMAC-SHA-256 with your secret, `v1a,` Ed25519 with your public key.',
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
};

const EXAMPLE_TIMESTAMP = '2026-11-21T10:05:00.000000Z';

/** Requests to the merchant's webhook endpoint, by event type. */
function describeWebhooks(schemaOf: SchemaOf): Json {
  return Object.fromEntries(
    webhookEventTypes.map((type) => {
      const { summary, sentWhen, dataIs } = webhookEvents[type];
      const post = {
        summary,
        description: `Sent when ${sentWhen}. \`data\` is ${dataIs}.`,
        security: [],
        parameters: Object.keys(webhookHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: schemaOf(webhookBodies[type], 'output'),
              example: { type, timestamp: EXAMPLE_TIMESTAMP, data: webhookExamples[type] },
            },
          },
        },
        responses: {
          '2XX': { description: 'Delivered. Respond within 15 seconds.' },
          '410': { description: 'Disables the endpoint. Nothing is sent until it is enabled again.' },
          default: { description: 'Not delivered. The webhook is retried with increasing delays.' },
        },
      };
      return [type, { post }];
    }),
  );
}

type SchemaOf = (schema: z.ZodType, io: 'input' | 'output') => Json;

function toOperation(operation: Operation, schemaOf: SchemaOf): Json {
  // Validity may depend on the current time; the shape does not.
  const body = typeof operation.body === 'function' ? operation.body(0) : operation.body;
  const requirement = `Needs the scope \`${operation.scope}\`${operation.managerOnly ? ' and a manager’s token' : ''}.`;
  const parameters = [
    ...(operation.query ? toParameters(schemaOf(operation.query, 'input'), operation.examples) : []),
    ...(acceptsIdempotencyKey(operation) ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
  ];
  return {
    operationId: operation.id,
    tags: [operationGroups[operation.group]],
    summary: operation.summary,
    description: operation.description ? `${operation.description}\n\n${requirement}` : requirement,
    security: [{ accessToken: [] }, { clientCredentials: [operation.scope] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: schemaOf(body, 'input'),
            ...examplesOf(operation.examples, (example) => example.body),
          },
        },
      },
    }),
    responses: {
      '200': {
        description: operation.summary,
        headers: isFileResponse(operation.response) ? { ...referenceHeader, ...fileHeader } : referenceHeader,
        content: {
          [isFileResponse(operation.response) ? operation.response.mediaType : 'application/json']: {
            schema: schemaOf(
              isFileResponse(operation.response) ? operation.response.text : operation.response,
              'output',
            ),
            ...examplesOf(operation.examples, (example) => example.response),
          },
        },
      },
      ...problemResponses(
        [
          ...commonProblems,
          ...(body ? bodyProblems : []),
          ...(acceptsIdempotencyKey(operation) ? idempotencyProblems : []),
          ...operation.problems,
        ],
        schemaOf,
      ),
    },
  };
}

const referenceHeader = { 'Request-Id': { $ref: '#/components/headers/Request-Id' } };
const fileHeader = {
  'Content-Disposition': {
    description: 'Suggested file name.',
    schema: { type: 'string' },
    example: 'attachment; filename="transactions-2026-11-21.csv"',
  },
};

function examplesOf(examples: readonly OperationExample[], valueOf: (example: OperationExample) => unknown): Json {
  const entries = examples.flatMap((example, index) => {
    const value = valueOf(example);
    return value === undefined ? [] : [[`example-${index + 1}`, { summary: example.summary, value }] as const];
  });
  return entries.length > 0 ? { examples: Object.fromEntries(entries) } : {};
}

function toParameters(schema: Json, examples: readonly OperationExample[]): Json[] {
  const required = (schema['required'] ?? []) as string[];
  return Object.entries((schema['properties'] ?? {}) as Record<string, Json>).map(([name, property]) => {
    const { description, pattern, ...others } = property;
    // A number's pattern applies to its text form.
    const rest = property['type'] === 'integer' ? others : { ...others, ...(pattern !== undefined && { pattern }) };
    const exampleValue = examples.map(({ query }) => query?.[name]).find((value) => value !== undefined);
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema: rest,
      ...(property['type'] === 'object' && { style: 'deepObject', explode: true }),
      ...(property['type'] === 'array' && { style: 'form', explode: false }),
      ...(exampleValue !== undefined && {
        example: exampleOf(property['type'], exampleValue),
      }),
    };
  });
}

/** An example's value in the type of its schema. */
function exampleOf(type: unknown, text: string): unknown {
  if (type === 'integer') return Number(text);
  return type === 'array' ? text.split(',') : text;
}

/** One response for each status, with its problem codes. */
function problemResponses(codes: readonly ProblemCode[], schemaOf: SchemaOf): Json {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set(codes)) {
    const { status } = problemCatalog[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const statuses = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    statuses.map(([status, all]) => [
      String(status),
      {
        description: all.map((code) => `\`${code}\`: ${problemCatalog[code].title}`).join('; '),
        headers: referenceHeader,
        content: {
          'application/problem+json': {
            schema: { allOf: [schemaOf(problemDocument, 'output'), { properties: { code: { enum: all } } }] },
          },
        },
      },
    ]),
  );
}

/** A schema as JSON Schema; schemas with an `id` become components. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', components: Record<string, Json>): Json {
  const {
    $schema: _,
    $defs,
    ...own
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // Responses may gain fields, so clients must allow unknown ones.
    override: ({ jsonSchema }) => {
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  }) as Json;
  for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>)) {
    const { id: _id, ...rest } = definition;
    components[name] = withReferences(rest) as Json;
  }
  const { id, ...rest } = own;
  if (typeof id !== 'string') return withReferences(rest) as Json;
  components[id] = withReferences(rest) as Json;
  return { $ref: `#/components/schemas/${id}` };
}

function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      key === '$ref' && typeof entry === 'string'
        ? entry.replace(/^#\/\$defs\//, '#/components/schemas/')
        : withReferences(entry),
    ]),
  );
}
