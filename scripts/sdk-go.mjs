import { shortValue, wordsOf, wrap } from './sdk-names.mjs';

const INITIALISMS = new Set(['API', 'ID', 'IP', 'URI', 'URL', 'QR', 'JSON', 'HTTP', 'CSV']);
const TEXT_LIKE = new Set(['string', 'enum', 'list', 'map', 'any', 'choice']);

/** Models as structs, enumerations as constants, operations as methods of the client. */
export function goFiles(api, version) {
  const versionConstant = `// Version is the version of the service that this SDK was released with.\nconst Version = ${text(version)}`;
  const inputs = [
    ...[...api.inputs.values()].map((model) => struct(model, true)),
    ...api.operations.filter(({ fields }) => fields.length > 0).map(inputOf),
  ];
  return {
    'sdks/go/version.go': file('package.json by `npm run generate`', [versionConstant]),
    'sdks/go/models.go': file(API, [
      ...[...api.enums.values()].map(enumType),
      ...[...api.models.values()].map((model) => struct(model, false)),
      ...[...api.unions.values()].map(unionType),
    ]),
    'sdks/go/inputs.go': file(API, inputs),
    'sdks/go/operations.go': file(API, api.operations.map(methods)),
  };
}

const API = 'the OpenAPI document by `npm run generate`: change src/api';

/** A source file with the imports that it uses. */
function file(source, declarations) {
  const body = declarations.join('\n\n');
  const packages = { context: 'context', json: 'encoding/json', time: 'time' };
  const used = Object.keys(packages).filter((name) =>
    new RegExp(`\\b${name}\\.[A-Z]`).test(body.replaceAll(/^\s*\/\/.*$/gm, '')),
  );
  const lines = used.map((name) => `\t"${packages[name]}"\n`).join('');
  const imports = lines === '' ? '' : `import (\n${lines})\n\n`;
  return `// Code generated from ${source}. DO NOT EDIT.\n\npackage paylatch\n\n${imports}${body}\n`;
}

const text = (value) => JSON.stringify(value);

const exported = (name) =>
  wordsOf(name)
    .map((word) => (INITIALISMS.has(word.toUpperCase()) ? word.toUpperCase() : word[0].toUpperCase() + word.slice(1)))
    .join('');

const comment = (doc, indent = '') =>
  wrap(doc, 100)
    .map((line) => `${indent}// ${line}`.trimEnd())
    .join('\n');

/** Starts a comment with the name of what it describes, unless there is no text. */
const docOf = (name, doc) => `${comment(doc ? `${name}: ${doc}` : `${name} is a part of the API's data.`)}\n`;

function enumType({ name, doc, values }) {
  // Countries and the like: too many to be useful as constants.
  if (values.length > 150) return `${docOf(name, doc)}type ${name} = string`;
  const names = values.map((value) => name + exported(shortValue(name, value)));
  const width = Math.max(...names.map(({ length }) => length));
  const constants = values.map((value, index) => `\t${names[index].padEnd(width)} ${name} = ${text(value)}\n`);
  return `${docOf(name, doc)}type ${name} string\n\n// Values of ${name}. Later releases may add some.\nconst (\n${constants.join('')})`;
}

function typeOf(type) {
  const kinds = { string: 'string', integer: 'int64', number: 'float64', boolean: 'bool', time: 'time.Time' };
  const name = {
    enum: () => type.name ?? 'string',
    list: () => `[]${elementType(type.of)}`,
    map: () => `map[string]${elementType(type.of)}`,
    model: () => type.name,
    union: () => type.name,
  }[type.kind];
  return name ? name() : (kinds[type.kind] ?? 'any');
}

function elementType(type) {
  const plain = typeOf(type);
  return type.nullable && !isNilable(plain) ? `*${plain}` : plain;
}

const isNilable = (plain) => plain.startsWith('[]') || plain.startsWith('map[') || plain === 'any';

/** Absent and null values are nil. In inputs, `Nullable` distinguishes null from an omitted field. */
function fieldType({ type, required }, isInput) {
  const plain = typeOf(type);
  if (isInput && !required && type.nullable && plain !== 'any') return `Nullable[${plain}]`;
  if (isNilable(plain) || (required && !type.nullable)) return plain;
  // An empty string is never a value of an optional field.
  if (isInput && !type.nullable && TEXT_LIKE.has(type.kind)) return plain;
  return `*${plain}`;
}

function struct({ name, doc, fields }, isInput) {
  const rows = fields.map((field) => ({
    doc: [
      field.doc,
      field.type.kind === 'enum' && !field.type.name && field.type.values.length > 1
        ? `One of ${field.type.values.join(', ')}.`
        : '',
    ]
      .filter(Boolean)
      .map((sentence) => sentence.replace(/\.?$/, '.'))
      .join(' '),
    cells: [
      exported(field.wire),
      fieldType(field, isInput),
      `\`json:"${field.wire}${field.required ? '' : ',omitempty'}"\``,
    ],
  }));
  return `${docOf(name, doc)}type ${name} struct {\n${aligned(rows)}}`;
}

/** Fields as gofmt aligns them: a comment starts a new block. */
function aligned(rows) {
  const blocks = [];
  for (const row of rows) {
    if (row.doc !== '' || blocks.length === 0) blocks.push([]);
    blocks.at(-1).push(row);
  }
  return blocks
    .map((block) => {
      const widths = [0, 1].map((column) => Math.max(...block.map(({ cells }) => cells[column].length)));
      const padded = ({ cells }) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
      const lines = block.map((row) => `\t${padded(row).join(' ')}\n`);
      return `${block[0].doc === '' ? '' : `${comment(block[0].doc, '\t')}\n`}${lines.join('')}`;
    })
    .join('');
}

function unionType({ name, discriminator, variants }) {
  const cases = variants.map(
    ({ values, model }) => `\tcase ${values.map(text).join(', ')}:\n\t\tu.Value = new(${model})\n`,
  );
  const names = variants.map(({ model }) => `*${model}`);
  const doc = `${name} is one of several types. Value is ${names.join(', ')}, or json.RawMessage if this version of the SDK does not know the type.`;
  return `${comment(doc)}
type ${name} struct {
	Value any
}

// UnmarshalJSON chooses the type by the field ${discriminator}.
func (u *${name}) UnmarshalJSON(data []byte) error {
	var given struct {
		By string \`json:"${discriminator}"\`
	}
	if err := json.Unmarshal(data, &given); err != nil {
		return err
	}
	switch given.By {
${cases.join('')}	default:
		u.Value = append(json.RawMessage(nil), data...)
		return nil
	}
	return json.Unmarshal(data, u.Value)
}

// MarshalJSON returns the JSON of Value.
func (u ${name}) MarshalJSON() ([]byte, error) {
	return json.Marshal(u.Value)
}`;
}

const inputOf = ({ name, fields }) =>
  struct({ name: `${exported(name)}Input`, doc: 'parameters of the operation.', fields }, true);

function methods(operation) {
  return [method(operation), ...(operation.page ? [iterator(operation)] : [])].join('\n\n');
}

function method({ name, method: verb, path, sends, fields, doc, response }) {
  const method = exported(name);
  const input = fields.length > 0 ? `, input ${method}Input` : '';
  const result = typeOf(response);
  return `${comment(`${method}: ${doc}`)}
func (c *Client) ${method}(ctx context.Context${input}, options ...CallOption) (*${result}, error) {
	result := new(${result})
	err := c.call(ctx, endpoint{${[verb, path, sends].map(text).join(', ')}}, ${input ? 'input' : 'nil'}, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}`;
}

function iterator({ name, fields, page, response }) {
  const method = exported(name);
  const item = typeOf(page.of);
  const iterate = method.replace(/^List/, 'Iterate');
  const isOptionalCursor = fields.find(({ wire }) => wire === 'cursor');
  if (!isOptionalCursor || response.kind !== 'model') throw new Error(`${name} has no pages that can be iterated`);
  return `// ${iterate} iterates over all pages of ${method}, from Cursor if it is set. Pages are fetched as needed.
func (c *Client) ${iterate}(input ${method}Input, options ...CallOption) *Iterator[${item}] {
	if input.PerPage == nil {
		input.PerPage = Ptr[int64](maxPerPage)
	}
	return &Iterator[${item}]{fetch: func(ctx context.Context) ([]${item}, bool, error) {
		page, err := c.${method}(ctx, input, options...)
		if err != nil {
			return nil, false, err
		}
		next := page.${page.cursor.map(exported).join('.')}
		if next != nil {
			input.Cursor = *next
		}
		return page.${exported(page.items)}, next != nil, nil
	}}
}`;
}
