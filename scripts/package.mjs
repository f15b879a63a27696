/*
 * Builds the packages for merchants' projects into `packages/NAME/dist`:
 * - `pay-form`: the element with its types, and its manifest for editors
 * - `react`, `vue`: the element with types for the framework
 * - `client`: the API client
 * - `testing`: the test kit
 * - `medusa`, `vendure`: the plugins for shop platforms
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
const outputOf = (name, ...path) => join(root, 'packages', name, 'dist', ...path);

const ELEMENT = '@paylatch/pay-form';
/** Packages that the types reference but a package does not include. */
const peers = ['react', 'vue', '@playwright/test'];
/** The shop plugins, with the platform packages that each imports. */
const shops = {
  medusa: ['@medusajs/framework/types', '@medusajs/framework/utils'],
  vendure: ['@nestjs/common', '@vendure/core'],
};

/** The sources of each package's types. */
const typeSources = {
  'pay-form': { 'pay-form': 'widget/pay-form.ts' },
  react: { index: 'widget/react.ts' },
  vue: { index: 'widget/vue.ts' },
  client: { index: 'client/index.ts' },
  testing: { index: 'testing/index.ts' },
  medusa: { index: 'shops/medusa/index.ts' },
  vendure: { index: 'shops/vendure/index.ts' },
};

function copyElement() {
  for (const file of ['pay-form.js', 'pay-form.css'])
    cpSync(join(root, 'dist/widget', file), outputOf('pay-form', file));
  // TypeScript also requires types for imported style sheets.
  writeFileSync(outputOf('pay-form', 'pay-form.css.d.ts'), 'export {};\n');
  // The element is the same for every framework; only the types differ.
  for (const name of ['react', 'vue']) writeFileSync(outputOf(name, 'index.js'), `export * from '${ELEMENT}';\n`);
}

async function bundleModule(name, entry, options) {
  await bundle({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: outputOf(name, 'index.js'),
    bundle: true,
    format: 'esm',
    logLevel: 'warning',
    ...options,
  });
}

/** The frameworks' types import the element's types, so that a project has one declaration of each. */
const elementIsExternal = {
  name: 'element-is-external',
  resolveId: (source, importer = '') =>
    /widget\/(?:react|vue)\.ts$/.test(importer.replaceAll('\\', '/')) && source === './pay-form.ts'
      ? { id: ELEMENT, external: true }
      : null,
};

/** The plugins import the client package, so that a project has one copy of it. */
const CLIENT = '@paylatch/client';
const importsClient = (source, importer) =>
  /\bclient\/index\.ts$/.test(source) && /\bshops\//.test(importer.replaceAll('\\', '/'));
const clientIsExternal = {
  name: 'client-is-external',
  resolveId: (source, importer = '') => (importsClient(source, importer) ? { id: CLIENT, external: true } : null),
};
const clientIsExternalInBundle = {
  name: 'client-is-external',
  setup: (bundling) =>
    bundling.onResolve({ filter: /client\/index\.ts$/ }, ({ path, importer }) =>
      importsClient(path, importer) ? { path: CLIENT, external: true } : null,
    ),
};

/** License notice of the bundled part of zod. */
const zodNotice = `/*!\n * Contains zod (https://zod.dev):\n *\n${readFileSync(
  join(root, 'node_modules/zod/LICENSE'),
  'utf8',
)
  .trim()
  .replaceAll(/^/gm, ' * ')
  .replaceAll(/ +$/gm, '')}\n */`;

async function bundleShop(name) {
  await bundleModule(name, `shops/${name}/index.ts`, {
    platform: 'node',
    target: 'node22',
    external: shops[name],
    plugins: [clientIsExternalInBundle],
    banner: { js: zodNotice },
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
  });
}

/** Rolls the types of a package up into one file per entry, so that internal types cannot be imported. */
async function rollUpTypes(name, entries) {
  const types = await rollup({
    input: Object.fromEntries(Object.entries(entries).map(([entry, source]) => [entry, join(root, source)])),
    external: [...peers, ...(shops[name] ?? [])],
    plugins: [elementIsExternal, clientIsExternal, dts({ tsconfig: join(root, 'tsconfig.json') })],
    onLog(_level, { message }) {
      throw new Error(message);
    },
  });
  await types.write({ dir: outputOf(name), entryFileNames: '[name].d.ts', chunkFileNames: '[name].d.ts' });
}

function createManifest() {
  const source = readFileSync(join(root, 'widget/pay-form.ts'), 'utf8');
  // Paths as in the package, where readers of the manifest find the files.
  const module = ts.createSourceFile('dist/pay-form.js', source, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS);
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
  const manifest = createManifest();
  const write = (name, content) => writeFileSync(outputOf('pay-form', name), content);
  write('custom-elements.json', `${JSON.stringify(manifest, null, 2)}\n`);
  // These functions modify the manifest.
  write('html-custom-data.json', getVsCodeHtmlCustomData(structuredClone(manifest), {}));
  write('css-custom-data.json', getVsCodeCssCustomData(structuredClone(manifest), {}));
  write('web-types.json', getWebTypesData(structuredClone(manifest), {}));
}

if (isStale()) await build();
for (const name of Object.keys(typeSources)) {
  rmSync(outputOf(name), { recursive: true, force: true });
  mkdirSync(outputOf(name), { recursive: true });
  cpSync(join(root, 'LICENSE'), join(root, 'packages', name, 'LICENSE'));
}
copyElement();
writeDescriptions();
await Promise.all([
  bundleModule('client', 'client/index.ts', { platform: 'neutral', target: 'es2022' }),
  bundleModule('testing', 'testing/index.ts', { platform: 'node', target: 'node20', external: peers }),
  ...Object.keys(shops).map(bundleShop),
  ...Object.entries(typeSources).map(async ([name, entries]) => await rollUpTypes(name, entries)),
]);
