import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { changePush } from '../../support/acquirer-accounts.ts';
import { SimulatedClock } from '../../support/clock.ts';
import { openFixture } from '../../support/fixture.ts';
import type { Plan } from '../simulators/faults.ts';
import { SandboxFaults } from './sandbox-subject.ts';
import type { Bench, Outcome, Subject } from './subject.ts';

/** Start of a service on the database of a bench. */
export interface Start {
  databaseUrl: string;
  now: string;
  env: Record<string, string>;
}
/** Sent to the service: plans the next call of an acquirer that runs in its process. */
interface PlannedOperation {
  operation: string;
  plan: Plan<Outcome>;
}
/** Sent by the service: it is ready at a URL, has received a plan, or a planned call has arrived. */
type Report = { url: string } | { planned: true } | { arrived: string };

/** Serves in a process that the test has started: its calls to the acquirer hang until it is killed. */
export async function serveUntilKilled({ databaseUrl, now, env }: Start): Promise<void> {
  const send = (report: Report) => process.send?.(report);
  const network = new SandboxFaults();
  for (const operation of ['charge', 'fetch', 'refund', 'capture', 'void'])
    network.arrivals.push({ operation, arrived: () => send({ arrived: operation }) });
  process.on('message', ({ operation, plan }: PlannedOperation) => {
    network.script.next(operation, plan, 1);
    send({ planned: true });
  });
  const fixture = await openFixture({
    database: { url: databaseUrl, folder: null, drop: () => Promise.resolve() },
    clock: new SimulatedClock(now),
    env,
    wrapCardAcquirer: (card) => network.wrap(card),
  });
  changePush(fixture.service(), (push) => network.wrapPush(push));
  send({ url: fixture.url });
}

/** Starts another process of the service, which the test kills (SIGKILL) in the middle of its calls. */
export async function startKilledService(file: string, { adapter }: Subject, { fixture, env, acquirer }: Bench) {
  const now = new Date(Math.ceil(fixture.clock.now() / 1000)).toISOString();
  const start: Start = { databaseUrl: fixture.databaseUrl, now, env };
  const { NODE_TEST_CONTEXT: _context, ...inherited } = process.env;
  const child = fork(file, [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
    env: { ...inherited, KILLED_SERVICE: JSON.stringify(start) },
  });
  const started = await report(child, (message) => 'url' in message);
  const url = 'url' in started ? started.url : '';
  const isInProcess = adapter.builtIn !== undefined;

  return {
    /** Sends a request whose next call of an operation hangs; resolves when the call has arrived there. */
    async hang(operation: string, plan: Plan<Outcome>, path: string, request: RequestInit): Promise<void> {
      const arrival = isInProcess
        ? report(child, (message) => 'arrived' in message && message.arrived === operation)
        : acquirer.waitForRequest(operation);
      if (isInProcess) {
        const planned = report(child, (message) => 'planned' in message);
        child.send({ operation, plan } satisfies PlannedOperation);
        await planned;
      } else acquirer.next(operation, plan);
      const responded = fetch(url + path, { redirect: 'manual', ...request }).then(
        async (response) =>
          Promise.reject(new Error(`No ${operation} hangs: ${response.status} ${await response.text()}`)),
        () => undefined,
      );
      await Promise.race([arrival, responded]);
      // The process dies before it responds.
      responded.catch(() => undefined);
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
