// Builds what is stale: the pages into dist/pages, the element for merchants' pages into dist/widget, the demo shop's files into dist/shop, the program into dist/server.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeInventory } from './inventory.mjs';
import { writeBillOfMaterials } from './bill-of-materials.mjs';
import { bundledPackages, gatherNotices } from './licences.mjs';
import { precompress } from './precompress.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'dist', 'built');
const inputs = [
  'src',
  'client',
  'pages',
  'widget',
  'public',
  'scripts/bill-of-materials.mjs',
  'scripts/build.mjs',
  'scripts/inventory.mjs',
  'scripts/licences.mjs',
  'scripts/precompress.mjs',
  'vite.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];

/** The latest change below a path, in milliseconds since the epoch; 0 when there is nothing. */
function changedAt(path) {
  if (!existsSync(path)) return 0;
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

/** How the program takes its packages in: loaded in half the time; what has binaries or data cannot come along. */
export const programPackages = {
  external: ['better-sqlite3', 'pg-native', '@ip-location-db/*'],
  // What packages that are CommonJS expect to be there.
  banner: {
    js: `const require = process.getBuiltinModule('module').createRequire(import.meta.url);
const __filename = import.meta.filename, __dirname = import.meta.dirname;`,
  },
  loader: { '.css': 'text' },
};

export function isStale() {
  const builtAt = changedAt(stamp);
  return inputs.some((input) => changedAt(join(root, input)) > builtAt);
}

function buildPages(mode) {
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn', '--mode', mode],
    { cwd: root, stdio: ['ignore', 2, 2] },
  );
  if (status !== 0) throw new Error('The pages could not be built');
}

export async function build() {
  const startedAt = new Date();
  rmSync(stamp, { force: true });
  // What is built by itself comes after the others, which clear the folder.
  for (const mode of ['production', 'invoice-page', 'account']) buildPages(mode);
  const esbuild = await import('esbuild');
  const widget = join(root, 'dist', 'widget');
  rmSync(widget, { recursive: true, force: true });
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['widget/pay-form.ts', 'widget/pay-form.css'],
    // Class fields as the language has them are shorter than those of TypeScript's own kind.
    tsconfigRaw: { compilerOptions: { target: 'ES2022', useDefineForClassFields: true } },
    outdir: widget,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  precompress(widget);
  const pages = join(root, 'dist', 'pages');
  const bundled = bundledPackages(pages, Object.keys(metafile.inputs));
  writeFileSync(join(pages, 'licences.txt'), gatherNotices(root, bundled));
  writeBillOfMaterials(root, bundled);
  precompress(pages);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const inventory = takeInventory(join(root, 'dist'), version);
  writeFileSync(join(root, 'dist', 'inventory.json'), `${JSON.stringify(inventory, null, 2)}\n`);
  rmSync(join(root, 'dist', 'shop'), { recursive: true, force: true });
  cpSync(join(root, 'pages', 'shop', 'browser'), join(root, 'dist', 'shop'), { recursive: true });
  rmSync(join(root, 'dist', 'server'), { recursive: true, force: true });
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['src/cli.ts', 'src/migration-worker.ts'],
    outdir: 'dist/server',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    ...programPackages,
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  });
  writeFileSync(stamp, '');
  // What changed while the build ran may not be in it.
  utimesSync(stamp, startedAt, startedAt);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
