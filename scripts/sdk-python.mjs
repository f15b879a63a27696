import { requiredFirst, snakeCase, wrap } from './sdk-names.mjs';

const KEYWORDS = new Set([
  'class',
  'def',
  'from',
  'global',
  'import',
  'in',
  'is',
  'lambda',
  'not',
  'or',
  'pass',
  'with',
]);
const OPTIONS = new Set(['self', 'idempotency_key', 'timeout']);
const header = (source) => `# Generated from ${source} by \`npm run generate\`: do not edit.`;
const HEADER = header('the OpenAPI document (src/api)');

/** Models as frozen dataclasses, inputs as typed dictionaries, operations as methods. */
export function pythonFiles(api, version) {
  const file = (imports, blocks) =>
    `${[HEADER, 'from __future__ import annotations\n', ...imports].join('\n')}\n\n\n${blocks.join('\n\n\n')}\n`;
  const typing = 'from typing import Any, Literal, Union';
  return {
    'sdks/python/paylatch/_version.py': `${header('package.json')}\nVERSION = ${text(version)}\n`,
    'sdks/python/paylatch/models.py': file(
      ['from dataclasses import dataclass', 'from datetime import datetime', 'from decimal import Decimal', typing],
      [
        ...[...api.enums.values()].map(enumType),
        ...[...api.models.values()].map(dataclass),
        UNKNOWN,
        [...[...api.unions.values()].map(unionType), variantsOf([...api.unions.values()])].join('\n\n'),
      ],
    ),
    'sdks/python/paylatch/inputs.py': file(
      [
        ...[
          'from datetime import datetime',
          'from decimal import Decimal',
          'from typing import Any, Literal, NotRequired, TypedDict, Union',
        ],
        `\nfrom .models import ${[...api.enums.keys()].join(', ')}`,
      ],
      [...[...api.inputs.values()].map(typedDict)],
    ),
    'sdks/python/paylatch/operations.py': file(
      [
        ...[
          'from collections.abc import Iterator, Mapping, Sequence',
          'from datetime import datetime',
          'from decimal import Decimal',
        ],
        ...[
          'from typing import Any, Literal, Union',
          '\nfrom . import inputs, models',
          'from ._call import OMIT, Endpoint, Omit, OperationsBase',
        ],
      ],
      [
        `class Operations(OperationsBase):\n    """Every operation of the API."""\n\n${api.operations.map(methods).join('\n\n')}`,
      ],
    ),
  };
}

const UNKNOWN = `@dataclass(frozen=True, kw_only=True)
class Unknown:
    """A value of a type that this version of the SDK does not know."""

    raw: dict[str, Any]`;

const text = (value) => JSON.stringify(value);
const attribute = (wire) => (KEYWORDS.has(wire) ? `${wire}_` : wire);
const parameter = (wire) => (KEYWORDS.has(wire) || OPTIONS.has(wire) ? `${wire}_` : wire);
const escaped = (doc) => doc.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');

/** A docstring, on one line if it fits. */
function docstring(doc, indent) {
  const lines = wrap(escaped(doc), 96 - indent.length);
  if (lines.length === 1 && !lines[0].endsWith('"')) return `${indent}"""${lines[0]}"""`;
  return [`${indent}"""`, ...lines.map((line) => (line === '' ? '' : indent + line)), `${indent}"""`]
    .join('\n')
    .replace('"""\n'.concat(indent), '"""');
}

const comment = (doc, indent) =>
  wrap(doc, 96 - indent.length)
    .map((line) => `${indent}# ${line}`.trimEnd() + '\n')
    .join('');

const literal = (values) => `Literal[${values.map(text).join(', ')}]`;

/** Countries and the like: too many values to list in a type; the service rejects invalid ones. */
const isOpen = (values) => values.length > 150;

const enumType = ({ name, doc, values }) =>
  `${doc ? comment(doc, '') : ''}${name} = ${isOpen(values) ? 'str' : `Literal[\n${values.map((value) => `    ${text(value)},\n`).join('')}]`}`;

/** `prefix` is the module of a model; `isInput` widens types to what the SDK converts. */
function typeOf(type, { isInput = false, models = '', inputs = '' } = {}) {
  const nested = (of) => typeOf(of, { isInput, models, inputs });
  const kinds = {
    ...{ string: 'str', integer: 'int', boolean: 'bool', any: 'Any', null: 'None' },
    number: isInput ? 'Decimal | float' : 'Decimal',
    time: isInput ? 'datetime | str' : 'datetime',
  };
  const name = {
    enum: () => (type.name ? models + type.name : literal(type.values)),
    list: () => `${isInput ? 'Sequence' : 'list'}[${nested(type.of)}]`,
    map: () => `${isInput ? 'Mapping' : 'dict'}[str, ${nested(type.of)}]`,
    model: () => (isInput ? inputs : models) + type.name,
    union: () => models + type.name,
    choice: () => type.of.map(nested).join(' | '),
  }[type.kind];
  return `${name ? name() : kinds[type.kind]}${type.nullable ? ' | None' : ''}`;
}

function dataclass({ name, doc, fields }) {
  const lines = fields.map(({ wire, type, required, doc: fieldDoc }) => {
    const hint = typeOf(type);
    const optional = required ? '' : `${hint.endsWith('| None') || hint === 'Any' ? '' : ' | None'} = None`;
    return `${fieldDoc ? comment(fieldDoc, '    ') : ''}    ${attribute(wire)}: ${hint}${optional}`;
  });
  return [
    ...['@dataclass(frozen=True, kw_only=True)', `class ${name}:`],
    ...(doc ? [docstring(doc, '    '), ''] : []),
    ...(lines.length > 0 ? lines : ['    pass']),
  ].join('\n');
}

function typedDict({ name, doc, fields }) {
  const hints = fields.map(({ wire, type, required, doc: fieldDoc }) => {
    const hint = typeOf(type, { isInput: true }).replaceAll('Sequence[', 'list[').replaceAll('Mapping[', 'dict[');
    return `${fieldDoc ? comment(fieldDoc, '    ') : ''}    ${wire}: ${required ? hint : `NotRequired[${hint}]`}`;
  });
  return [`class ${name}(TypedDict):`, ...(doc ? [docstring(doc, '    '), ''] : []), ...hints].join('\n');
}

const unionType = ({ name, variants }) => {
  const models = [...variants.map(({ model }) => model), 'Unknown'];
  return `${name} = Union[\n${models.map((model) => `    ${model},\n`).join('')}]`;
};

/** The discriminator of each union, and the model for each of its values. */
function variantsOf(unions) {
  const entries = unions.map(({ name, discriminator, variants }) => {
    const models = variants.flatMap(({ values: of, model }) =>
      of.map((value) => `            ${text(value)}: ${model},\n`),
    );
    return `    ${name}: (\n        ${text(discriminator)},\n        {\n${models.join('')}        },\n    ),\n`;
  });
  return `VARIANTS: dict[Any, tuple[str, dict[str, type]]] = {\n${entries.join('')}}`;
}

function methods(operation) {
  return [method(operation), ...(operation.page ? [iterator(operation)] : [])].join('\n\n');
}

/** Omitted parameters are `None`, or `OMIT` where the API accepts null. */
function parameters(fields) {
  return requiredFirst(fields).map(({ wire, type, required }) => {
    const hint = typeOf(type, { isInput: true, models: 'models.', inputs: 'inputs.' });
    if (required) return `        ${parameter(wire)}: ${hint},\n`;
    return `        ${parameter(wire)}: ${hint}${type.nullable ? ' | Omit = OMIT' : ' | None = None'},\n`;
  });
}

const described = (fields) =>
  fields.filter(({ doc }) => doc).map(({ wire, doc }) => `\`${parameter(wire)}\`: ${doc}.`.replace(/\.\.$/, '.'));

function values(fields) {
  if (fields.length === 0) return '{}';
  const entries = fields.map(({ wire, type, required }) => {
    const isNone = !required && !type.nullable;
    return `                ${text(wire)}: ${isNone ? `OMIT if ${parameter(wire)} is None else ${parameter(wire)}` : parameter(wire)},\n`;
  });
  return `{\n${entries.join('')}            }`;
}

function method({ id, method: verb, path, sends, fields, doc, response, acceptsIdempotencyKey }) {
  const hint = typeOf(response, { models: 'models.' });
  const notes = described(fields);
  const options = `${acceptsIdempotencyKey ? '        idempotency_key: str | None = None,\n' : ''}        timeout: float | None = None,\n`;
  return `    def ${snakeCase(id)}(
        self,
        *,
${parameters(fields).join('')}${options}    ) -> ${hint}:
${docstring(notes.length > 0 ? `${doc}\n\n${notes.join('\n')}` : doc, '        ')}
        result: ${hint} = self._call(
            Endpoint(${[verb, path, sends].map(text).join(', ')}),
            ${values(fields)},
            ${hint},
            idempotency_key=${acceptsIdempotencyKey ? 'idempotency_key' : 'None'},
            timeout=timeout,
        )
        return result`;
}

/** Reads all pages. */
function iterator({ id, fields, page }) {
  const filters = fields.filter(({ wire }) => wire !== 'page');
  const passed = filters.filter(({ wire }) => !['cursor', 'per_page'].includes(wire));
  const item = page.of;
  const name = snakeCase(id);
  const hint = typeOf(item, { models: 'models.' });
  return `    def ${name.replace(/^list_/, 'iterate_')}(
        self,
        *,
${parameters(filters).join('')}        timeout: float | None = None,
    ) -> Iterator[${hint}]:
        """Iterate over all pages of \`${name}\`, from \`cursor\` if given. Pages are fetched as needed."""
        while True:
            page = self.${name}(
${passed.map(({ wire }) => `                ${parameter(wire)}=${parameter(wire)},\n`).join('')}                per_page=100 if per_page is None else per_page,
                cursor=cursor,
                timeout=timeout,
            )
            yield from page.${attribute(page.items)}
            cursor = page.${page.cursor.map(attribute).join('.')}
            if cursor is None:
                return`;
}
