/*
 * Which folder may import from which: one table for the whole project. A folder that is not in the table is an
 * error, so that none stays outside the rule.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const base = ['src/contract', 'src/platform'];

/** Folders that hold no sources. */
const built = new Set(['node_modules', 'dist', 'data', 'test-results']);

/** Of each folder, the others that it may import from; `*` for all. */
const mayImport = {
  'src/contract': [],
  'src/platform': ['src/contract'],
  'src/merchants': base,
  'src/methods': [...base, 'src/merchants'],
  'src/providers': base,
  'src/callbacks': [...base, 'src/merchants'],
  'src/chains': base,
  'src/ledger': base,
  'src/people': [...base, 'src/merchants', 'src/callbacks'],
  'src/payments': [...base, 'src/merchants', 'src/methods', 'src/providers', 'src/callbacks'],
  'src/invoices': [
    ...base,
    'src/merchants',
    'src/methods',
    'src/providers',
    'src/callbacks',
    'src/chains',
    'src/ledger',
  ],
  'src/reference': base,
  'src/widget': base,
  // Put the parts together.
  'src/cli': ['*'],
  src: ['*'],
  // Run in browsers, on our own pages and on merchants'.
  pages: ['src/contract', 'client'],
  widget: ['src/contract'],
  client: [],
  testing: ['src/contract', 'pages'],
  test: ['*'],
  scripts: ['*'],
  docs: [],
  '.': ['scripts'],
};

/** The folder of the table that a file is in; folders directly below `src` count by themselves. */
function folderOf(file) {
  const parts = posix.dirname(file).split('/');
  return parts[0] === 'src' ? parts.slice(0, 2).join('/') : (parts[0] ?? '.');
}

/** The imports that the table does not allow, and the folders that it does not name, a line each. */
export function forbiddenImports(files, read, table = mayImport) {
  const unknown = new Set();
  const forbidden = [];
  for (const file of files) {
    const from = folderOf(file);
    const allowed = table[from];
    if (!allowed) unknown.add(`${from} is not in the table of imports (scripts/imports.mjs)`);
    else
      for (const { fileName } of ts.preProcessFile(read(file), true, true).importedFiles) {
        if (!fileName.startsWith('.')) continue;
        const to = folderOf(posix.join(posix.dirname(file), fileName));
        if (to !== from && !allowed.includes('*') && !allowed.includes(to))
          forbidden.push(`${file} imports ${fileName}: ${from} may not import from ${to}`);
      }
  }
  return [...unknown, ...forbidden];
}

/** Every source file of the project, with its path from the root. */
function sourceFiles() {
  const isSource = (name) => /\.(?:ts|mjs)$/.test(name);
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return isSource(entry.name) ? [entry.name] : [];
    if (built.has(entry.name) || entry.name.startsWith('.')) return [];
    return readdirSync(join(root, entry.name), { recursive: true })
      .map((path) => posix.join(entry.name, path.replaceAll('\\', '/')))
      .filter((path) => isSource(path) && !path.includes('/node_modules/'));
  });
}

if (process.argv[1]?.endsWith(join('scripts', 'imports.mjs'))) {
  const lines = forbiddenImports(sourceFiles(), (file) => readFileSync(join(root, file), 'utf8'));
  for (const line of lines) process.stderr.write(`${line}\n`);
  process.exitCode = lines.length === 0 ? 0 : 1;
}
