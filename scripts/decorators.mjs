// Lets Node run TypeScript with decorators (`node --import ./scripts/decorators.mjs FILE.ts`). By itself, Node only
// strips types.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

const DECORATOR = /^\s*@\w/m;

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
    const sourcefile = fileURLToPath(url);
    const source = readFileSync(sourcefile, 'utf8');
    if (!DECORATOR.test(source)) return nextLoad(url, context);
    const { code } = transformSync(source, {
      sourcefile,
      loader: 'ts',
      sourcemap: 'inline',
      tsconfigRaw: { compilerOptions: { experimentalDecorators: true, useDefineForClassFields: false } },
    });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
