import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/*
 * Below the ephemeral port range (32768 and up on Linux), so that no connection of another test takes a port between
 * the check and its use.
 */
const FIRST = 20_000;
const PAIRS = 6_000;

let next = process.pid % PAIRS;

/** A free port whose successor is free too; no other test process gets either while this one runs. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PAIRS; tried += 1) {
    next = (next + 1) % PAIRS;
    const port = FIRST + 2 * next;
    if ((await claim(port)) && (await isFree(port)) && (await isFree(port + 1))) return port;
  }
  throw new Error('No free port');
}

/** A UDP socket as a lock: only one can exist per port, it blocks no TCP server, and it ends with its process. */
async function claim(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  return await new Promise((resolve) => {
    socket.once('error', () => resolve(false));
    socket.bind(port, '127.0.0.1', () => resolve(true));
  });
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
