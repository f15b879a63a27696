#!/usr/bin/env node
// The command line: builds the program first when its sources are newer, then runs it.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const [oldest] = engines.node.match(/\d+/);
if (Number.parseInt(process.versions.node, 10) < Number(oldest)) {
  process.stderr.write(
    `Paylatch needs Node.js ${oldest} or later; this is ${process.versions.node}. In its repository \`npm start\` and \`npx paylatch\` run under a Node.js that \`npm ci\` has installed.\n`,
  );
  process.exit(1);
}
if (existsSync(join(root, 'src'))) {
  const { build, isStale } = await import('./build.mjs');
  if (isStale()) {
    process.stderr.write('Building…\n');
    await build();
  }
}
// Named so that what checks the types does not read the built program.
await import(new URL('../dist/server/cli.js', import.meta.url).href);
