import { once } from 'node:events';
import { createServer } from 'node:net';

/*
 * Below the range that systems hand out by themselves (32768 and up on Linux), so that no connection
 * of another test takes the port between the look and the use.
 */
const FIRST = 20_000;
const COUNT = 12_000;

let next = FIRST + (process.pid % COUNT);

/** A port that is free, and so is the one after it. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < COUNT; tried += 1) {
    next = FIRST + ((next - FIRST + 2) % (COUNT - 2));
    if ((await isFree(next)) && (await isFree(next + 1))) return next;
  }
  throw new Error('No free port');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const failed = once(server, 'error').then(() => false);
  server.listen(port);
  const free = await Promise.race([once(server, 'listening').then(() => true), failed]);
  if (free) {
    server.close();
    await once(server, 'close');
  }
  return free;
}
