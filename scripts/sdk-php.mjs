import { requiredFirst, shortValue, snakeCase, wrap } from './sdk-names.mjs';

const header = (source) => `<?php

// Generated from ${source} by \`npm run generate\`: do not edit.

declare(strict_types=1);
`;
const HEADER = header('the OpenAPI document (src/api)');
const FOLDER = 'sdks/php/src';
/** Kept out of stack traces. */
const SENSITIVE = new Set(['card_number', 'card_cvv', 'credentials']);

/** Models as readonly classes, enumerations as constants, operations as methods. */
export function phpFiles(api, version) {
  const unionsOf = new Map();
  for (const { name, variants } of api.unions.values())
    for (const { model } of variants) unionsOf.set(model, [...(unionsOf.get(model) ?? []), name]);
  const model = (name, code) => [`${FOLDER}/Model/${name}.php`, `${HEADER}\nnamespace Paylatch\\Model;\n\n${code}\n`];
  return {
    [`${FOLDER}/Version.php`]: `${header('package.json')}
namespace Paylatch;

final class Version
{
    public const VERSION = ${quoted(version)};
}
`,
    [`${FOLDER}/Operations.php`]: `${HEADER}
namespace Paylatch;

/** Every operation of the API. */
trait Operations
{
${api.operations.map((operation) => methods(operation, api)).join('\n\n')}
}
`,
    ...Object.fromEntries([
      ...[...api.enums.values()]
        .filter(({ values }) => values.length <= 150)
        .map((each) => model(each.name, constants(each))),
      ...[...api.models.values()].map((each) => model(each.name, classOf(each, unionsOf.get(each.name) ?? []))),
      ...[...api.unions.values()].map((each) => model(each.name, unionOf(each))),
      model('Unknown', unknown([...api.unions.values()])),
    ]),
  };
}

const quoted = (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const escaped = (doc) => doc.replaceAll('*/', '*\\/');

/** A doc comment; on one line if it fits. */
function docblock(lines, indent = '') {
  const text = lines.map(escaped);
  if (text.length === 0) return '';
  if (text.length === 1) return `${indent}/** ${text[0]} */\n`;
  return `${indent}/**\n${text.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

const prose = (doc) => (doc ? wrap(doc, 100) : []);

function constants({ name, doc, values }) {
  const lines = values.map(
    (value) => `    public const ${constantName(shortValue(name, value))} = ${quoted(value)};\n`,
  );
  return `${docblock(prose(doc))}final class ${name}\n{\n${lines.join('')}}`;
}

const constantName = (value) =>
  snakeCase(value)
    .toUpperCase()
    .replace(/^(?=\d)/, '_');

/** The type of a value in PHP's own terms. */
function nativeType(type, isInput) {
  const kinds = {
    ...{ string: 'string', enum: 'string', integer: 'int', number: 'int|float', boolean: 'bool' },
    ...{ list: 'array', map: 'array', null: 'null' },
    time: isInput ? '\\DateTimeInterface|string' : '\\DateTimeImmutable',
    model: isInput ? 'array' : `Model\\${type.name}`,
    union: `Model\\${type.name}`,
    choice: () => [...new Set(type.of.flatMap((of) => nativeType(of, isInput).split('|')))].join('|'),
  };
  const native = kinds[type.kind] ?? 'mixed';
  const text = typeof native === 'function' ? native() : native;
  if (!type.nullable || text === 'mixed') return text;
  return text.includes('|') ? `${text}|null` : `?${text}`;
}

/** The type of a value for static analysis. */
function docType(type, api, isInput) {
  const nested = (of) => docType(of, api, isInput);
  const kinds = {
    enum: () =>
      type.name && type.values.length <= 150
        ? `Model\\${type.name}::*`
        : type.values.length > 150
          ? 'string'
          : type.values.map(quoted).join('|'),
    list: () => `list<${nested(type.of)}>`,
    map: () => `array<string, ${nested(type.of)}>`,
    model: () =>
      isInput ? shapeOf(api.inputs.get(type.name).fields, api) : nativeType({ ...type, nullable: false }, false),
  };
  const text = kinds[type.kind]?.() ?? nativeType({ ...type, nullable: false }, isInput);
  return type.nullable && text !== 'mixed' ? `${text}|null` : text;
}

const shapeOf = (fields, api) =>
  `array{${fields.map(({ wire, type, required }) => `${wire}${required ? '' : '?'}: ${docType(type, api, true)}`).join(', ')}}`;

const inModel = (text) => text.replaceAll('Model\\', '');

function optionalType(native) {
  if (native === 'mixed' || native.startsWith('?') || native.endsWith('|null')) return native;
  return native.includes('|') ? `${native}|null` : `?${native}`;
}

function classOf({ name, doc, fields }, unions) {
  const parameters = requiredFirst(fields).map(({ wire, type, required, doc: fieldDoc }) => {
    const native = inModel(nativeType(type, false));
    const precise = inModel(docType(type, { inputs: new Map() }, false));
    const isMorePrecise = ['enum', 'list', 'map'].includes(type.kind);
    const lines = [
      ...prose(fieldDoc),
      ...(isMorePrecise ? [`@var ${precise}${required || type.nullable ? '' : '|null'}`] : []),
    ];
    const hint = required ? native : optionalType(native);
    return `${docblock(lines, '        ')}        public ${hint} $${wire}${required ? '' : ' = null'},\n`;
  });
  const values = fields.map(({ wire, type, required }) => {
    const value = `$data[${quoted(wire)}]`;
    return `            ${wire}: ${decoded(type, value, !required || type.nullable)},\n`;
  });
  const implemented = unions.length > 0 ? ` implements ${unions.join(', ')}` : '';
  return `${docblock(prose(doc))}final readonly class ${name}${implemented}
{
    public function __construct(
${parameters.join('')}    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
${values.join('')}        );
    }
}`;
}

/** The expression that converts a parsed value; values without a class are kept. */
function decoded(type, value, canBeNull) {
  const convert = conversion(type);
  if (!convert) return canBeNull ? `${value} ?? null` : value;
  return canBeNull ? `isset(${value}) ? ${convert(value)} : null` : convert(value);
}

function conversion(type) {
  if (type.kind === 'time') return (value) => `new \\DateTimeImmutable(${value})`;
  if (type.kind === 'model') return (value) => `${type.name}::fromArray(${value})`;
  if (type.kind === 'union') return (value) => `Unknown::${variantMethod(type.name)}(${value})`;
  if (type.kind !== 'list' && type.kind !== 'map') return null;
  const convert = conversion(type.of);
  if (!convert) return null;
  const callback =
    type.of.kind === 'model' ? `${type.of.name}::fromArray(...)` : `static fn($each) => ${convert('$each')}`;
  return (value) => `array_map(${callback}, ${value})`;
}

const variantMethod = (name) => name[0].toLowerCase() + name.slice(1);

const unionOf = ({ name, variants }) =>
  `${docblock([`One of several types, or \`Unknown\`:`, '', ...variants.map(({ values, model }) => `- {@see ${model}}: ${values.join(', ')}`)])}interface ${name}\n{\n}`;

/** Implements every union, and chooses the class of a value. */
function unknown(unions) {
  const names = unions.map(({ name }) => name);
  const choices = unions.map(({ name, discriminator, variants }) => {
    const arms = variants.map(
      ({ values, model }) => `            ${values.map(quoted).join(', ')} => ${model}::fromArray($data),\n`,
    );
    return `
    /** @param array<string, mixed> $data */
    public static function ${variantMethod(name)}(array $data): ${name}
    {
        return match ($data[${quoted(discriminator)}] ?? null) {
${arms.join('')}            default => new self($data),
        };
    }
`;
  });
  return `/** A value of a type that this version of the SDK does not know. */
final readonly class Unknown implements ${names.join(', ')}
{
    /** @param array<string, mixed> $data */
    public function __construct(public array $data) {}
${choices.join('')}}`;
}

function methods(operation, api) {
  return [method(operation, api), ...(operation.page ? [iterator(operation, api)] : [])].join('\n\n');
}

/** Omitted parameters are null, or `Omit::Value` where the API accepts null. */
function parameters(fields) {
  return requiredFirst(fields).map(({ wire, type, required }) => {
    const native = `${SENSITIVE.has(wire) ? '#[\\SensitiveParameter] ' : ''}${nativeType(type, true)}`;
    if (required) return `        ${native} $${wire},\n`;
    if (!type.nullable) return `        ${optionalType(native)} $${wire} = null,\n`;
    const hint = native.startsWith('?') ? `${native.slice(1)}|null` : native;
    return `        ${hint === 'mixed' ? hint : `${hint}|Omit`} $${wire} = Omit::Value,\n`;
  });
}

const parameterDocs = (fields, api) =>
  requiredFirst(fields).map(({ wire, type, required, doc }) => {
    const omitted = required ? '' : type.nullable ? '|Omit' : '|null';
    return `@param ${docType(type, api, true)}${omitted} $${wire}${doc ? ` ${doc}` : ''}`;
  });

/** An object is cast, because an empty array would be sent as a list. */
function values(fields) {
  if (fields.length === 0) return '[]';
  const lines = fields.map(({ wire, type, required }) => {
    const isObject = type.kind === 'map' || type.kind === 'model';
    const sent = isObject ? `is_array($${wire}) ? (object) $${wire} : ` : '';
    const value = `${sent}$${wire}${required || type.nullable ? '' : ' ?? Omit::Value'}`;
    return `                ${quoted(wire)} => ${value},\n`;
  });
  return `[\n${lines.join('')}            ]`;
}

function method({ id, method: verb, path, sends, fields, doc, response, acceptsIdempotencyKey }, api) {
  const factory =
    response.kind === 'union'
      ? `Model\\Unknown::${variantMethod(response.name)}(...)`
      : `Model\\${response.name}::fromArray(...)`;
  const lines = [
    ...prose(doc),
    '',
    ...parameterDocs(fields, api),
    ...(acceptsIdempotencyKey ? ['@param string|null $idempotencyKey Makes the call safe to repeat'] : []),
    '@param float|null $timeout Seconds',
    '@throws PaylatchException',
  ];
  return `${docblock(lines, '    ')}    public function ${id}(
${parameters(fields).join('')}${acceptsIdempotencyKey ? '        ?string $idempotencyKey = null,\n' : ''}        ?float $timeout = null,
    ): Model\\${response.name} {
        return $this->call(
            ${[verb, path, sends].map(quoted).join(', ')},
            ${values(fields)},
            ${factory},
            ${acceptsIdempotencyKey ? '$idempotencyKey' : 'null'},
            $timeout,
        );
    }`;
}

function iterator({ id, fields, page }, api) {
  const filters = fields.filter(({ wire }) => wire !== 'page');
  const passed = filters.filter(({ wire }) => !['cursor', 'per_page'].includes(wire));
  const lines = [
    `Iterates over all pages of \`${id}\`, from \`cursor\` if given. Pages are fetched as needed.`,
    '',
    ...parameterDocs(filters, api),
    `@return \\Generator<int, ${docType(page.of, api, false)}>`,
    '@throws PaylatchException',
  ];
  return `${docblock(lines, '    ')}    public function ${id.replace(/^list/, 'iterate')}(
${parameters(filters).join('')}        ?float $timeout = null,
    ): \\Generator {
        do {
            $page = $this->${id}(
${passed.map(({ wire }) => `                ${wire}: $${wire},\n`).join('')}                per_page: $per_page ?? 100,
                cursor: $cursor,
                timeout: $timeout,
            );
            foreach ($page->${page.items} as $each) {
                yield $each;
            }
            $cursor = $page->${page.cursor.join('->')};
        } while ($cursor !== null);
    }`;
}
