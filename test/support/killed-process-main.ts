/* A process of the service that kills itself (SIGKILL) before or after a broadcast. */
import { followChains, openNodeService } from './node-fixture.ts';
import type { KillPlan } from './killed-process.ts';

const {
  settings,
  broadcast: last,
  when,
  mine = { url: '', blocks: 0 },
} = JSON.parse(process.argv[2] ?? '') as KillPlan;
const service = await openNodeService(settings);

let broadcasts = 0;
for (const { chain } of service.invoices.context.chains.all) {
  const send = chain.broadcast.bind(chain);
  chain.broadcast = async (raw) => {
    broadcasts += 1;
    const isLast = broadcasts === last;
    if (isLast && when === 'before') process.kill(process.pid, 'SIGKILL');
    const result = await send(raw);
    if (isLast) process.kill(process.pid, 'SIGKILL');
    return result;
  };
}

async function mineBlock(url: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] });
  const { ok } = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (!ok) throw new Error('The node mines no block');
}

await followChains(service);
for (let left = mine.blocks; left > 0; left -= 1) {
  await mineBlock(mine.url);
  await followChains(service);
}
// The process ends without draining.
process.exit(0);
