#!/usr/bin/env node
// The command line: runs the program. `start` builds it first if its sources are newer.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const [oldest] = engines.node.match(/\d+/);
if (Number.parseInt(process.versions.node, 10) < Number(oldest)) {
  process.stderr.write(
    `Paylatch needs Node.js ${oldest} or later; this is ${process.versions.node}. In the repository, \`npm start\` and \`npx paylatch\` use the Node.js installed by \`npm ci\`.\n`,
  );
  process.exit(1);
}
if (existsSync(join(root, 'src'))) {
  const { build, isStale } = await import('./build.mjs');
  // Other commands may run beside a service of the previous release, which reads its files from the same folder.
  const builds = process.argv[2] === 'start' || !existsSync(join(root, 'dist', 'built'));
  if (isStale()) {
    process.stderr.write(
      builds ? 'Building…\n' : 'The sources are newer than the build. To build them: npm run build\n',
    );
    if (builds) await build();
  }
}
// A variable, so that the type checker does not read the built program.
await import(new URL('../dist/server/cli.js', import.meta.url).href);
