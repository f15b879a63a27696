/*
 * The allowed import directions of the whole project: a folder imports only from the folders in its entry. A folder
 * without an entry is an error.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Folders without sources. */
const built = new Set(['node_modules', 'dist', 'data', 'packages', 'test-results']);

/** Modules of the server, lowest first. Each may import from those before it. */
const server = [
  ...[
    'shared',
    'api',
    'system',
    'database',
    'jobs',
    'http',
    'operations',
    'audit',
    'merchants',
    'mail',
    'webhooks',
    'auth',
  ],
  ...['rates', 'methods', 'acquirers', 'payments', 'chains', 'ledger'],
  ...['wallets', 'deposits', 'invoices', 'withdrawals', 'reconciliation', 'migrations', 'backup', 'cells', 'assets'],
].map((name) => `src/${name}`);

const browser = ['src/shared', 'src/api', 'client', 'pages'];

/** Folders that each folder may import from; `*` means all. */
const mayImport = {
  ...Object.fromEntries(server.map((name, index) => [name, server.slice(0, index + 1)])),
  src: server,
  'src/startup': ['*'],
  'src/cli': ['*'],
  pages: browser,
  'pages/locales': browser,
  'pages/checkout': [...browser, 'pages/locales'],
  'pages/sandbox': [...browser, 'pages/locales', 'pages/checkout'],
  'pages/account': [...browser, 'pages/locales', 'pages/checkout'],
  'pages/mail': [...browser, 'pages/locales', 'pages/checkout', 'pages/account'],
  'pages/reference': browser,
  widget: ['src/shared'],
  client: [],
  shops: ['client', 'src/shared'],
  testing: ['src/shared', 'pages/locales'],
  examples: ['client', 'src/shared'],
  test: ['*'],
  scripts: ['*'],
  '.': ['scripts'],
};

/** These import only types from `src/api`: values would add zod to their bundles. The reference renders on the server. */
const typesOnly = ['pages', 'pages/locales', 'pages/checkout', 'pages/sandbox', 'pages/account'];

/** What `tablesOf` returns: queries of a module's own tables. */
const ownQueries = ['db', 'statement', 'pipelinedStatement', 'combinedStatement'];

/** Import statements that remain in the built file. */
function valueImports(text) {
  return ts.createSourceFile('', text, ts.ScriptTarget.Latest).statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier, importClause: clause } = statement;
    const names = clause?.namedBindings ?? statement.exportClause;
    const isType =
      statement.isTypeOnly ||
      clause?.isTypeOnly ||
      (!clause?.name && names?.elements?.every((name) => name.isTypeOnly));
    return moduleSpecifier && !isType ? [moduleSpecifier.text] : [];
  });
}

/** Files from which a file imports queries of their tables. */
function queryImports(text) {
  return ts.createSourceFile('', text, ts.ScriptTarget.Latest).statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const names = (statement.importClause?.namedBindings ?? statement.exportClause)?.elements ?? [];
    const isOwn = names.some((name) => ownQueries.includes((name.propertyName ?? name.name).text));
    return isOwn && statement.moduleSpecifier ? [statement.moduleSpecifier.text] : [];
  });
}

/** A file's folder in the table: in `src` and `pages`, the first two path segments. */
function folderOf(file) {
  const parts = posix.dirname(file).split('/');
  return ['src', 'pages'].includes(parts[0]) ? parts.slice(0, 2).join('/') : (parts[0] ?? '.');
}

/** Forbidden imports and folders without an entry, one line each. */
export function forbiddenImports(files, read, table = mayImport) {
  const unknown = new Set();
  const forbidden = [];
  for (const file of files) {
    const from = folderOf(file);
    const allowed = table[from];
    if (!allowed) unknown.add(`${from} has no entry in scripts/imports.mjs`);
    else
      for (const { fileName } of ts.preProcessFile(read(file), true, true).importedFiles) {
        if (!fileName.startsWith('.')) continue;
        const to = folderOf(posix.join(posix.dirname(file), fileName));
        if (to !== from && !allowed.includes('*') && !allowed.includes(to))
          forbidden.push(`${file} imports ${fileName}: ${from} may not import from ${to}`);
      }
    if (file.startsWith('src/'))
      for (const fileName of queryImports(read(file))) {
        const to = folderOf(posix.join(posix.dirname(file), fileName));
        if (to !== from) forbidden.push(`${file} imports queries of ${fileName}: only ${to} may query its tables`);
      }
    if (typesOnly.includes(from))
      for (const fileName of valueImports(read(file)))
        if (folderOf(posix.join(posix.dirname(file), fileName)) === 'src/api')
          forbidden.push(`${file} imports a value of ${fileName}: ${from} may import types from src/api`);
  }
  return [...unknown, ...forbidden];
}

/** Paths of all source files, relative to the root. */
function sourceFiles() {
  const isSource = (name) => /\.(?:ts|mjs)$/.test(name);
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return isSource(entry.name) ? [entry.name] : [];
    if (built.has(entry.name) || entry.name.startsWith('.')) return [];
    return readdirSync(join(root, entry.name), { recursive: true })
      .map((path) => posix.join(entry.name, path.replaceAll('\\', '/')))
      .filter((path) => isSource(path) && !/\/(?:node_modules|dist|\.\w+)\//.test(path));
  });
}

if (process.argv[1]?.endsWith(join('scripts', 'imports.mjs'))) {
  const lines = forbiddenImports(sourceFiles(), (file) => readFileSync(join(root, file), 'utf8'));
  for (const line of lines) process.stderr.write(`${line}\n`);
  process.exitCode = lines.length === 0 ? 0 : 1;
}
