/**
 * Loaded before tests of the whole run: properties are tried on the same examples each time, so that a run says
 * something about what was changed and not about luck. SEED tries others.
 */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.SEED ?? 1) });
