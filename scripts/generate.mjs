/*
 * Writes the generated files that are committed for review: the client's types and its list of operations; the
 * documentation's catalogue of problems and its tables of event types, methods and settings; the list of migrations; the imports of the
 * account area's texts. A test checks that each file is up to date.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypes, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');
const accountLanguages = 'pages/locales/account/languages.ts';
const migrationList = 'src/migrations/list.ts';
const api = (name) => import(`../src/api/${name}.ts`);

/** Contents of all generated files, by path from the root. */
export async function generate() {
  const { describeApi } = await api('openapi');
  const { operations } = await api('operations');
  const { problemCatalogue } = await api('problem');
  const { settings } = await import('../src/config.ts');
  const { settingsTable } = await import('../src/system/settings.ts');
  const document = describeApi({ operations, version: '', publicUrl: '' });
  return {
    'client/api.ts': formatted('client/api.ts', await describeClient(document)),
    'docs/callbacks.md': withSections('docs/callbacks.md', {
      'event types': eventTypesTable(await api('webhook-events')),
    }),
    'docs/methods.md': withSections('docs/methods.md', {
      methods: methodsTable(),
      coins: coinsTable(await import('../src/shared/crypto-currency.ts')),
    }),
    'docs/operating.md': withSections('docs/operating.md', { settings: settingsTable(settings) }),
    [migrationList]: formatted(migrationList, importMigrations()),
    [accountLanguages]: formatted(accountLanguages, importAccountTexts()),
    'docs/errors.md': describeProblems(problemCatalogue, await api('operation'), operations),
  };
}

/** The buyer's steps by next action. */
const buyerSteps = {
  card: 'enters the card; confirms with the bank where it asks (3-D Secure)',
  qr: 'scans a QR code with the banking app',
  bank_details: 'transfers to an account for this payment',
  redirect: 'goes to the page of the bank or exchange',
  app_intent: 'opens the app on the phone, or scans its QR code from another screen',
  crypto: 'chooses a coin and sends the amount to an address ([details](#coins))',
};

function methodsTable() {
  const { methods } = readJson('src/shared/method-catalogue.json');
  const names = readJson('pages/locales/en.json').methods;
  const rows = methods.map(({ code, brand, action, choice, countries, currencies }) => {
    const name = brand ? Object.values({ ...(typeof brand === 'string' ? [brand] : brand) }).join(', ') : names[code];
    const step = choice === 'bank' ? `chooses a bank; ${buyerSteps[action]}` : buyerSteps[action];
    const where = countries === 'world' ? 'all' : countries.join(', ');
    return `| \`${code}\` | ${name} | ${where} | ${currencies.join(', ')} | ${step} |`;
  });
  return ['| `payment_method` | name | countries | currencies | the buyer |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}

function coinsTable({ cryptoCurrencies }) {
  const rows = Object.entries(cryptoCurrencies).map(
    ([code, { name, chain, decimals, minConfirmations }]) =>
      `| \`${code}\` | ${name} | \`${chain}\` | ${decimals} | ${minConfirmations} |`,
  );
  return ['| code | coin | chain | decimals | confirmations by default |', '|---|---|---|---|---|', ...rows].join('\n');
}

const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** A file with the parts between its markers replaced: `<!-- NAME -->` and `<!-- /NAME -->`. */
function withSections(path, sections) {
  let text = readFileSync(join(root, path), 'utf8');
  for (const [name, content] of Object.entries(sections)) {
    const section = new RegExp(`(<!-- ${name} -->\n)[^]*(<!-- /${name} -->)`);
    if (!section.test(text)) throw new Error(`${path} has no section ${name}`);
    text = text.replace(section, (_, start, end) => `${start}${content}\n${end}`);
  }
  return text;
}

function formatted(path, content) {
  const biome = join(root, 'node_modules/.bin/biome');
  const run = spawnSync(biome, ['format', `--stdin-file-path=${path}`], { cwd: root, input: content });
  if (run.status !== 0) throw new Error(`${path} could not be formatted: ${run.stderr.toString()}`);
  return run.stdout.toString();
}

/** Every migration of the modules, in the order of their numbers; each file exports one, or a function of the engine. */
function importMigrations() {
  const files = readdirSync(join(root, 'src'), { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /(?:^|\/)migrations\/\d{4}-[\w-]+\.ts$/.test(path))
    .map((path) => ({ path, name: path.replace(/^.*\/|\.ts$/g, '') }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const numbers = files.map(({ name }) => name.slice(0, 4));
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index);
  if (twice) throw new Error(`Two migrations have the number ${twice}`);
  const exported = files.map(({ path, name }) => {
    const text = readFileSync(join(root, 'src', path), 'utf8');
    const [, kind, id] = /^export (const|function) (\w+)/m.exec(text) ?? [];
    return {
      from: `../${path}`.replace('../migrations/', './'),
      name,
      id,
      call: kind === 'function' ? `${id}(engine)` : id,
    };
  });
  return `/* Made from the folders \`migrations/\` by \`npm run generate\`. */
import type { Migration } from 'kysely/migration';
import type { Engine } from '../database/engine.ts';
${exported.map(({ id, from }) => `import { ${id} } from '${from}';`).join('\n')}

/** In the order of their names; a migration that was released is never changed. */
export function migrations(engine: Engine): Record<string, Migration> {
  return {
${exported.map(({ name, call }) => `'${name}': ${call},`).join('\n')}
  };
}
`;
}

/** One import for each language and area of the account area; `-` in a file's name is `_` in keys. */
function importAccountTexts() {
  const folder = join(root, 'pages/locales/account');
  const tags = readdirSync(folder).filter((name) => !name.endsWith('.ts'));
  const areas = readdirSync(join(folder, 'en')).map((name) => name.replace('.json', ''));
  const key = (area) => area.replaceAll('-', '_');
  const imports = tags.flatMap((tag) =>
    areas.map((area) => `import ${tag}_${key(area)} from './${tag}/${area}.json' with { type: 'json' };`),
  );
  const languages = tags.map(
    (tag) => `${tag}: {${areas.map((area) => `${key(area)}: ${tag}_${key(area)}`).join(',')}},`,
  );
  return `/* Made from the folders beside it by \`npm run generate\`. */
import type { Texts } from '../languages.ts';
${imports.join('\n')}

/** The account area's texts by BCP 47 tag; each language is one of the buyers' pages. */
export const accountLanguages: Readonly<Record<string, Texts>> = {
${languages.join('\n')}
};
`;
}

/** The client's types and operations, from the OpenAPI document. */
async function describeClient(document) {
  const calls = callsOf(document);
  const schemas = { ...document.components.schemas };
  for (const { inputName, input, answerName, answer } of calls) {
    if (input) schemas[inputName] = input;
    if (!schemas[answerName]) schemas[answerName] = answer;
  }
  const methods = calls.map(
    ({ id, doc, isInputOptional, input, inputName, answerName, takesKey }) => `
      /**
       * ${doc.replaceAll('*/', '*\\/').split('\n').join('\n       * ')}
       */
      ${id}(${input ? `input${isInputOptional ? '?' : ''}: ${inputName}, ` : ''}options?: ${takesKey ? 'RepeatableCallOptions' : 'CallOptions'}): Promise<${answerName}>;`,
  );
  const places = calls.map(({ id, method, path, sends }) => `${id}: ${JSON.stringify({ method, path, sends })},`);
  return `/* Made from the OpenAPI document by \`npm run generate\`: change src/api, not this file. */
import type { CallOptions, RepeatableCallOptions } from './call.ts';

${await typesOf(schemas)}

/** Everything that the API does. */
export interface Operations {${methods.join('\n')}
}

/** Where each operation is, and what it is given there. */
export const places = {
${places.join('\n')}
} as const;
`;
}

/** The client covers JSON responses only; files are streamed by plain requests. */
function callsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => 'application/json' in responses['200'].content)
      .map(([method, described]) => callOf(method.toUpperCase(), path, described)),
  );
}

function callOf(method, path, described) {
  const { operationId: id, summary, description, parameters = [], requestBody, responses } = described;
  const name = id[0].toUpperCase() + id.slice(1);
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const body = requestBody?.content['application/json'].schema;
  const given = body ?? (query.length > 0 ? querySchema(query) : null);
  const input = given && Object.keys(given.properties ?? {}).length > 0 ? given : null;
  const answer = responses['200'].content['application/json'].schema;
  return {
    ...{ id, method, path, input, answer },
    doc: `${summary}.\n\n${description}`,
    sends: input ? (body ? 'body' : 'query') : body ? 'emptyBody' : 'nothing',
    inputName: `${name}Input`,
    isInputOptional: (input?.required ?? []).length === 0,
    answerName: answer.$ref?.replace('#/components/schemas/', '') ?? `${name}Answer`,
    takesKey: parameters.some(({ $ref }) => $ref === '#/components/parameters/Idempotency-Key'),
  };
}

function querySchema(parameters) {
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }) => [name, { ...schema, description }]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** Each schema as an exported type under its own name. */
async function typesOf(schemas) {
  const nodes = await openapiTypes({
    openapi: '3.1.1',
    info: { title: '', version: '' },
    paths: {},
    components: { schemas },
  });
  const components = nodes.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === 'components');
  const named = components.members.find(({ name }) => name.text === 'schemas').type.members;
  const types = named.map((member) => {
    const exported = ts.factory.createModifier(ts.SyntaxKind.ExportKeyword);
    const type = ts.factory.createTypeAliasDeclaration([exported], member.name.text, undefined, member.type);
    return ts.setSyntheticLeadingComments(type, ts.getSyntheticLeadingComments(member));
  });
  return astToString(types)
    .replace(/components\["schemas"\]\["(\w+)"\]/g, '$1')
    .replace(/ \* @description /g, ' * ')
    .replace(/\/\*\* @description /g, '/** ')
    .replace(/^\s*(?:\/\*\* @enum \{string\} \*\/|\* @enum \{string\}|\* @constant|\/\*\* @constant \*\/)\n/gm, '');
}

function eventTypesTable({ webhookEvents }) {
  const rows = Object.entries(webhookEvents).map(
    ([type, { sentWhen, dataIs }]) => `| \`${type}\` | ${sentWhen} | ${dataIs} |`,
  );
  return ['| type | sent when | `data` is |', '|---|---|---|', ...rows].join('\n');
}

/** The documentation page of all problems. */
function describeProblems(catalogue, { bodyProblems, commonProblems, repeatProblems }, operations) {
  const common = new Set(commonProblems);
  const withBody = new Set(bodyProblems);
  const withKey = new Set(repeatProblems);
  const toldBy = (code) => {
    if (common.has(code)) return 'every call';
    if (withBody.has(code)) return 'every call with a body';
    if (withKey.has(code)) return 'every call that takes an `Idempotency-Key`';
    const ids = operations.filter(({ problems }) => problems.includes(code)).map(({ id }) => `\`${id}\``);
    return ids.length > 0 ? ids.join(', ') : 'addresses and pages, not calls';
  };
  const entries = Object.entries(catalogue).map(
    ([code, { status, title, retryable, cause, remedy }]) => `## \`${code}\`

**${status}: ${title}.** ${cause}

${remedy}

Sent again unchanged it may succeed: ${retryable ? 'yes' : 'no'}. Told by: ${toldBy(code)}.
`,
  );
  return `# Problems

<!-- Made from src/api/problem.ts by \`npm run generate\`. -->

Every error is an \`application/problem+json\` (RFC 9457) with a stable \`code\`. What each means, and what to do about it, stands here and at \`/reference#problems\` of the service. Look at \`code\`, not at the words: those may change. New codes may come; what your program does not know, it can judge by \`status\` and \`retryable\`.

${entries.join('\n')}`;
}

if (process.argv[1]?.endsWith(join('scripts', 'generate.mjs'))) {
  for (const [path, content] of Object.entries(await generate())) writeFileSync(join(root, path), content);
}
