// Builds outdated outputs: pages (dist/pages), the element for merchants' pages (dist/widget), the demo shop (dist/shop) and the program (dist/server).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as esbuild } from 'esbuild';
import { lockfileSbom, writeBillOfMaterials } from './bill-of-materials.mjs';
import { listFiles } from './inventory.mjs';
import { bundledPackages, collectNotices } from './licenses.mjs';
import { precompress } from './precompress.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'dist', 'built');
const inputs = [
  'src',
  'client',
  'pages',
  'examples/shop',
  'widget',
  'public',
  'scripts/bill-of-materials.mjs',
  'scripts/build.mjs',
  'scripts/inventory.mjs',
  'scripts/licenses.mjs',
  'scripts/precompress.mjs',
  'vite.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];

/** The latest modification below a path, in milliseconds since the epoch; 0 if the path is empty. */
function changedAt(path) {
  if (!existsSync(path)) return 0;
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

/** Bundles the program with its packages, which halves its load time. Packages with binaries or data stay external: the Containerfile copies them. */
export const programPackages = {
  external: ['pg-native', '@ip-location-db/*', '@jsquash/*'],
  // Globals that CommonJS packages expect.
  banner: {
    js: `const require = globalThis.process.getBuiltinModule('module').createRequire(import.meta.url);
const __filename = import.meta.filename, __dirname = import.meta.dirname;`,
  },
  loader: { '.css': 'text' },
};

export function isStale() {
  const builtAt = changedAt(stamp);
  return inputs.some((input) => changedAt(join(root, input)) > builtAt);
}

async function buildPages(mode) {
  const vite = spawn(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn', '--mode', mode],
    { cwd: root, stdio: ['ignore', 2, 2] },
  );
  const [code] = await once(vite, 'exit');
  if (code !== 0) throw new Error('The pages could not be built');
}

/** Returns the modules that the element consists of. */
export async function buildWidget(outdir) {
  const { metafile } = await esbuild({
    absWorkingDir: root,
    entryPoints: ['widget/pay-form.ts', 'widget/pay-form.css'],
    // Native class fields are shorter than TypeScript's emulation.
    tsconfigRaw: { compilerOptions: { target: 'ES2022', useDefineForClassFields: true } },
    outdir,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  return Object.keys(metafile.inputs);
}

/** Options for a bundle of the program with these entry points. */
export function programOptions(entryPoints, outdir) {
  return {
    absWorkingDir: root,
    entryPoints: {
      ...entryPoints,
      'migration-worker': 'src/startup/migration-worker.ts',
      'image-worker': 'src/merchants/logo/image-worker.ts',
    },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    ...programPackages,
    // Coverage is computed from several bundles. It adds up only if a branch has the same position in each.
    ...(!process.env.COVERAGE && { minifyWhitespace: true, lineLimit: 160 }),
    // Without the packages' comments, and ASCII: V8 keeps the source of a file with other characters in twice the bytes.
    legalComments: 'none',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  };
}

export async function build() {
  const startedAt = new Date();
  const dist = join(root, 'dist');
  const [pages, widget] = [join(dist, 'pages'), join(dist, 'widget')];
  for (const path of [stamp, pages, widget, join(dist, 'shop'), join(dist, 'server')])
    rmSync(path, { recursive: true, force: true });
  const [modules, sbom] = await Promise.all([
    buildWidget(widget),
    lockfileSbom(root),
    esbuild(programOptions({ cli: 'src/cli/main.ts' }, 'dist/server')),
    ...['production', 'invoice-page', 'account'].map(buildPages),
  ]);
  cpSync(join(root, 'examples', 'shop', 'browser'), join(dist, 'shop'), { recursive: true });
  const bundled = bundledPackages(pages, modules);
  writeFileSync(join(pages, 'licenses.txt'), collectNotices(root, bundled));
  writeBillOfMaterials(root, sbom, bundled);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(dist, 'inventory.json'), `${JSON.stringify(listFiles(dist, version), null, 2)}\n`);
  const loaded = [widget, pages, join(pages, 'assets'), join(pages, 'sandbox', 'assets')];
  await Promise.all(loaded.map(precompress));
  writeFileSync(stamp, '');
  // Changes during the build may not be included, so the next build runs again.
  utimesSync(stamp, startedAt, startedAt);
}

// Compares the file name: in a bundle that contains this file, `import.meta.main` would be true too.
if (process.argv[1]?.endsWith(join('scripts', 'build.mjs'))) await build();
