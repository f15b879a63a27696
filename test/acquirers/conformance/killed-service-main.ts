/* A process of the service on the database of a test, which is killed (SIGKILL) while its calls to the acquirer hang. */
import { changePush } from '../../support/acquirer-accounts.ts';
import { SimulatedClock } from '../../support/clock.ts';
import { openWorld } from '../../support/world.ts';
import type { Planned, Report, Start } from './killed-service.ts';
import { SandboxFaults } from './sandbox-subject.ts';

const { databaseUrl, now, env } = JSON.parse(process.argv[2] ?? '') as Start;
const send = (report: Report) => process.send?.(report);
const network = new SandboxFaults();
for (const operation of ['charge', 'fetch', 'refund'])
  network.arrivals.push({ operation, arrived: () => send({ arrived: operation }) });
process.on('message', ({ operation, plan }: Planned) => {
  network.script.next(operation, plan, 1);
  send({ planned: true });
});
const world = await openWorld({
  database: { url: databaseUrl, folder: null, drop: () => Promise.resolve() },
  clock: new SimulatedClock(now),
  env,
  wrapCardAcquirer: (card) => network.wrap(card),
});
changePush(world.service(), (push) => network.wrapPush(push));
send({ url: world.url });
