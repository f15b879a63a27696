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
  example?: unknown;
  examples?: Record<string, { summary: string; value: unknown }>;
}

interface DocumentedOperation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description: string;
  security: readonly Record<string, readonly string[]>[];
  parameters?: readonly Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content: Record<string, Content> }>;
}

interface DocumentedWebhook {
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

/** A request with its response. */
export interface DocumentedExample {
  summary: string;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  response: unknown;
}

/** An operation, as shown on the page. */
export interface OperationEntry {
  id: string;
  /** Path of its page, with the operation's anchor. */
  href: string;
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
  response: Schema;
  /** True if the response is a file and not JSON. */
  isFile: boolean;
  examples: readonly DocumentedExample[];
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
  /** An example body. */
  example: unknown;
}

/** Webhooks of a document, in its order. */
export function webhookEntries(document: ApiDocument): WebhookEntry[] {
  return Object.entries(document.webhooks).map(([type, { post }]) => {
    const { schema: body = {}, example } = post.requestBody.content[JSON_TYPE] ?? {};
    const headers = post.parameters.map((parameter) => resolveReference(document, parameter));
    const id = `webhook-${type.replaceAll('.', '-')}`;
    return { id, type, summary: post.summary, description: post.description, headers, body, example };
  });
}

/** Name of a group's page. */
export function pageName(group: string): string {
  return group.toLowerCase().replaceAll(' ', '-');
}

/** Operations of a document, in its order. */
export function operationEntries(document: ApiDocument): OperationEntry[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) =>
      operationEntry(document, method.toUpperCase(), path, described),
    ),
  );
}

function operationEntry(
  document: ApiDocument,
  method: string,
  path: string,
  described: DocumentedOperation,
): OperationEntry {
  const parameters = (described.parameters ?? []).map((parameter) => resolveReference(document, parameter));
  const body = described.requestBody?.content[JSON_TYPE];
  // JSON, or a single file type.
  const [[mediaType, response] = []] = Object.entries(described.responses['200']?.content ?? {});
  if (!response) throw new Error(`Operation ${described.operationId} has no response with status 200`);
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const exampleParameters = query.filter(({ example }) => example !== undefined);
  const { operationId: id, summary } = described;
  const group = described.tags[0] ?? '';
  return {
    ...{ id, method, path, group, summary, query, href: `/reference/${pageName(group)}#${id}` },
    description: described.description.split('\n\n'),
    scopes: described.security.flatMap((scheme) => Object.values(scheme).flat()),
    headers: parameters.filter((parameter) => parameter.in === 'header'),
    body: body?.schema ?? null,
    response: response.schema,
    isFile: mediaType !== JSON_TYPE,
    examples: Object.entries(response.examples ?? {}).map(([name, { summary, value }]) => ({
      summary,
      query: Object.fromEntries(exampleParameters.map(({ name, example }) => [name, example])),
      body: body?.examples?.[name]?.value,
      response: value,
    })),
    problems: Object.values(described.responses).flatMap(({ content }) =>
      problemCodes(content['application/problem+json']),
    ),
  };
}

function problemCodes(content: Content | undefined): string[] {
  const codes = (content?.schema.allOf ?? []).flatMap(({ properties }) => properties?.['code']?.enum ?? []);
  return codes.map(String);
}

/** Resolves a `$ref`. */
export function resolveReference<Value extends { $ref?: string }>(document: ApiDocument, value: Value): Value {
  if (value.$ref === undefined) return value;
  const parts = value.$ref.replace(/^#\//, '').split('/');
  const target = parts.reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], document);
  return resolveReference(document, target as Value);
}
