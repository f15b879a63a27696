import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of PostgreSQL, like HAProxy or the network. */
export interface DatabaseProxy {
  /** The database's URL through the proxy. */
  url: string;
  /** False: breaks all connections, and closes new ones. */
  isUp: boolean;
  /** Loses all data in both directions, without closing a connection. */
  isSilent: boolean;
  /** Withholds all data in both directions, like a stopped server, until it is false again. */
  isStopped: boolean;
  /** Delay of data in both directions, in milliseconds. */
  delayMs: number;
  close(): Promise<void>;
}

export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isUp = true;
  let isSilent = false;
  let isStopped = false;
  let delayMs = 0;
  const server = createServer((client) => {
    if (!isUp) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      if (isStopped) from.pause();
      from.on('data', (bytes) => {
        if (isSilent) return;
        if (delayMs === 0) to.write(bytes);
        else delay(from, () => to.write(bytes));
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  /** Delays the data of a connection, in order. */
  const delay = (from: Socket, send: () => void) => {
    from.pause();
    setTimeout(() => {
      send();
      if (!isStopped) from.resume();
    }, delayMs);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const disconnect = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    get isUp() {
      return isUp;
    },
    set isUp(value) {
      isUp = value;
      if (!isUp) disconnect();
    },
    get isSilent() {
      return isSilent;
    },
    set isSilent(value) {
      isSilent = value;
    },
    get isStopped() {
      return isStopped;
    },
    set isStopped(value) {
      isStopped = value;
      for (const socket of sockets)
        if (isStopped) socket.pause();
        else socket.resume();
    },
    get delayMs() {
      return delayMs;
    },
    set delayMs(value) {
      delayMs = value;
    },
    async close() {
      disconnect();
      server.close();
      await once(server, 'close');
    },
  };
}
