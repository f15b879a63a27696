/*
 * Builds the files of the npm package other than the service into dist/package:
 * - the element with its types, also for React and Vue, and its manifest for editors
 * - the API client
 * - the test kit for merchants
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { create as describeElements, ts } from '@custom-elements-manifest/analyzer';
import { getWebTypesData } from 'custom-element-jet-brains-integration';
import { getVsCodeCssCustomData, getVsCodeHtmlCustomData } from 'custom-element-vs-code-integration';
import { build as bundle } from 'esbuild';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { build, isStale } from './build.mjs';

const root = join(import.meta.dirname, '..');
const outdir = join(root, 'dist', 'package');

/** Packages that the types reference but the package does not include. */
const peers = ['react', 'vue', '@playwright/test'];

function copyElement() {
  for (const name of ['pay-form.js', 'pay-form.css']) cpSync(join(root, 'dist/widget', name), join(outdir, name));
  // The element is the same for every framework; only the types differ.
  for (const name of ['react.js', 'vue.js']) writeFileSync(join(outdir, name), "export * from './pay-form.js';\n");
  // TypeScript also requires types for imported style sheets.
  writeFileSync(join(outdir, 'pay-form.css.d.ts'), 'export {};\n');
}

async function bundleTesting() {
  await bundle({
    absWorkingDir: root,
    entryPoints: { testing: 'testing/index.ts' },
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: peers,
    logLevel: 'warning',
  });
}

async function bundleClient() {
  await bundle({
    absWorkingDir: root,
    entryPoints: { client: 'client/index.ts' },
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'warning',
  });
}

async function rollUpTypes() {
  const types = await rollup({
    input: {
      'pay-form': join(root, 'widget/pay-form.ts'),
      react: join(root, 'widget/react.ts'),
      vue: join(root, 'widget/vue.ts'),
      client: join(root, 'client/index.ts'),
      testing: join(root, 'testing/index.ts'),
    },
    external: peers,
    plugins: [dts({ tsconfig: join(root, 'tsconfig.json') })],
    onLog(_level, { message }) {
      throw new Error(message);
    },
  });
  await types.write({ dir: outdir, entryFileNames: '[name].d.ts', chunkFileNames: '[name].d.ts' });
}

function describe() {
  const source = readFileSync(join(root, 'widget/pay-form.ts'), 'utf8');
  // Paths as in the package, where readers of the manifest find the files.
  const module = ts.createSourceFile(
    'dist/package/pay-form.js',
    source,
    ts.ScriptTarget.ES2022,
    true,
    ts.ScriptKind.TS,
  );
  return describeElements({ modules: [module], plugins: [publicOnly] });
}

/** Omits private members and callbacks that only the browser calls. */
const publicOnly = {
  name: 'public-only',
  packageLinkPhase({ customElementsManifest: { modules } }) {
    for (const module of modules) {
      module.declarations = module.declarations.filter(({ customElement }) => customElement);
      const names = module.declarations.map(({ name }) => name);
      module.exports = module.exports.filter(({ declaration }) => names.includes(declaration.name));
      for (const element of module.declarations) {
        element.members = element.members.filter(isPublic);
        // The server-side replacement of HTMLElement is an internal detail.
        element.superclass = { name: 'HTMLElement' };
      }
    }
  },
};

function isPublic({ name, privacy, static: isStatic }) {
  // The analyzer mistakes properties set on the shadow root for fields of the element.
  return privacy !== 'private' && !isStatic && !name.endsWith('Callback') && name !== 'adoptedStyleSheets';
}

/** Writes the manifest, and the formats of VS Code and JetBrains IDEs. */
function writeDescriptions() {
  const manifest = describe();
  const write = (name, content) => writeFileSync(join(outdir, name), content);
  write('custom-elements.json', `${JSON.stringify(manifest, null, 2)}\n`);
  // These functions modify the manifest.
  write('html-custom-data.json', getVsCodeHtmlCustomData(structuredClone(manifest), {}));
  write('css-custom-data.json', getVsCodeCssCustomData(structuredClone(manifest), {}));
  write('web-types.json', getWebTypesData(structuredClone(manifest), {}));
}

if (isStale()) await build();
rmSync(outdir, { recursive: true, force: true });
mkdirSync(outdir, { recursive: true });
copyElement();
writeDescriptions();
await Promise.all([bundleClient(), bundleTesting(), rollUpTypes()]);
