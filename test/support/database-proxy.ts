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
  close(): Promise<void>;
}

export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isUp = true;
  let isSilent = false;
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
      from.on('data', (bytes) => {
        if (!isSilent) to.write(bytes);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
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
    async close() {
      disconnect();
      server.close();
      await once(server, 'close');
    },
  };
}
