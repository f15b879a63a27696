import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Timeouts } from '../../src/http/server.ts';
import { packageRoot } from '../../src/system/root.ts';
import type { ServerCalls } from '../e2e/server.ts';

/** The bundled server process, if the test runner created it: it starts faster. */
const { TEST_SERVER } = process.env;

/** Remote calls of the server process. */
export type RemoteServer = {
  [Name in keyof ServerCalls]: (
    ...args: Parameters<ServerCalls[Name]>
  ) => Promise<Awaited<ReturnType<ServerCalls[Name]>>>;
};

export type ServerAddresses = ReturnType<ServerCalls['addresses']>;

export interface ServerProcess {
  server: RemoteServer;
  stop(): Promise<void>;
}

interface Reply {
  id: number;
  result?: unknown;
  error?: string;
}

/** Starts the service under test in its own process, so that a busy browser driver does not slow it down. */
export async function startServerProcess({
  watchPages = false,
  onLocalhost = false,
  hasExternalKeys = false,
  timeouts,
  maxDescriptors,
}: {
  watchPages?: boolean;
  /** The host name, for browser features that require one. */
  onLocalhost?: boolean;
  /** Withdrawals are signed by the test, which holds the keys. */
  hasExternalKeys?: boolean;
  timeouts?: Partial<Timeouts>;
  /** Maximum open files and connections of the process (`ulimit -n`). */
  maxDescriptors?: number;
} = {}): Promise<ServerProcess> {
  const args = [
    ...(watchPages ? ['--watch-pages'] : []),
    ...(onLocalhost ? ['--localhost'] : []),
    ...(hasExternalKeys ? ['--external-keys'] : []),
    ...(timeouts ? [`--timeouts=${JSON.stringify(timeouts)}`] : []),
  ];
  const script = TEST_SERVER ?? join(packageRoot(), 'test', 'e2e', 'server.ts');
  const nodeArgs = TEST_SERVER ? [] : ['--import', join(packageRoot(), 'scripts', 'decorators.mjs')];
  const limited = ['-c', `ulimit -n ${maxDescriptors}; exec "$0" "$@"`, process.execPath, ...nodeArgs];
  // Playwright, which starts most of these processes, would write the coverage of its own code.
  const { COVERAGE } = process.env;
  const env = { ...process.env, ...(COVERAGE && { NODE_V8_COVERAGE: join(COVERAGE, 'node') }) };
  const child =
    maxDescriptors === undefined
      ? fork(script, args, { execArgv: nodeArgs, env })
      : fork(script, args, { execPath: '/bin/sh', execArgv: limited, env });
  const ended = once(child, 'exit');
  const { server, ready } = remoteOf(child);
  const died = ended.then(([code]) => Promise.reject(new Error(`The server ended with ${code}`)));
  await Promise.race([ready, died]);
  died.catch(() => undefined);
  return {
    server,
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}

function remoteOf(child: ChildProcess): { server: RemoteServer; ready: Promise<void> } {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let last = 0;
  let isReady = () => {};
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  child.on('message', ({ id, result, error }: Reply) => {
    if (id === 0) {
      isReady();
      return;
    }
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(result);
    else call?.reject(new Error(error));
  });
  const server = new Proxy({} as RemoteServer, {
    get:
      (_target, name) =>
      (...args: unknown[]) =>
        new Promise((resolve, reject) => {
          last += 1;
          waiting.set(last, { resolve, reject });
          child.send({ id: last, name, args });
        }),
  });
  return { server, ready };
}
