#!/usr/bin/env node
// The command line: builds the program first when its sources are newer, then runs it.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
if (existsSync(join(root, 'src'))) {
  const { build, isStale } = await import('./build.mjs');
  if (isStale()) {
    process.stderr.write('Building…\n');
    await build();
  }
}
// Named so that what checks the types does not read the built program.
await import(new URL('../dist/server/cli.js', import.meta.url).href);
