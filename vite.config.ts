import { relative } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/** Served by every installation, and by the sandbox alone: what plays there must not exist in production. */
const ASSETS = 'assets';
const SANDBOX_ASSETS = 'sandbox/assets';
const SANDBOX_SCRIPT = 'pages/checkout/frame/sandbox.ts';

/** Where a script is built to. What the sandbox's script shares with others is no part of it, and stands with the others. */
function scriptFolder(moduleIds: readonly string[]): string {
  return moduleIds.some((id) => id.endsWith(SANDBOX_SCRIPT)) ? SANDBOX_ASSETS : ASSETS;
}

const fileNames = {
  entryFileNames: ({ moduleIds }: { moduleIds: readonly string[] }) => `${scriptFolder(moduleIds)}/[name]-[hash].js`,
  chunkFileNames: ({ moduleIds }: { moduleIds: readonly string[] }) => `${scriptFolder(moduleIds)}/[name]-[hash].js`,
  assetFileNames: `${ASSETS}/[name]-[hash][extname]`,
};

/*
 * What pages share arrives in few pieces, for a browser asks for six at once: one that all payment pages
 * begin with, one for both kinds of link page. Left alone, each set of pages that share something makes
 * one of its own.
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

/** What a build makes. */
const everyOtherPage = {
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
 * Built by itself (`--mode invoice-page`): it needs a quarter of what those share, and
 * would either load the rest as well or cut the pieces of all smaller. Nobody pays by both.
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

/** What pages of the account area share arrives in two pieces: left alone it makes a dozen, some of a hundred bytes. */
const accountParts = {
  name: 'account-parts',
  test: /pages\/account\/(?!client|account-app|web-awesome|fields|copy-button|secret-view|me\/|settings\/|acquirers\/|integration\/|webhooks\/)|checkout\/(?:elements|methods)\/|node_modules\/(?:lit|@lit)|src\/(?:api|shared)\//,
  minShareCount: 3,
  priority: 2,
};

/** The frame with all that it needs, so that nothing of it ends up among the fields. */
const accountFrame = {
  name: 'account-frame',
  test: /pages\/account\/(?:account-app|command-palette|dialog-box|shell\/)/,
  priority: 3,
};

/** Fields to type into, which the first page has none of. */
const accountFields = {
  name: 'account-fields',
  test: /pages\/account\/(?:fields|copy-button|secret-view)\.ts/,
  minShareCount: 3,
  priority: 1,
};

/**
 * The account area (`--mode account`), by itself as well: nothing of it may reach a buyer. Its pages are
 * loaded one by one.
 */
const account = {
  copyPublicDir: false,
  manifest: '.vite/manifest-account.json',
  // Browsers take no picture from a data: address for the icons, which stand in one file.
  assetsInlineLimit: 0,
  rolldownOptions: {
    input: {
      account: 'pages/account/client.ts',
      'account-style': 'pages/account/account.css',
    },
    output: { ...fileNames, codeSplitting: { groups: [accountFrame, accountParts, accountFields] } },
  },
};

const builds: Readonly<Record<string, typeof everyOtherPage | typeof invoicePage | typeof account>> = {
  'invoice-page': invoicePage,
  account,
};

export default defineConfig(({ mode }) => {
  const { rolldownOptions, ...options } = builds[mode] ?? everyOtherPage;
  return {
    root: import.meta.dirname,
    publicDir: 'public',
    // The elements are written with TypeScript's own decorators, as Lit recommends for size.
    oxc: { decorator: { legacy: true }, assumptions: { setPublicClassFields: true } },
    build: {
      outDir: 'dist/pages',
      // Cleared by `scripts/build.mjs`: all builds write there at once.
      emptyOutDir: false,
      target: 'es2022',
      cssMinify: 'lightningcss',
      // Phones that are a few years old: light-dark() is written out for them.
      cssTarget: ['chrome111', 'firefox115', 'safari16.4'],
      modulePreload: false,
      reportCompressedSize: false,
      ...options,
      // A slow machine is no fault of a plugin's.
      rolldownOptions: { checks: { pluginTimings: false }, ...rolldownOptions },
    },
    plugins: [
      ...(mode === 'account' ? [] : [withoutComponentStyles(), shortDecorators(), shortTemplates()]),
      plainImports(),
      told(mode),
    ],
  };
});

/**
 * Leaves out what Lit has for styles of shadow roots: our elements draw into the page and have none. A
 * Lit that asks for more than this fails to build. The account area has components of others, with styles.
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

/** Leaves out what Lit has for standard decorators and accessors, neither of which the payment pages use. */
function shortDecorators(): Plugin {
  const id = '\0short-decorators';
  return {
    name: 'short-decorators',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source) => (source.endsWith('decorators/property.js') || source === './property.js' ? id : null),
    load(loaded) {
      if (loaded !== id) return null;
      return 'export const property = (options) => (proto, name) => proto.constructor.createProperty(name, options);';
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

/**
 * What Vite wraps around each `import()` loads style sheets and parts beforehand. Ours have none, and the
 * wrapper alone is 0.7 kB of every page.
 */
function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    apply: 'build',
    enforce: 'pre',
    load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : null),
  };
}

/** Tells which modules are in what was built: the notices of their packages go with them. */
function told(mode: string): Plugin {
  return {
    name: 'told-modules',
    apply: 'build',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []));
      const source = JSON.stringify([...new Set(modules)].map((id) => relative(import.meta.dirname, id)).sort());
      this.emitFile({ type: 'asset', fileName: `.vite/modules-${mode}.json`, source });
    },
  };
}
