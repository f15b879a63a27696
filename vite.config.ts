import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { precompress } from './scripts/precompress.mjs';

const OUT_DIR = 'dist/pages';

/** Served by every installation, and by the sandbox alone: what plays there must not exist in production. */
const ASSETS = 'assets';
const SANDBOX_ASSETS = 'sandbox/assets';
const SANDBOX_SCRIPT = 'pages/card/sandbox.ts';

/** Where a script is built to. What the sandbox's script shares with others is no part of it, and stands with the others. */
function scriptFolder(moduleIds: readonly string[]): string {
  return moduleIds.some((id) => id.endsWith(SANDBOX_SCRIPT)) ? SANDBOX_ASSETS : ASSETS;
}

/** What all payment pages begin with arrives in one piece: left alone, each set of pages that share something makes one of its own. */
const sharedByPages = {
  name: 'payment-page',
  test: /node_modules|pages\/(payment|elements)|src\/contract\/(?!frame)/,
  minShareCount: 2,
};

export default defineConfig({
  root: import.meta.dirname,
  publicDir: 'public',
  // The elements are written with TypeScript's own decorators, as Lit recommends for size.
  oxc: { decorator: { legacy: true }, assumptions: { setPublicClassFields: true } },
  build: {
    outDir: OUT_DIR,
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    cssMinify: 'lightningcss',
    // Phones that are a few years old: light-dark() is written out for them.
    cssTarget: ['chrome111', 'firefox115', 'safari16.4'],
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        'link-page': 'pages/pay/client.ts',
        'card-frame': 'pages/card/client.ts',
        sandbox: SANDBOX_SCRIPT,
        'link-page-style': 'pages/pay/link-page.css',
        'card-frame-style': 'pages/card/card-frame.css',
        'plain-page-style': 'pages/message/plain-page.css',
      },
      output: {
        entryFileNames: ({ moduleIds }) => `${scriptFolder(moduleIds)}/[name]-[hash].js`,
        chunkFileNames: ({ moduleIds }) => `${scriptFolder(moduleIds)}/[name]-[hash].js`,
        assetFileNames: `${ASSETS}/[name]-[hash][extname]`,
        codeSplitting: { groups: [sharedByPages] },
      },
    },
  },
  plugins: [precompressed()],
});

function precompressed(): Plugin {
  let outDir = OUT_DIR;
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir;
    },
    closeBundle() {
      for (const folder of [ASSETS, SANDBOX_ASSETS]) {
        const path = join(import.meta.dirname, outDir, folder);
        if (existsSync(path)) precompress(path);
      }
    },
  };
}
