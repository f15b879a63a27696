import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/*
 * Below the range that systems hand out by themselves (32768 and up on Linux), so that no connection
 * of another test takes the port between the look and the use.
 */
const FIRST = 20_000;
const PAIRS = 6_000;

let next = process.pid % PAIRS;

/** A port that is free, and so is the one after it; no other process of the tests is given either while this one lives. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PAIRS; tried += 1) {
    next = (next + 1) % PAIRS;
    const port = FIRST + 2 * next;
    if ((await claim(port)) && (await isFree(port)) && (await isFree(port + 1))) return port;
  }
  throw new Error('No free port');
}

/** What listens for datagrams is in nobody's way, and there can be one only: it ends with its process. */
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
