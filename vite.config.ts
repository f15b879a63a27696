import { relative } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/** Output folders: files of every installation, and files that only the sandbox serves. */
const ASSETS = 'assets';
const SANDBOX_ASSETS = 'sandbox/assets';
const SANDBOX_SCRIPT = 'pages/checkout/frame/sandbox.ts';

/** Output folder of a script. Chunks that the sandbox's script shares with others are in the common folder. */
function scriptFolder(moduleIds: readonly string[]): string {
  return moduleIds.some((id) => id.endsWith(SANDBOX_SCRIPT)) ? SANDBOX_ASSETS : ASSETS;
}

const fileNames = {
  entryFileNames: ({ moduleIds }: { moduleIds: readonly string[] }) => `${scriptFolder(moduleIds)}/[name]-[hash].js`,
  chunkFileNames: ({ moduleIds }: { moduleIds: readonly string[] }) => `${scriptFolder(moduleIds)}/[name]-[hash].js`,
  assetFileNames: `${ASSETS}/[name]-[hash][extname]`,
};

/*
 * Shared code is split into few chunks, because browsers load six files at a time: one for all payment pages, and one
 * for both kinds of link page. By default, each set of pages with shared code would have its own chunk.
 */
const linkPageOnly =
  'expiry-countdown|language-picker|method-name|method-picker|payment-summary|qr-code|return-countdown|simulator-link|http-url';
const shared = [
  {
    name: 'payment-page',
    test: new RegExp(
      String.raw`node_modules|rolldown|checkout/store|checkout/embed/parent-channel|checkout/elements/(?!${linkPageOnly}|qr-path)|src/(?:api|shared)/`,
    ),
    minShareCount: 2,
    priority: 2,
  },
  {
    name: 'link-page',
    test: new RegExp(String.raw`checkout/link/(?!client)|checkout/elements/(?:${linkPageOnly})\.`),
    minShareCount: 2,
    priority: 1,
  },
];

/** The default build: every page without a build of its own. */
const defaultBuild = {
  manifest: true,
  rolldownOptions: {
    input: {
      'link-page': 'pages/checkout/link/client.ts',
      'link-page-with-methods': 'pages/checkout/link/client-with-methods.ts',
      'card-frame': 'pages/checkout/frame/client.ts',
      sandbox: SANDBOX_SCRIPT,
      'reusable-link': 'pages/checkout/reusable-link/client.ts',
      reference: 'pages/reference/client.ts',
      'link-page-style': 'pages/checkout/link/link-page.css',
      'card-frame-style': 'pages/checkout/frame/card-frame.css',
      'reusable-link-style': 'pages/checkout/reusable-link/reusable-link.css',
      'plain-page-style': 'pages/checkout/message/plain-page.css',
      'reference-style': 'pages/reference/reference.css',
    },
    output: { ...fileNames, codeSplitting: { groups: shared } },
  },
};

/**
 * Separate build (`--mode invoice-page`): the page needs a quarter of the shared code. In a common build it would load
 * all of it, or split the chunks of the other pages. No buyer opens both kinds of page.
 */
const invoicePage = {
  copyPublicDir: false,
  manifest: '.vite/manifest-invoice-page.json',
  rolldownOptions: {
    input: {
      'invoice-page': 'pages/checkout/invoice/client.ts',
      'invoice-page-style': 'pages/checkout/invoice/invoice-page.css',
    },
    output: fileNames,
  },
};

/** Shared code of the account area, in two chunks: by default there would be a dozen, some of a hundred bytes. */
const accountShared = {
  name: 'account-shared',
  test: /pages\/account\/(?!breakable|client|dates|list-view|passkeys|transactions\/(?:brands|event-text|webhook-change)|account-app|web-awesome|fields|copy-button|secret-view|me\/|settings\/|acquirers\/|integration\/|webhooks\/)|checkout\/(?:elements|methods)\/(?!brand-mark)|node_modules\/(?!lit(?:-html)?\/directives\/repeat)(?:lit|@lit)|src\/(?:api|shared)\/(?!currencies)/,
  minShareCount: 3,
  priority: 2,
};

/** The frame with its dependencies, so that none of them is in the chunk of the fields. */
const accountFrame = {
  name: 'account-frame',
  test: /pages\/account\/(?:account-app|command-palette|dialog-box|shell\/)/,
  priority: 3,
};

/** Input fields, which the start page does not use. */
const accountFields = {
  name: 'account-fields',
  test: /pages\/account\/(?:fields|copy-button|typed-amount)\.ts/,
  minShareCount: 2,
  priority: 1,
};

/** Lists with keyed rows, which the start page does not use. */
const accountLists = {
  name: 'account-lists',
  test: /pages\/account\/list-view\.ts|node_modules\/lit(?:-html)?\/directives\/repeat/,
  minShareCount: 2,
  priority: 1,
};

/**
 * Separate build of the account area (`--mode account`): buyers load no part of it. Each of its pages is loaded on
 * navigation.
 */
const account = {
  copyPublicDir: false,
  manifest: '.vite/manifest-account.json',
  // The icons are in one file, which browsers cannot reference as a data: URL.
  assetsInlineLimit: 0,
  rolldownOptions: {
    input: {
      account: 'pages/account/client.ts',
      'account-style': 'pages/account/account.css',
    },
    output: { ...fileNames, codeSplitting: { groups: [accountFrame, accountShared, accountFields, accountLists] } },
  },
};

const builds: Readonly<Record<string, typeof defaultBuild | typeof invoicePage | typeof account>> = {
  'invoice-page': invoicePage,
  account,
};

export default defineConfig(({ mode }) => {
  const { rolldownOptions, ...options } = builds[mode] ?? defaultBuild;
  return {
    root: import.meta.dirname,
    publicDir: 'public',
    // The elements use TypeScript's experimental decorators, which Lit recommends for size.
    oxc: { decorator: { legacy: true }, assumptions: { setPublicClassFields: true } },
    build: {
      outDir: 'dist/pages',
      // `scripts/build.mjs` clears the folder, because all builds write to it concurrently.
      emptyOutDir: false,
      target: 'es2022',
      cssMinify: 'lightningcss',
      // Older browsers get a replacement for light-dark().
      cssTarget: ['chrome111', 'firefox115', 'safari16.4'],
      modulePreload: false,
      reportCompressedSize: false,
      ...options,
      // Plugins are slow only on slow machines.
      rolldownOptions: { checks: { pluginTimings: false }, ...rolldownOptions },
    },
    plugins: [
      ...(mode === 'account' ? [] : [withoutComponentStyles(), shortDecorators(), shortTemplates()]),
      changedLit(),
      withoutOwnIcons(),
      plainImports(),
      moduleList(mode),
    ],
  };
});

/**
 * Removes Lit's code for styles of shadow roots: our elements render into the light DOM and have no styles. The build
 * fails if a release of Lit requires more. Not used for the account area, whose third-party components have styles.
 */
function withoutComponentStyles(): Plugin {
  const id = '\0no-component-styles';
  return {
    name: 'without-component-styles',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source) => (source.endsWith('css-tag.js') ? id : null),
    load(loaded) {
      if (loaded !== id) return null;
      return 'export const getCompatibleStyle = (style) => style; export const adoptStyles = () => {}; export const css = null, unsafeCSS = null, CSSResult = null, supportsAdoptingStyleSheets = false;';
    },
  };
}

/** Removes code for standard decorators and accessors, which the payment pages do not use. */
function shortDecorators(): Plugin {
  const modules: Readonly<Record<string, string>> = {
    '@lit/reactive-element/decorators/property.js':
      'export const property = (options) => (proto, name) => proto.constructor.createProperty(name, options);',
    '@lit/reactive-element/decorators/state.js':
      'export const state = () => (proto, name) => proto.constructor.createProperty(name, { state: true, attribute: false });',
    '@lit/reactive-element/decorators/custom-element.js':
      'export const customElement = (tag) => (type) => customElements.define(tag, type);',
  };
  const prefix = '\0short-decorators/';
  return {
    name: 'short-decorators',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source) => (source in modules ? prefix + source : null),
    load: (loaded) => (loaded.startsWith(prefix) ? modules[loaded.slice(prefix.length)] : null),
    // The compiler's helper, which applies the decorators. It is not resolved like other modules.
    transform: (_code, id) =>
      id.endsWith('/helpers/esm/decorate.js')
        ? 'export default (all, target, name) => (all.forEach((each) => each(target, name)), target);'
        : null,
  };
}

/** Changes of Lit's modules. */
const litChanges: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  'lit-html/lit-html.js': [
    // Chrome's page translation replaces a text node by an element, which has no `data`.
    [/\.nextSibling\.data=/, '.nextSibling.textContent='],
    // Hooks for polyfills, and the versions of which Lit would warn.
    [/,(\w)=\w\.litHtmlPolyfillSupport;\1\?\.\(\w,\w\),\(\w\.litHtmlVersions\?\?=\[\]\)\.push\("[\d.]+"\);/, ';'],
  ],
  '@lit/reactive-element/reactive-element.js': [
    [/(\w)=\w\.reactiveElementPolyfillSupport,/, ''],
    [/,\w\?\.\(\{ReactiveElement:\w\}\),\(\w\.reactiveElementVersions\?\?=\[\]\)\.push\("[\d.]+"\)/, ''],
  ],
  'lit-element/lit-element.js': [
    [
      /,\w\.litElementHydrateSupport\?\.\(\{LitElement:\w\}\);const (\w)=\w\.litElementPolyfillSupport;\1\?\.\(\{LitElement:\w\}\);/,
      ';',
    ],
    [/\(\w\.litElementVersions\?\?=\[\]\)\.push\("[\d.]+"\);/, ''],
  ],
};

/** Makes Lit smaller, and correct on translated pages. The build fails if a release of Lit requires other changes. */
function changedLit(): Plugin {
  return {
    name: 'changed-lit',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      const [, changes = []] = Object.entries(litChanges).find(([file]) => id.endsWith(`/node_modules/${file}`)) ?? [];
      return changes.reduce((before, [pattern, replacement]) => {
        if (before.split(pattern).length < 2) throw new Error(`Lit has no ${pattern} in ${id}`);
        return before.replace(pattern, replacement);
      }, code);
    },
  };
}

/** Omits Web Awesome's own icons: `pages/account/web-awesome.ts` replaces them all. */
function withoutOwnIcons(): Plugin {
  return {
    name: 'without-own-icons',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!id.includes('/@awesome.me/webawesome/') || !code.includes('var systemLibrary =')) return null;
      const changed = code.replace(/var icons = \{.*?\n\};\n(?=var systemLibrary =)/s, 'var icons = {};\n');
      if (changed === code) throw new Error(`Web Awesome's icons have another form in ${id}`);
      return changed;
    },
  };
}

/** Collapses the indentation of templates: minified code has line breaks in templates only. */
function shortTemplates(): Plugin {
  return {
    name: 'short-templates',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const each of Object.values(bundle)) {
        if (each.type === 'chunk') each.code = each.code.replaceAll(/(?<=\S)\n\s+(?=\S)/g, ' ');
      }
    },
  };
}

/** A minified `preload(() => import('file'), __VITE_PRELOAD__)`. */
const wrappedImport =
  /[\w$]+\((?:async)?\(\)=>(?:\{let\{[^}]*\}=await )?(import\(`[^`]+`\))(?:;return\{[^}]*\}\})?,__VITE_PRELOAD__\)/g;

/**
 * Removes Vite's wrapper of `import()`, which preloads style sheets and chunks. Ours have none, and the wrapper adds
 * 0.7 kB to every page.
 */
function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    apply: 'build',
    enforce: 'pre',
    load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : null),
    generateBundle(_options, bundle) {
      for (const each of Object.values(bundle)) {
        if (each.type === 'chunk') each.code = each.code.replaceAll(wrappedImport, '$1');
      }
    },
  };
}

/** Writes the list of bundled modules, from which the license notices are collected. */
function moduleList(mode: string): Plugin {
  return {
    name: 'module-list',
    apply: 'build',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []));
      const source = JSON.stringify([...new Set(modules)].map((id) => relative(import.meta.dirname, id)).sort());
      this.emitFile({ type: 'asset', fileName: `.vite/modules-${mode}.json`, source });
    },
  };
}
