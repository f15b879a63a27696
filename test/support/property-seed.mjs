/**
 * Loaded before tests of the whole run: properties are tried on the same examples each time, so that a run says
 * something about what was changed and not about luck. SEED tries others.
 */
import asyncHooks from 'node:async_hooks';
import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import fc from 'fast-check';

// Not `--enable-source-maps`: under that, pino parses the map of everything (0.7 s) to find its caller's name.
process.setSourceMapsEnabled(true);
// Bundled tests share megabytes of code, which each file's process would compile again.
if (process.env.TEST_SERVER) enableCompileCache(join(dirname(process.env.TEST_SERVER), 'compile-cache'));
// node:test follows every promise to name the test that an uncaught error belongs to: a third of all CPU time. Without
// that, such an error fails the file instead of the test.
const { createHook } = asyncHooks;
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.SEED ?? 1) });
