import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleTests } from '../../../scripts/bundle-tests.mjs';
import { packageRoot } from '../../../src/system/root.ts';
import type { Plan } from '../vendors/faults.ts';
import type { Outcome, Subject, Bench } from './subject.ts';

/** Start of a service on the database of a bench. */
export interface Start {
  databaseUrl: string;
  now: string;
  env: Record<string, string>;
}
/** Sent to the service: plans the next call of an acquirer that runs in its process. */
export interface Planned {
  operation: string;
  plan: Plan<Outcome>;
}
/** Sent by the service: it serves at a URL, has taken over a plan, or such a call has arrived. */
export type Report = { url: string } | { planned: true } | { arrived: string };

let program: Promise<string> | undefined;

/** The service's program, bundled once: loading the sources would take seconds each time. */
async function bundleProgram(): Promise<string> {
  const folder = join(packageRoot(), 'test-results', `killed-service-${process.pid}`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [bundled] = await bundleTests(['test/acquirers/conformance/killed-service-main.ts'], folder, packageRoot());
  if (bundled === undefined) throw new Error('The program was not bundled');
  return bundled;
}

/** Starts another process of the service, which the test kills (SIGKILL) in the middle of its calls. */
export async function startKilledService({ adapter }: Subject, { world, env, acquirer }: Bench) {
  program ??= bundleProgram();
  const now = new Date(Math.ceil(world.clock.now() / 1000)).toISOString();
  const start: Start = { databaseUrl: world.databaseUrl, now, env };
  const child = fork(await program, [JSON.stringify(start)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const started = await report(child, (message) => 'url' in message);
  const url = 'url' in started ? started.url : '';
  const isInProcess = adapter.builtIn !== undefined;

  return {
    /** Sends a request whose next call of an operation hangs; resolves when the call has arrived there. */
    async hang(operation: string, plan: Plan<Outcome>, path: string, request: RequestInit): Promise<void> {
      const arrival = isInProcess
        ? report(child, (message) => 'arrived' in message && message.arrived === operation)
        : acquirer.arrival(operation);
      if (isInProcess) {
        const planned = report(child, (message) => 'planned' in message);
        child.send({ operation, plan } satisfies Planned);
        await planned;
      } else acquirer.next(operation, plan);
      const answered = fetch(url + path, { redirect: 'manual', ...request }).then(
        async (response) =>
          Promise.reject(new Error(`No ${operation} hangs: ${response.status} ${await response.text()}`)),
        () => undefined,
      );
      await Promise.race([arrival, answered]);
      // The process dies before it responds.
      answered.catch(() => undefined);
    },

    async kill(): Promise<void> {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Resolves with the next matching report of the service. */
async function report(child: ChildProcess, isExpected: (message: Report) => boolean): Promise<Report> {
  return await new Promise((resolve, reject) => {
    const stop = () => {
      child.off('message', onMessage);
      child.off('exit', onExit);
    };
    const onMessage = (message: Report) => {
      if (!isExpected(message)) return;
      stop();
      resolve(message);
    };
    const onExit = (code: number | null) => {
      stop();
      reject(new Error(`The service ended with ${code}`));
    };
    child.on('message', onMessage).on('exit', onExit);
  });
}
