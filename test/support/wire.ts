import { connect, type Socket } from 'node:net';

/** A raw connection with the received data. */
export interface Wire {
  readonly socket: Socket;
  write(text: string): void;
  /** All received data once the other side has closed the connection, with the duration. */
  ended(): Promise<{ text: string; afterMs: number }>;
  /** The received data once it matches. */
  waitFor(pattern: RegExp): Promise<string>;
}

/** Timeout for the other side: only hanging tests time out. */
const TIMEOUT_MS = 60_000;

export async function openWire(origin: string): Promise<Wire> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const openedMs = performance.now();
  let text = '';
  let end: number | null = null;
  const waiting = new Set<() => void>();
  const notifyWaiting = () => {
    for (const each of waiting) each();
  };
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
    notifyWaiting();
  });
  const close = () => {
    end ??= performance.now();
    socket.destroy();
    notifyWaiting();
  };
  socket.on('end', close);
  socket.on('error', close);
  socket.on('close', close);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  const until = async (what: string, isTrue: () => boolean) =>
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => finish(() => reject(new Error(`Timed out waiting for ${what}; received: ${text}`))),
        TIMEOUT_MS,
      );
      const finish = (then: () => void) => {
        clearTimeout(timer);
        waiting.delete(check);
        then();
      };
      const check = () => {
        if (isTrue()) finish(resolve);
      };
      waiting.add(check);
      check();
    });
  return {
    socket,
    write: (bytes) => void socket.write(Buffer.from(bytes, 'latin1')),
    async ended() {
      await until('the end', () => end !== null);
      return { text, afterMs: (end ?? 0) - openedMs };
    },
    async waitFor(pattern) {
      await until(String(pattern), () => pattern.test(text));
      return text;
    },
  };
}

/** Sends bytes unchanged; returns all data until the connection closes. */
export async function exchange(origin: string, text: string): Promise<string> {
  const wire = await openWire(origin);
  wire.write(text);
  return (await wire.ended()).text;
}

/** Parses consecutive responses; each has a Content-Length. */
export function readResponses(text: string): { status: number; headers: Headers; text: string }[] {
  const results = [];
  let rest = text;
  while (rest !== '') {
    const [head = ''] = rest.split('\r\n\r\n', 1);
    const [first = '', ...lines] = head.split('\r\n');
    const headers = new Headers();
    for (const line of lines) headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1));
    const length = Number(headers.get('content-length') ?? Number.NaN);
    if (!/^HTTP\/1\.1 \d{3} /.test(first) || Number.isNaN(length)) throw new Error(`Not an HTTP response: ${rest}`);
    const from = head.length + 4;
    results.push({ status: Number(first.slice(9, 12)), headers, text: rest.slice(from, from + length) });
    rest = rest.slice(from + length);
  }
  return results;
}
