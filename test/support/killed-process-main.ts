/* A process of the service that kills itself (SIGKILL) between two steps: what is written, what is sent. */
import { followChains, openNodeService } from './node-world.ts';
import type { Fate } from './killed-process.ts';

const { settings, step: last, when } = JSON.parse(process.argv[2] ?? '') as Fate;
const service = await openNodeService(settings);

let steps = 0;
async function step<Result>(act: () => Promise<Result>): Promise<Result> {
  steps += 1;
  const isLast = steps === last;
  if (isLast && when === 'before') process.kill(process.pid, 'SIGKILL');
  const result = await act();
  if (isLast) process.kill(process.pid, 'SIGKILL');
  return result;
}

const { inUnit } = service.database;
service.database.inUnit = async (work) => await step(async () => await inUnit(work));
for (const { chain } of service.invoices.context.chains.all) {
  const send = chain.send.bind(chain);
  chain.send = async (raw) => await step(async () => await send(raw));
}
await followChains(service);
// A farewell is no part of what is tried out.
process.exit(0);
