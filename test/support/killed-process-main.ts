/* A process of the service that kills itself (SIGKILL) between two steps: database writes and broadcasts. */
import { followChains, openNodeService } from './node-fixture.ts';
import type { Fate } from './killed-process.ts';

const { settings, step: last, when, mine = { url: '', blocks: 0 } } = JSON.parse(process.argv[2] ?? '') as Fate;
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

/** The chain continues independently of this process, so this is not a step. */
async function mineBlock(url: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] });
  const { ok } = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (!ok) throw new Error('The node mines no block');
}

const { inTransaction } = service.database;
service.database.inTransaction = async (work) => await step(async () => await inTransaction(work));
for (const { chain } of service.invoices.context.chains.all) {
  const send = chain.broadcast.bind(chain);
  chain.broadcast = async (raw) => await step(async () => await send(raw));
}
await followChains(service);
for (let left = mine.blocks; left > 0; left -= 1) {
  await mineBlock(mine.url);
  await followChains(service);
}
// The process ends without draining.
process.exit(0);
