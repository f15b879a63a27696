/**
 * Loaded before all tests: property tests use the same examples in each run, so that a result depends on the code
 * and not on chance. SEED selects others.
 */
import asyncHooks from 'node:async_hooks';
import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import fc from 'fast-check';

// Not `--enable-source-maps`: pino would then parse all source maps (0.7 s) to find its caller.
process.setSourceMapsEnabled(true);
// Bundled tests share megabytes of code, which each process would otherwise compile again.
if (process.env.TEST_SERVER) enableCompileCache(join(dirname(process.env.TEST_SERVER), 'compile-cache'));
// node:test tracks every promise to attribute uncaught errors to tests, which takes a third of all CPU time. Without
// it, such an error fails the file instead of the test.
const { createHook } = asyncHooks;
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.SEED ?? 1) });
