import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const OUT_DIR = 'dist/pages';

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
      input: ['pages/pay/client.ts', 'pages/pay/link-page.css', 'pages/message/plain-page.css'],
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
  plugins: [precompress()],
});

/** Writes .br and .gz beside each asset, so that the server compresses nothing while it answers. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    closeBundle() {
      const directory = join(import.meta.dirname, OUT_DIR, 'assets');
      for (const file of readdirSync(directory)) {
        if (!/\.(js|css|svg)$/.test(file)) continue;
        const path = join(directory, file);
        const content = readFileSync(path);
        const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        writeFileSync(`${path}.br`, brotliCompressSync(content, { params: quality }));
        writeFileSync(`${path}.gz`, gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
      }
    },
  };
}
