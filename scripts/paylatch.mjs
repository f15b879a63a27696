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
process.setSourceMapsEnabled(true);
await import('../dist/server/cli.js');
