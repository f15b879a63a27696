/**
 * Loaded before tests of the whole run: properties are tried on the same examples each time, so that a run says
 * something about what was changed and not about luck. SEED tries others.
 */
import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import fc from 'fast-check';

// Not `--enable-source-maps`: under that, pino parses the map of everything (0.7 s) to find its caller's name.
process.setSourceMapsEnabled(true);
// Bundled tests share megabytes of code, which each file's process would compile again.
if (process.env.TEST_SERVER) enableCompileCache(join(dirname(process.env.TEST_SERVER), 'compile-cache'));

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.SEED ?? 1) });
