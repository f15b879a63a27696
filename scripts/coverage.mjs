/*
 * Measures branch coverage of the server's and the pages' code, for the given stages (`npm run coverage -- attacks`)
 * or the default ones. Prints a table of files and writes `test-results/coverage/report/index.html`.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CoverageReport } from 'monocart-coverage-reports';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'test-results', 'coverage');
const named = process.argv.slice(2);
const stages =
  named.length > 0
    ? named
    : ['package', 'attacks', 'acquirers', 'server-sqlite', 'server-postgres', 'nodes', 'component', 'e2e'];

// The build differs for coverage, so the next command builds again.
const removeBuild = () => rmSync(join(root, 'dist'), { recursive: true, force: true });
rmSync(folder, { recursive: true, force: true });
removeBuild();
const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'test.mjs'), ...stages], {
  stdio: 'inherit',
  env: { ...process.env, COVERAGE: folder },
});

const isProjectSource = (path) => /^(?:src|pages|widget|client|testing)\/.+\.ts$/.test(path);

/**
 * False for chunks of packages only, which the report would list as they are, and for installed copies of the package,
 * which tests have deleted.
 */
function containsProjectSource(url) {
  if (!url.startsWith('file:')) return true;
  if (!url.startsWith(pathToFileURL(root).href)) return false;
  const { sources } = JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8'));
  return sources.some((source) => isProjectSource(source.replace(/^(?:\.\.\/)+/, '')));
}

const report = new CoverageReport({
  baseDir: root,
  outputDir: join(folder, 'report'),
  reports: [['console-details', { metrics: ['branches', 'lines'] }], 'v8', 'json-summary'],
  entryFilter: ({ url }) =>
    /\/(?:test-results|dist\/server)\/.+\.js$|\/test\/component\/.+\.test\.ts/.test(url) && containsProjectSource(url),
  sourceFilter: isProjectSource,
  // Includes files that no test loads.
  all: {
    dir: ['src', 'pages', 'widget', 'client', 'testing'].map((name) => join(root, name)),
    filter: isProjectSource,
  },
  logging: 'error',
});
for (const name of readdirSync(folder)) {
  if (name === 'node') await report.addFromDir(join(folder, name));
  else if (name.startsWith('browser-')) await report.add(JSON.parse(readFileSync(join(folder, name), 'utf8')));
}
await report.generate();
removeBuild();
process.exit(status ?? 1);
