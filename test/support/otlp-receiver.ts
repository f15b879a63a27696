import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentId: string;
  name: string;
  attributes: Record<string, string | number>;
  links: { traceId: string; spanId: string }[];
  hasError: boolean;
}

export interface OtlpReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** All bodies, as they arrived. */
  bytes: () => Buffer;
  /** Headers of the last request. */
  headers: () => Readonly<Record<string, unknown>>;
  /** Response status; 200 by default. */
  status: number;
  close(): Promise<void>;
}

/** A receiver of OTLP over HTTP with protobuf. */
export async function openOtlpReceiver(): Promise<OtlpReceiver> {
  const bodies: Buffer[] = [];
  let headers: Readonly<Record<string, unknown>> = {};
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    headers = request.headers;
    if (receiver.status === 200) {
      bodies.push(body);
      receiver.spans.push(...readSpans(body));
    }
    response.writeHead(receiver.status, { 'content-type': 'application/x-protobuf' }).end();
  };
  const server = createServer((request, response) => void receive(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    bytes: () => Buffer.concat(bodies),
    headers: () => headers,
    status: 200,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

type Field = { number: number; value: bigint | Buffer };

/** Splits a protobuf message into its fields. */
function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(message[at] ?? 0);
      at += 1;
      value |= (byte & 127n) << shift;
      if (byte < 128n) return value;
    }
  };
  const take = (length: number): Buffer => {
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const key = Number(varint());
    const number = key >> 3;
    const wireType = key & 7;
    if (wireType === 0) fields.push({ number, value: varint() });
    else fields.push({ number, value: take(wireType === 1 ? 8 : wireType === 5 ? 4 : Number(varint())) });
  }
  return fields;
}

const all = (message: Buffer, number: number): Buffer[] =>
  fieldsOf(message).flatMap((field) => (field.number === number && Buffer.isBuffer(field.value) ? [field.value] : []));
const bytesOf = (message: Buffer, number: number): Buffer => all(message, number)[0] ?? Buffer.alloc(0);

/** Numbers are those of `opentelemetry/proto/trace/v1/trace.proto`. */
function readSpans(body: Buffer): ReceivedSpan[] {
  return all(body, 1)
    .flatMap((resource) => all(resource, 2))
    .flatMap((scope) => all(scope, 2))
    .map((span) => ({
      traceId: bytesOf(span, 1).toString('hex'),
      spanId: bytesOf(span, 2).toString('hex'),
      parentId: bytesOf(span, 4).toString('hex'),
      name: bytesOf(span, 5).toString(),
      attributes: Object.fromEntries(
        all(span, 9).map((pair) => [bytesOf(pair, 1).toString(), readValue(bytesOf(pair, 2))]),
      ),
      links: all(span, 13).map((link) => ({
        traceId: bytesOf(link, 1).toString('hex'),
        spanId: bytesOf(link, 2).toString('hex'),
      })),
      hasError: fieldsOf(bytesOf(span, 15)).some(({ number, value }) => number === 3 && value === 2n),
    }));
}

function readValue(value: Buffer): string | number {
  const [field] = fieldsOf(value);
  if (field === undefined) return '';
  return Buffer.isBuffer(field.value) ? field.value.toString() : Number(field.value);
}
