/*
 * Loaded into each test process: ends one that hangs, for example on a server that a failed test left open, so that the
 * run continues. The timeout of node:test does not end a process whose tests have finished.
 */
/** Several times the slowest file with two whole runs and other work on two cores. */
const MAX_MINUTES = 40;

setTimeout(() => {
  process.stderr.write(
    `These tests still ran after ${MAX_MINUTES} minutes, far above the slowest on a busy machine.\n`,
  );
  process.kill(process.pid, 'SIGKILL');
}, MAX_MINUTES * 60_000).unref();
