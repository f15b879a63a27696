/*
 * Writes the generated files that are kept in the repository for review:
 * - the client's types and operations, and those of the SDKs in other languages
 * - the languages of buyers' pages, and the imports of the account area's texts
 * - the event types that a webhook endpoint can select
 * - the list of migrations
 * - the operation IDs that must stay
 * - the address rules of all countries
 * - the card brands
 * - the version in the manifests of `packages/`
 * - the reference tables of the documentation: endpoints, scopes, error codes, event types, methods, metrics,
 *   preferences, settings, statuses
 * A test checks that they are up to date.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import openapiTypes, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { addressData } from './address-data.mjs';
import { cardBrandTable } from './card-brands.mjs';
import { generatedFolders, sdkFiles } from './sdks.mjs';

const root = join(import.meta.dirname, '..');
const accountLanguages = 'pages/locales/account/languages.ts';
const migrationList = 'src/migrations/list.ts';
const pageLanguages = 'src/shared/page-languages.ts';
const eventTypes = 'src/shared/webhook-event-types.ts';
const operationIds = 'test/api/operation-ids.json';
const addressTable = 'src/shared/address-table.ts';
const cardBrands = 'src/shared/card-brand-table.ts';
const addressCountries = 'src/api/address-data.json';
const api = (name) => import(`../src/api/${name}.ts`);

/** Contents of all generated files, by path from the root. */
export async function generate() {
  const { describeApi } = await api('openapi');
  const { operations } = await api('operations');
  const { problemCatalog } = await api('problem');
  const { settings } = await import('../src/config.ts');
  const { settingsTable } = await import('../src/system/settings.ts');
  const { createMetrics } = await import('../src/system/metrics.ts');
  const preferences = await import('../src/merchants/preferences/keys.ts');
  const coins = {
    ...(await import('../src/shared/crypto-currency.ts')),
    ...(await import('../src/shared/chains/description.ts')),
  };
  const scopes = { ...(await import('../src/shared/scopes.ts')), ...(await import('../src/shared/roles.ts')) };
  const document = describeApi({ operations, version: '', publicUrl: '' });
  const addresses = addressData();
  return {
    'client/api.ts': formatted('client/api.ts', await describeClient(document)),
    ...sdkFiles(document, readJson('package.json').version),
    [migrationList]: formatted(migrationList, importMigrations()),
    [pageLanguages]: formatted(pageLanguages, pageLanguageList()),
    [eventTypes]: formatted(eventTypes, subscribableTypes(await api('webhook-events'))),
    [cardBrands]: formatted(cardBrands, cardBrandTable()),
    [addressTable]: formatted(addressTable, addresses.table),
    [addressCountries]: formatted(addressCountries, addresses.countries),
    [accountLanguages]: formatted(accountLanguages, importAccountTexts()),
    [operationIds]: formatted(operationIds, JSON.stringify(allOperationIds(operations))),
    'docs/api.md': withSections('docs/api.md', {
      operations: operationsTable(operations, document, (await api('operation')).operationGroups),
      scopes: scopesTable(scopes),
    }),
    'docs/webhooks.md': withSections('docs/webhooks.md', {
      'event types': eventTypesTable(await api('webhook-events')),
    }),
    'docs/crypto.md': withSections('docs/crypto.md', { coins: coinsTable(coins) }),
    'docs/methods.md': withSections('docs/methods.md', { methods: methodsTable() }),
    'docs/monitoring.md': withSections('docs/monitoring.md', { metrics: metricsTable(createMetrics()) }),
    'docs/payments.md': withSections('docs/payments.md', {
      currencies: currenciesTable(await import('../src/shared/currencies.ts')),
    }),
    'docs/preferences.md': withSections('docs/preferences.md', { preferences: preferencesTable(preferences, coins) }),
    'docs/settings.md': withSections('docs/settings.md', { settings: settingsTable(settings) }),
    'docs/statuses.md': withSections('docs/statuses.md', statusTables(await api('statuses'))),
    'docs/errors.md': describeProblems(problemCatalog, await api('operation'), operations),
    ...packageManifests(),
  };
}

/** The manifests of `packages/`, with the version of the service. */
function packageManifests() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.fromEntries(
    readdirSync(join(root, 'packages')).map((name) => {
      const path = `packages/${name}/package.json`;
      const manifest = { ...JSON.parse(readFileSync(join(root, path), 'utf8')), version };
      for (const each of Object.keys(manifest.dependencies ?? {}))
        if (each.startsWith('@paylatch/')) manifest.dependencies[each] = version;
      return [path, formatted(path, JSON.stringify(manifest, null, 2))];
    }),
  );
}

/** Files in generated folders that are no longer generated. */
export function staleFiles(files) {
  return generatedFolders
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((path) => !(path in files));
}

/** The buyer's steps for each next action. */
const buyerSteps = {
  card: 'enters the card details; completes 3-D Secure if the issuer requires it',
  qr: 'scans a QR code with a banking app',
  bank_details: 'transfers to an account issued for this payment',
  redirect: 'is redirected to the bank or the acquirer',
  app_intent: 'opens an app on the phone, or scans a QR code shown on another screen',
  crypto: 'chooses a coin and sends the amount to an address ([details](crypto.md#payment-links))',
};

const table = (columns, rows) =>
  [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const code = (text) => `\`${text}\``;
const codes = (texts) => texts.map(code).join(', ');

/** Every operation, by group; each group's name has its own row. */
function operationsTable(operations, { paths }, groups) {
  const rowOf = ({ method, path, summary, scope, managerOnly }) => {
    const { parameters = [] } = paths[path][method.toLowerCase()];
    const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    return [code(`${method} ${path}`), summary, codes(query), `${code(scope)}${managerOnly ? ', manager' : ''}`];
  };
  const rows = Object.entries(groups).flatMap(([group, title]) => [
    [`**${title}**`, '', '', ''],
    ...operations.filter((operation) => operation.group === group).map(rowOf),
  ]);
  return table(['call', 'effect', 'query parameters', 'scope'], rows);
}

function scopesTable({ scopeMeanings, defaultScopes, scopesOfRole }) {
  const rows = Object.entries(scopeMeanings).map(([scope, meaning]) => {
    const roles = Object.keys(scopesOfRole).filter((role) => scopesOfRole[role].includes(scope));
    return [code(scope), meaning, defaultScopes.includes(scope) ? 'yes' : 'no', codes(roles)];
  });
  return table(['scope', 'allows', 'by default', 'roles'], rows);
}

/** A table per object: each value with its label in the account area and its meaning. */
function statusTables({ statuses }) {
  const labels = readJson('pages/locales/account/en/statuses.json');
  return Object.fromEntries(
    Object.entries(statuses).map(([object, meanings]) => {
      const rows = Object.entries(meanings).map(([value, meaning]) => [
        ...[code(value), labels[object][value.replace('transaction_status_', '')] ?? '–', meaning],
      ]);
      return [object, table(['value', 'label', 'meaning'], rows)];
    }),
  );
}

function metricsTable({ registry }) {
  const rows = registry
    .getMetricsAsArray()
    .filter(({ name }) => name.startsWith('paylatch_'))
    .map(({ name, help, labelNames = [] }) => [code(name), codes(labelNames), help]);
  return table(['metric', 'labels', 'meaning'], rows);
}

/** Every preference; those of a cryptocurrency are one row, with `{CODE}` in place of its code and name. */
function preferencesTable({ preferenceKeys }, { chainFamilies, cryptoCurrencies }) {
  const rules = new Map();
  for (const [key, rule] of preferenceKeys) {
    const [, name, currency] = /^(.+)-([a-z]+)$/.exec(key) ?? [];
    const isPerCurrency = Object.hasOwn(cryptoCurrencies, currency);
    const row = isPerCurrency ? `${name}-{CODE}` : key;
    rules.set(row, [...(rules.get(row) ?? []), { ...rule, currency: isPerCurrency ? currency : null }]);
  }
  const meaningOf = ({ meaning, currency }) => {
    if (!currency) return meaning;
    const units = Object.values(chainFamilies).map(({ feeUnitName }) => feeUnitName);
    return units
      .reduce((text, unit) => text.replaceAll(unit, 'the fee unit of its chain'), meaning)
      .replaceAll(cryptoCurrencies[currency].name, code('{CODE}'));
  };
  const rows = [...rules].map(([key, [first, ...others]]) => [
    code(key),
    byCurrency([first, ...others], valuesOf, '; '),
    byCurrency([first, ...others], defaultOf, ', '),
    first.managerOnly ? 'manager' : first.scope ? code(first.scope) : '',
    meaningOf(first),
  ]);
  return table(['key', 'values', 'default', 'also needs', 'meaning'], rows);
}

/** Currencies by their decimals and maximum amount. */
function currenciesTable({ currencyCodes, minorUnitsOf, maximumAmountOf }) {
  const keyOf = (currency) => [minorUnitsOf(currency), maximumAmountOf(currency)];
  const groups = Map.groupBy(currencyCodes, (currency) => keyOf(currency).join());
  const rows = [...groups.values()]
    .map((currencies) => [...keyOf(currencies[0]), currencies.join(', ')])
    .toSorted(
      ([decimals, maximum], [otherDecimals, otherMaximum]) => decimals - otherDecimals || maximum - otherMaximum,
    )
    .map(([decimals, maximum, currencies]) => [decimals, maximum.toLocaleString('en'), currencies]);
  return table(['decimals', 'maximum', 'currencies'], rows);
}

function valuesOf({ type, choices, minimum, maximum, max_length: maxLength }) {
  if (type === 'boolean') return codes(['true', 'false']);
  if (choices?.includes('USD')) return 'a [currency](payments.md#amounts-and-fees)';
  if (choices) return codes(choices);
  if (minimum !== undefined) return `${type}, ${minimum} to ${maximum}`;
  return `${type.replace('_', ' ')}${maxLength ? `, at most ${maxLength} characters` : ''}`;
}

const defaultOf = ({ default: value }) => (value === null ? '' : code(value));

/** The text of a rule, or the text of each currency. */
function byCurrency(rules, textOf, separator) {
  const texts = [...new Set(rules.map(textOf))];
  if (texts.length === 1) return texts[0];
  const currenciesOf = (text) => rules.filter((rule) => textOf(rule) === text).map(({ currency }) => currency);
  return texts.map((text) => `${text} (${currenciesOf(text).join(', ')})`).join(separator);
}

function methodsTable() {
  const { methods } = readJson('src/shared/method-catalog.json');
  const names = readJson('pages/locales/en.json').methods;
  const rows = methods.map(({ code: method, brand, action, choice, countries, currencies }) => {
    const name = brand ? Object.values({ ...(typeof brand === 'string' ? [brand] : brand) }).join(', ') : names[method];
    const step = choice === 'bank' ? `chooses a bank; ${buyerSteps[action]}` : buyerSteps[action];
    const where = countries === 'world' ? 'all' : countries.join(', ');
    return [code(method), name, where, currencies.join(', '), step];
  });
  return table(['`payment_method`', 'name', 'countries', 'currencies', 'the buyer'], rows);
}

function coinsTable({ cryptoCurrencies }) {
  const rows = Object.entries(cryptoCurrencies).map(([coin, { name, chain, decimals, minConfirmations }]) => [
    ...[code(coin), name, code(chain), String(decimals), String(minConfirmations)],
  ]);
  return table(['code', 'coin', 'chain', 'decimals', 'default confirmations'], rows);
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

/** All migrations by number. Each file exports a migration, or a function that creates one for an engine. */
function importMigrations() {
  const files = readdirSync(join(root, 'src'), { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /(?:^|\/)migrations\/\d{4}-[\w-]+\.ts$/.test(path))
    .map((path) => ({ path, name: path.replace(/^.*\/|\.ts$/g, '') }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const numbers = files.map(({ name }) => name.slice(0, 4));
  const duplicate = numbers.find((number, index) => numbers.indexOf(number) !== index);
  if (duplicate) throw new Error(`Two migrations have the number ${duplicate}`);
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
  return `/* Generated from the folders \`migrations/\` by \`npm run generate\`. */
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

/** Browsers cannot import the catalog: its schemas would add zod to their bundles. */
function subscribableTypes({ webhookEvents }) {
  const types = Object.entries(webhookEvents)
    .filter(([, { subject, isNotice }]) => subject !== null && !isNotice)
    .map(([type]) => type);
  return `/* Generated from \`src/api/webhook-events.ts\` by \`npm run generate\`. */

/** Event types that a webhook endpoint can select: all that are recorded, except security notices. */
export const subscribableEventTypes = ${JSON.stringify(types)} as const;

export type SubscribableEventType = (typeof subscribableEventTypes)[number];
`;
}

/** The languages of buyers' pages, from their files. */
function pageLanguageList() {
  const tags = readdirSync(join(root, 'pages/locales'))
    .filter((name) => name.endsWith('.json') && name !== 'sandbox.json')
    .map((name) => name.replace('.json', ''))
    .sort();
  const accountTags = readdirSync(join(root, 'pages/locales/account'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  return `/* Generated from \`pages/locales/\` by \`npm run generate\`. */

/** The languages of buyers' pages, as BCP 47 tags. */
export const pageLanguages = ${JSON.stringify(tags)} as const;

/** The languages of the account area, as BCP 47 tags. */
export const accountPageLanguages = ${JSON.stringify(accountTags)} as const;
`;
}

/** One import for each language and text bundle of the account area; `-` in a file's name is `_` in keys. */
function importAccountTexts() {
  const folder = join(root, 'pages/locales/account');
  const tags = readdirSync(folder).filter((name) => !name.endsWith('.ts'));
  const bundles = readdirSync(join(folder, 'en')).map((name) => name.replace('.json', ''));
  const key = (name) => name.replaceAll('-', '_');
  const imports = tags.flatMap((tag) =>
    bundles.map((bundle) => `import ${key(tag)}_${key(bundle)} from './${tag}/${bundle}.json' with { type: 'json' };`),
  );
  const languages = tags.map(
    (tag) =>
      `'${tag}': withPageTitles({${bundles.map((bundle) => `${key(bundle)}: ${key(tag)}_${key(bundle)}`).join(',')}}),`,
  );
  return `/* Generated from the language folders here by \`npm run generate\`. */
import type { Texts } from '../languages.ts';
import { withPageTitles } from './page-titles.ts';
${imports.join('\n')}

/** The account area's texts by BCP 47 tag; each language is one of the buyers' pages. */
export const accountLanguages: Readonly<Record<string, Texts>> = {
${languages.join('\n')}
};
`;
}

/** The released operation IDs and new ones. Generated SDKs use them as names, so none is ever removed. */
function allOperationIds(operations) {
  return [...new Set([...readJson(operationIds), ...operations.map(({ id }) => id)])].toSorted((one, other) =>
    one < other ? -1 : 1,
  );
}

/** The client's types and operations, from the OpenAPI document. */
async function describeClient(document) {
  const calls = callsOf(document);
  const schemas = { ...document.components.schemas };
  for (const { inputName, input, responseName, response } of calls) {
    if (input) schemas[inputName] = input;
    if (!schemas[responseName]) schemas[responseName] = response;
  }
  const methods = calls.map(
    ({ id, doc, isInputOptional, input, inputName, responseName, acceptsIdempotencyKey }) => `
      /**
       * ${doc.replaceAll('*/', '*\\/').split('\n').join('\n       * ')}
       */
      ${id}(${input ? `input${isInputOptional ? '?' : ''}: ${inputName}, ` : ''}options?: ${acceptsIdempotencyKey ? 'IdempotentCallOptions' : 'CallOptions'}): Promise<${responseName}>;`,
  );
  const endpoints = calls.map(({ id, method, path, sends }) => `${id}: ${JSON.stringify({ method, path, sends })},`);
  return `/* Generated from the OpenAPI document by \`npm run generate\`: change src/api, not this file. */
import type { CallOptions, IdempotentCallOptions } from './call.ts';

${await typesOf(schemas)}

/** All operations of the API. */
export interface Operations {${methods.join('\n')}
}

/** Method, path and form of input of each operation. */
export const endpoints = {
${endpoints.join('\n')}
} as const;
`;
}

/** The client covers JSON responses only; files are streamed by plain requests. */
function callsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => 'application/json' in responses['200'].content)
      .map(([method, operation]) => callOf(method.toUpperCase(), path, operation)),
  );
}

function callOf(method, path, operation) {
  const { operationId: id, summary, description, parameters = [], requestBody, responses } = operation;
  const name = id[0].toUpperCase() + id.slice(1);
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const body = requestBody?.content['application/json'].schema;
  const given = body ?? (query.length > 0 ? querySchema(query) : null);
  const input = given && Object.keys(given.properties ?? {}).length > 0 ? given : null;
  const response = responses['200'].content['application/json'].schema;
  return {
    ...{ id, method, path, input, response },
    doc: `${summary}.\n\n${description}`,
    sends: input ? (body ? 'body' : 'query') : body ? 'emptyBody' : 'nothing',
    inputName: `${name}Input`,
    isInputOptional: (input?.required ?? []).length === 0,
    responseName: response.$ref?.replace('#/components/schemas/', '') ?? `${name}Response`,
    acceptsIdempotencyKey: parameters.some(({ $ref }) => $ref === '#/components/parameters/Idempotency-Key'),
  };
}

function querySchema(parameters) {
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }) => [name, { ...oneOrSeveral(schema), description }]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** A filter for several values also accepts a single one. */
function oneOrSeveral(schema) {
  return schema.type === 'array' ? { anyOf: [schema.items, { type: 'array', items: schema.items }] } : schema;
}

/** Each schema as an exported type under its own name. */
async function typesOf(schemas) {
  const nodes = await openapiTypes(
    { openapi: '3.1.1', info: { title: '', version: '' }, paths: {}, components: { schemas } },
    // Callers can omit fields that have a default.
    { defaultNonNullable: false },
  );
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
  const rows = Object.entries(webhookEvents).map(([type, { sentWhen, dataIs }]) => [code(type), sentWhen, dataIs]);
  return table(['type', 'sent when', '`data` is'], rows);
}

/** Problems that API requests can receive although no operation lists them, with the endpoints that return them. */
const UNLISTED_PROBLEMS = {
  cross_site_request: 'all endpoints, with a session cookie',
  merchant_required: 'all endpoints, with a session cookie',
  method_not_allowed: 'all URLs of the service',
  request_timeout: 'all URLs of the service',
  headers_too_large: 'all URLs of the service',
  merchant_moving: 'all URLs of the service',
};

/** The error codes as a page of the documentation. */
function describeProblems(catalog, { bodyProblems, commonProblems, idempotencyProblems }, operations) {
  const common = new Set(commonProblems);
  const withBody = new Set(bodyProblems);
  const withKey = new Set(idempotencyProblems);
  const returnedBy = (problem) => {
    if (common.has(problem)) return 'all endpoints';
    if (withBody.has(problem)) return 'all endpoints with a request body';
    if (withKey.has(problem)) return 'all endpoints that accept an `Idempotency-Key`';
    const ids = operations.filter(({ problems }) => problems.includes(problem)).map(({ id }) => id);
    if (ids.length > 0) return codes(ids);
    return UNLISTED_PROBLEMS[problem] ?? 'hosted pages and frames, not the API';
  };
  const entries = Object.entries(catalog).map(
    ([problem, { status, title, retryable, cause, remedy }]) => `## \`${problem}\`

**${status}: ${title}.** ${cause}

${remedy}

Retryable: ${retryable ? 'yes' : 'no'}. Returned by: ${returnedBy(problem)}.
`,
  );
  return `# Error codes

<!-- Generated from src/api/problem.ts by \`npm run generate\`. -->

Look up what an error code means and how to fix it.

\`\`\`sh
curl http://localhost:8080/v1/currencies -H "Authorization: Bearer wrong"
\`\`\`

The [error format](api.md#errors) is the same everywhere. The running service lists these codes at \`/reference/problems\`.

- Rely on \`code\`: the text of \`title\` and \`detail\` can change.
- New codes can be added. Handle unknown ones by \`status\` and \`retryable\`.
- *Retryable* means that the same request can succeed later.

${entries.join('\n')}`;
}

if (process.argv[1]?.endsWith(join('scripts', 'generate.mjs'))) {
  // First, because the API's own schemas import it.
  writeFileSync(join(root, eventTypes), formatted(eventTypes, subscribableTypes(await api('webhook-events'))));
  const files = await generate();
  for (const path of staleFiles(files)) rmSync(join(root, path));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}
