/*
 * What a buyer's browser downloads for the card form, brotli-compressed as it is served, and whether
 * it stays within the budget. Build the pages first.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Script and texts of one language that the card form needs: Lit, validation, all included. */
const BUDGET_BYTES = 28_500;

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist/pages');
const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8'));
const ENTRY = 'pages/pay/client.ts';

function withImports(key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const imported of manifest[key].imports ?? []) withImports(imported, seen);
  return seen;
}

function measure(name, content) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const sizes = [
    content.length,
    gzipSync(content, { level: 9 }).length,
    brotliCompressSync(content, { params }).length,
  ];
  return { name, sizes };
}

const built = (key) => measure(manifest[key].file, readFileSync(join(DIST, manifest[key].file)));

/** The texts as they stand in the page: flat, without the files' white space. */
function flatTexts(file) {
  const flatten = (tree, prefix) =>
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'object' ? flatten(value, `${prefix}${key}.`) : [[prefix + key, value]],
    );
  const texts = JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
  return measure(`${file} (in the page)`, Buffer.from(JSON.stringify(Object.fromEntries(flatten(texts, '')))));
}

const needed = withImports(ENTRY);
const scripts = [...needed].map(built);
const texts = flatTexts('pages/locales/en.json');
const styles = built('pages/pay/link-page.css');
const lazy = Object.keys(manifest).filter((key) => manifest[key].file.endsWith('.js') && !needed.has(key));

function sum(name, parts) {
  const sizes = [0, 1, 2].map((index) => parts.reduce((total, part) => total + part.sizes[index], 0));
  return { name, sizes };
}

function print(heading, parts) {
  console.log(`\n${heading}`);
  for (const { name, sizes } of parts) {
    console.log(`  ${name.padEnd(44)}${sizes.map((bytes) => String(bytes).padStart(9)).join('')}`);
  }
}

console.log(`bytes${' '.repeat(41)}${['raw', 'gzip', 'brotli'].map((word) => word.padStart(9)).join('')}`);
print('Script of the link page', scripts);
print('Texts of one language', [texts]);
print('Style, inline in the page', [styles]);
print('Loaded when needed', lazy.map(built));
const counted = sum('script and texts', [...scripts, texts]);
print('In all', [counted, sum('script, texts and style', [...scripts, texts, styles])]);

const isWithin = counted.sizes[2] <= BUDGET_BYTES;
console.log(
  `\nscript and texts: ${counted.sizes[2]} of ${BUDGET_BYTES} bytes allowed: ${isWithin ? 'within' : 'OVER'} the budget`,
);
process.exitCode = isWithin ? 0 : 1;
