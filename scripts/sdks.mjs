/*
 * The generated part of the SDKs in `sdks/`: models and one method per operation, from the OpenAPI document. The
 * emitters (`sdk-python.mjs`, `sdk-php.mjs`, `sdk-go.mjs`) share the description of types and operations built here.
 */
import { goFiles } from './sdk-go.mjs';
import { phpFiles } from './sdk-php.mjs';
import { pascalCase } from './sdk-names.mjs';
import { pythonFiles } from './sdk-python.mjs';

/** Contents of all generated files of the SDKs, by path from the root. */
export function sdkFiles(document, version) {
  const api = describeApi(document);
  return { ...pythonFiles(api, version), ...phpFiles(api, version), ...goFiles(api, version) };
}

/** Folders that contain only generated files, so that others in them are stale. */
export const generatedFolders = ['sdks/php/src/Model'];

/**
 * Types and operations of the API. A type is `{ kind, nullable }`, with
 * - `enum`: `values`, and `name` if it is a component
 * - `list`, `map`: `of`
 * - `model`: `name`, the key in `models` (responses) or `inputs`
 * - `union`: `name`, the key in `unions`
 * - `choice`: `of`, primitive types
 */
function describeApi({ components, paths }) {
  const api = { models: new Map(), inputs: new Map(), unions: new Map(), enums: new Map(), operations: [] };
  const types = typesOf(components.schemas, api);
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const isFile = !('application/json' in operation.responses['200'].content);
      // Files are streamed by plain requests.
      if (!isFile) api.operations.push(operationOf(method.toUpperCase(), path, operation, types));
    }
  }
  types.response({ $ref: '#/components/schemas/WebhookEvent' }, 'WebhookEvent');
  types.response({ $ref: '#/components/schemas/Problem' }, 'Problem');
  return api;
}

function operationOf(method, path, operation, types) {
  const { operationId: id, summary, description, parameters = [], requestBody, responses } = operation;
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const body = requestBody?.content['application/json'].schema;
  const schema = body ?? {
    properties: Object.fromEntries(
      query.map(({ name, schema: of, description: doc }) => [name, { ...of, description: doc }]),
    ),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
  const name = pascalCase(id);
  const fields = types.fields(schema, `${name}Input`, 'inputs');
  const response = responses['200'].content['application/json'].schema;
  const responseType = types.response(response, `${name}Response`);
  return {
    ...{ id, name, method, path, fields },
    doc: `${summary}.\n\n${description}`,
    sends: body ? 'body' : fields.length > 0 ? 'query' : 'nothing',
    response: responseType,
    page: pageOf(types.resolve(response), query, types.modelFields(responseType)),
    acceptsIdempotencyKey: parameters.some(({ $ref }) => $ref === '#/components/parameters/Idempotency-Key'),
  };
}

/** The list in a page of results and the path of the cursor of the next page; null if the operation has no pages. */
function pageOf({ properties = {} }, query, fields) {
  const isPaged = ['cursor', 'per_page'].every((parameter) => query.some(({ name }) => name === parameter));
  if (!isPaged) return null;
  const items = Object.keys(properties).filter((name) => properties[name].type === 'array');
  const cursor = 'next_cursor' in properties ? ['next_cursor'] : ['pagination', 'next_cursor'];
  if (items.length !== 1 || !cursor.reduce((schema, name) => schema?.properties?.[name], { properties })) return null;
  return { items: items[0], of: fields.find(({ wire }) => wire === items[0]).type.of, cursor };
}

function typesOf(schemas, api) {
  const resolve = (schema) => (schema.$ref ? schemas[componentName(schema)] : schema);

  const modelOf = (schema, name, direction) => {
    if (!api[direction].has(name)) {
      api[direction].set(name, null);
      api[direction].set(name, { name, doc: schema.description, fields: fields(schema, name, direction) });
    }
    return { kind: 'model', name };
  };

  const fields = ({ properties = {}, required = [] }, name, direction) =>
    Object.entries(properties).map(([wire, schema]) => ({
      wire,
      type: typeOf(schema, name + pascalCase(wire), direction),
      required: required.includes(wire),
      doc: schema.description ?? resolve(schema).description,
    }));

  const unionOf = (variants, name, direction) => {
    if (direction === 'inputs') return { kind: 'any' };
    const resolved = variants.map(resolve);
    const valuesOf = ({ properties }, key) => properties[key]?.enum ?? [properties[key]?.const ?? []].flat();
    // A property with different values in each variant identifies the variant.
    const discriminator = Object.keys(resolved[0].properties).find((key) => {
      const values = resolved.map((each) => valuesOf(each, key));
      return values.every(({ length }) => length > 0) && new Set(values.flat()).size === values.flat().length;
    });
    if (!discriminator) return { kind: 'any' };
    const of = variants.map((variant, index) => ({
      values: valuesOf(resolved[index], discriminator),
      model: typeOf(variant, name, direction).name,
    }));
    api.unions.set(name, { name, discriminator, variants: of });
    return { kind: 'union', name };
  };

  const typeOf = (schema, name, direction) => {
    if (schema.$ref) {
      const component = componentName(schema);
      const suffix = direction === 'inputs' && schemas[component].type === 'object' ? 'Input' : '';
      return typeOf({ ...schemas[component], component }, component + suffix, direction);
    }
    const variants = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== 'null');
    if (variants) {
      const nullable = variants.length < (schema.anyOf ?? schema.oneOf).length;
      if (variants.length === 1) return { ...typeOf(variants[0], name, direction), nullable };
      if (variants.every(({ type }) => type === 'object'))
        return { ...typeOf(merged(variants), name, direction), nullable };
      if (variants.every((variant) => resolve(variant).type === 'object'))
        return { ...unionOf(variants, name, direction), nullable };
      const of = variants.map((variant) => typeOf(variant, name, direction));
      if (of.every(({ kind }) => kind === 'string' || kind === 'enum')) return { kind: 'string', nullable };
      return { kind: 'choice', of, nullable };
    }
    const given = [schema.type].flat();
    const nullable = given.includes('null');
    const [type] = given.filter((each) => each !== 'null');
    if (type === 'object' && schema.properties) return { ...modelOf(schema, name, direction), nullable };
    if (type === 'object') {
      const of = schema.additionalProperties;
      return { kind: 'map', of: of ? typeOf(of, name, direction) : { kind: 'any' }, nullable };
    }
    if (type === 'array') return { kind: 'list', of: typeOf(schema.items ?? {}, singular(name), direction), nullable };
    const values = schema.enum ?? (typeof schema.const === 'string' ? [schema.const] : null);
    if (values) {
      if (schema.component && !api.enums.has(name)) api.enums.set(name, { name, doc: schema.description, values });
      return { kind: 'enum', name: schema.component, values, nullable };
    }
    if (type === 'string' && schema.format === 'date-time') return { kind: 'time', nullable };
    return { kind: type ?? 'any', nullable };
  };

  const modelFields = ({ name }) => api.models.get(name)?.fields ?? [];
  return { resolve, fields, modelFields, response: (schema, name) => typeOf(schema, name, 'models') };
}

const componentName = ({ $ref }) => $ref.replace('#/components/schemas/', '');
const singular = (name) => name.replace(/(?<=[a-z])s$/, '');

/** One object with the properties of all variants; required are those that every variant requires. */
function merged(variants) {
  const properties = {};
  for (const [name, schema] of variants.flatMap((variant) => Object.entries(variant.properties))) {
    const [one, other] = [properties[name], schema].map((each) => each?.enum ?? (each?.const ? [each.const] : []));
    properties[name] =
      one.length > 0 ? { type: 'string', enum: [...one, ...other] } : { ...schema, ...properties[name] };
  }
  const required = variants[0].required.filter((name) => variants.every((each) => each.required.includes(name)));
  return { type: 'object', properties, required };
}
