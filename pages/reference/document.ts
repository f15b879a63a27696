/** The part of JSON Schema (2020-12) that the API's document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  const?: string | number | boolean;
  enum?: readonly (string | number)[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

interface Content {
  schema: Schema;
  examples?: Record<string, { summary: string; value: unknown }>;
}

export interface DocumentedOperation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description: string;
  security: readonly Record<string, readonly string[]>[];
  parameters?: readonly Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content: Record<string, Content> }>;
}

export interface DocumentedWebhook {
  summary: string;
  description: string;
  parameters: readonly Parameter[];
  requestBody: { content: Record<string, Content> };
}

/** The part of OpenAPI 3.1 that the API's document uses. */
export interface ApiDocument {
  info: { title: string; version: string; description: string };
  servers: readonly { url: string }[];
  tags: readonly { name: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks: Record<string, { post: DocumentedWebhook }>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    securitySchemes: { clientCredentials: { flows: { clientCredentials: { scopes: Record<string, string> } } } };
  };
}

const JSON_TYPE = 'application/json';

/** An operation, as shown on the page. */
export interface Entry {
  id: string;
  method: string;
  path: string;
  group: string;
  summary: string;
  /** Paragraphs. */
  description: readonly string[];
  scopes: readonly string[];
  headers: readonly Parameter[];
  query: readonly Parameter[];
  body: Schema | null;
  answer: Schema;
  examples: readonly { summary: string; query: Readonly<Record<string, string>>; body: unknown; answer: unknown }[];
  problems: readonly string[];
}

/** A webhook, as shown on the page. */
export interface WebhookEntry {
  id: string;
  type: string;
  summary: string;
  description: string;
  headers: readonly Parameter[];
  body: Schema;
}

/** Webhooks of a document, in its order. */
export function webhooksOf(document: ApiDocument): WebhookEntry[] {
  return Object.entries(document.webhooks).map(([type, { post }]) => ({
    ...{ id: `webhook-${type.replaceAll('.', '-')}`, type, summary: post.summary, description: post.description },
    headers: post.parameters.map((parameter) => resolve(document, parameter)),
    body: post.requestBody.content[JSON_TYPE]?.schema ?? {},
  }));
}

/** Operations of a document, in its order. */
export function entriesOf(document: ApiDocument): Entry[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => entryOf(document, method.toUpperCase(), path, described)),
  );
}

function entryOf(document: ApiDocument, method: string, path: string, described: DocumentedOperation): Entry {
  const parameters = (described.parameters ?? []).map((parameter) => resolve(document, parameter));
  const body = described.requestBody?.content[JSON_TYPE];
  // JSON, or a single file type.
  const [answer] = Object.values(described.responses['200']?.content ?? {});
  if (!answer) throw new Error(`Operation ${described.operationId} has no response with status 200`);
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const given = query.filter(({ example }) => example !== undefined);
  return {
    ...{ id: described.operationId, method, path, group: described.tags[0] ?? '', summary: described.summary, query },
    description: described.description.split('\n\n'),
    scopes: described.security.flatMap((scheme) => Object.values(scheme).flat()),
    headers: parameters.filter((parameter) => parameter.in === 'header'),
    body: body?.schema ?? null,
    answer: answer.schema,
    examples: Object.entries(answer.examples ?? {}).map(([name, { summary, value }]) => ({
      summary,
      query: Object.fromEntries(given.map(({ name, example }) => [name, String(example)])),
      body: body?.examples?.[name]?.value,
      answer: value,
    })),
    problems: Object.values(described.responses).flatMap(({ content }) =>
      problemsIn(content['application/problem+json']),
    ),
  };
}

function problemsIn(content: Content | undefined): string[] {
  const codes = (content?.schema.allOf ?? []).flatMap(({ properties }) => properties?.['code']?.enum ?? []);
  return codes.map(String);
}

/** Resolves a `$ref`. */
export function resolve<Referred extends { $ref?: string }>(document: ApiDocument, referred: Referred): Referred {
  if (referred.$ref === undefined) return referred;
  const parts = referred.$ref.replace(/^#\//, '').split('/');
  const found = parts.reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], document);
  return resolve(document, found as Referred);
}
