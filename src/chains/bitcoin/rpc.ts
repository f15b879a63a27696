import { Pool } from 'undici';
import { z } from 'zod';
import { timeSlices } from '../../system/time-slices.ts';
import { ChainError } from '../port.ts';

/** One call of a node's method. */
export interface RpcCall {
  method: string;
  params: readonly unknown[];
}

/** What the node answered: a value, or that it will not, with its code (Bitcoin Core's `rpc/protocol.h`) and words. */
export type RpcResult<Value> = { ok: true; value: Value } | ({ ok: false } & RpcError);

/** Why a node will not do what it was asked to. */
export interface RpcError {
  code: number;
  message: string;
}

/** A node that is asked by JSON-RPC. Every method throws `ChainError` where nothing can be known. */
export interface Rpc {
  /** One call whose refusal means something; it may have a deadline of its own. */
  request<Value>(call: RpcCall, form: z.ZodType<Value>, timeoutMs?: number): Promise<RpcResult<Value>>;
  /** Many calls in one request; answers in their order. */
  requestBatch<Value>(calls: readonly RpcCall[], form: z.ZodType<Value>): Promise<RpcResult<Value>[]>;
  /** One call of a method that not every node has, or not for every block; null where it is refused. */
  requestOptional<Value>(call: RpcCall, form: z.ZodType<Value>): Promise<Value | null>;
  /** One call that is never refused by a node in order. */
  call<Value>(call: RpcCall, form: z.ZodType<Value>): Promise<Value>;
  /**
   * One call whose answer is a list of hashes, which may be very long: `take` gets it in portions of at most
   * `HASHES_AT_ONCE`, and other work runs between them.
   */
  requestHashes(call: RpcCall, take: (hashes: readonly string[]) => void): Promise<void>;
  /** One call whose answer is bytes in hexadecimal, which may be very many: other work runs while they are read. */
  requestBytes(call: RpcCall): Promise<RpcResult<Buffer>>;
  /** The trouble that a refusal is where it means nothing else. */
  unexpectedError(method: string, refusal: RpcError): ChainError;
  close(): Promise<void>;
}

/** A block of four million bytes in hexadecimal, or the names of half a million transactions, and some room. */
const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
/** Takes a few milliseconds. */
export const HASHES_PER_SLICE = 4096;
/** Takes a fraction of a millisecond. */
const BYTES_PER_SLICE = 32 * 1024;
/** More would keep a node's few threads for calls from whoever else asks it. */
const MAX_CONNECTIONS = 4;

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;
const IN_WARMUP = -28;

const responseSchema = z.object({
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.int(), message: z.string() }).nullish(),
});
type Response = z.infer<typeof responseSchema>;

/**
 * Asks a node at an HTTP address; its user and password are those of the address. Each call has a
 * deadline, and an answer that is too long is not read to its end. `onConnect` is told of each new
 * connection: another node may be at its end. No error names more of the address than its host.
 */
export function createRpc({
  url,
  timeoutMs = TIMEOUT_MS,
  maxBytes = MAX_BYTES,
  onConnect = () => {},
}: {
  url: string;
  timeoutMs?: number;
  maxBytes?: number;
  onConnect?: () => void;
}): Rpc {
  const { origin, host, path, authorization } = parseNodeUrl(url);
  const pool = new Pool(origin, { connections: MAX_CONNECTIONS, connect: { timeout: timeoutMs } });
  pool.on('connect', onConnect);
  const headers = { 'Content-Type': 'application/json', ...(authorization && { Authorization: authorization }) };
  const nodeError = (message: string) => new ChainError('down', `The node at ${host} ${message}`);

  async function postRaw(body: unknown, callTimeoutMs = timeoutMs): Promise<{ status: number; bytes: Buffer }> {
    let status: number;
    let bytes: Buffer;
    try {
      const response = await pool.request({
        path,
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        // The client's own deadline is shorter than some calls take.
        headersTimeout: callTimeoutMs,
        signal: AbortSignal.timeout(callTimeoutMs),
      });
      status = response.statusCode;
      bytes = await readBytes(response.body, maxBytes);
    } catch (error) {
      if (error instanceof ResponseTooLong) throw nodeError(`answered more than ${maxBytes} bytes`);
      throw nodeError(describeFailure(error, callTimeoutMs));
    }
    if (status === 401) throw nodeError('does not take the user and password of its address');
    if (status === 403) throw nodeError('does not take calls from here (rpcallowip)');
    return { status, bytes };
  }

  /** Refusals come with an HTTP status of their own in JSON-RPC 1.0: what counts is the body. */
  function parseJson(status: number, text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw nodeError(`answered with status ${status} and no JSON`);
    }
  }

  async function post(body: unknown, callTimeoutMs?: number): Promise<unknown> {
    const { status, bytes } = await postRaw(body, callTimeoutMs);
    return parseJson(status, bytes.toString('utf8'));
  }

  function toResult<Value>(response: Response, { method }: RpcCall, schema: z.ZodType<Value>): RpcResult<Value> {
    const { error, result } = response;
    if (!error) {
      const parsed = schema.safeParse(result);
      if (parsed.success) return { ok: true, value: parsed.data };
      // Of a list there may be as many complaints as entries: the first says enough.
      const [issue] = parsed.error.issues;
      const path = issue?.path.length ? ` at ${issue.path.join('.')}` : '';
      throw nodeError(`answered ${method} in another form than expected${path}: ${issue?.message}`);
    }
    const { code, message } = error;
    if (code === IN_WARMUP) throw nodeError(`is starting: ${message}`);
    if (code === METHOD_NOT_FOUND || code === INTERNAL_ERROR) throw unexpectedError(method, error);
    return { ok: false, code, message };
  }

  const unexpectedError = (method: string, { code, message }: RpcError) =>
    nodeError(`refused ${method}: ${message} (code ${code})`);

  function parseResponse<Value>(body: unknown, call: RpcCall, schema: z.ZodType<Value>): RpcResult<Value> {
    const response = responseSchema.safeParse(body);
    if (!response.success) throw nodeError(`answered ${call.method} with no JSON-RPC`);
    return toResult(response.data, call, schema);
  }

  const envelope = (call: RpcCall) => ({ jsonrpc: '2.0', id: 0, ...call });

  async function request<Value>(
    call: RpcCall,
    schema: z.ZodType<Value>,
    callTimeoutMs?: number,
  ): Promise<RpcResult<Value>> {
    return parseResponse(await post(envelope(call), callTimeoutMs), call, schema);
  }

  return {
    request: request,

    async requestBatch(calls, form) {
      if (calls.length === 0) return [];
      const body = await post(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })));
      const responses = z.array(responseSchema).safeParse(body);
      if (!responses.success) throw nodeError('answered many calls with no JSON-RPC');
      // They may come in any order.
      const byId = new Map(responses.data.map((response) => [response.id, response]));
      return calls.map((call, id) => {
        const response = byId.get(id);
        if (!response) throw nodeError(`left ${call.method} unanswered among many calls`);
        return toResult(response, call, form);
      });
    },

    async requestOptional(call, form) {
      const response = responseSchema.safeParse(await post({ jsonrpc: '2.0', id: 0, ...call }));
      if (!response.success) throw nodeError(`answered ${call.method} with no JSON-RPC`);
      if (response.data.error?.code === METHOD_NOT_FOUND) return null;
      const result = toResult(response.data, call, form);
      return result.ok ? result.value : null;
    },

    async call(call, form) {
      const answer = await request(call, form);
      if (answer.ok) return answer.value;
      throw unexpectedError(call.method, answer);
    },

    async requestHashes(call, take) {
      const { status, bytes } = await postRaw(envelope(call));
      // The list is the only thing in brackets; what is around it must be an answer with an empty list.
      const [start, end] = [bytes.indexOf('['), bytes.lastIndexOf(']')];
      const around =
        start < 0 ? bytes.toString() : `${bytes.toString('utf8', 0, start + 1)}${bytes.toString('utf8', end)}`;
      const answer = parseResponse(parseJson(status, around), call, emptyListSchema);
      if (!answer.ok) throw unexpectedError(call.method, answer);
      // With its closing bracket the list is as long as so many hashes and commas.
      const isWhole = end === start + 1 || (end - start) % QUOTED_HASH_BYTES === 0;
      for (let at = start + 1; at < end; at += HASHES_PER_SLICE * QUOTED_HASH_BYTES) {
        const portion =
          isWhole && parseHashes(bytes.subarray(at, Math.min(end, at + HASHES_PER_SLICE * QUOTED_HASH_BYTES)));
        if (!portion) throw nodeError(`answered ${call.method} in another form than expected: no list of hashes`);
        take(portion);
        await timeSlices.next();
      }
    },

    async requestBytes(call) {
      const { status, bytes } = await postRaw(envelope(call));
      const { start, end } = findResultText(bytes);
      const around = `${bytes.toString('utf8', 0, start)}${bytes.toString('utf8', end)}`;
      const answer = parseResponse(parseJson(status, around), call, emptyTextSchema);
      if (!answer.ok) return answer;
      const value = await parseHex(bytes.subarray(start, end));
      if (!value) throw nodeError(`answered ${call.method} in another form than expected: no hexadecimal`);
      return { ok: true, value };
    },

    unexpectedError: unexpectedError,

    close: async () => await pool.close(),
  };
}

/** What parsing throws has the whole address in it, password and all: none of that leaves here. */
function parseNodeUrl(url: string): { origin: string; host: string; path: string; authorization: string | null } {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (!address || !/^https?:$/.test(address.protocol)) {
    throw new ChainError('down', 'The address of the node is none of HTTP');
  }
  const { origin, host, pathname, search, username, password } = address;
  const path = `${pathname}${search}`;
  if (!username && !password) return { origin, host, path, authorization: null };
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { origin, host, path, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  } catch {
    throw new ChainError('down', `The user and password in the address of the node at ${host} are not percent-encoded`);
  }
}

class ResponseTooLong extends Error {}

const emptyListSchema = z.array(z.never());
/** Two quotation marks, 64 digits and a comma, which the last one has not. Nodes of this family write no spaces. */
const QUOTED_HASH_BYTES = 67;
const QUOTE = 0x22;
const COMMA = 0x2c;
const hashPattern = /^[0-9a-f]{64}$/;

/** Reads a part of a list of hashes; null where it is none. */
function parseHashes(bytes: Buffer): string[] | null {
  const hashes: string[] = [];
  for (let offset = 0; offset < bytes.length; offset += QUOTED_HASH_BYTES) {
    const hash = bytes.toString('latin1', offset + 1, offset + 65);
    const isQuoted = bytes[offset] === QUOTE && bytes[offset + 65] === QUOTE;
    const isEnded = offset + 66 === bytes.length || bytes[offset + 66] === COMMA;
    if (!isQuoted || !isEnded || !hashPattern.test(hash)) return null;
    hashes.push(hash);
  }
  return hashes;
}

const emptyTextSchema = z.literal('');
const resultTextPattern = /"result"\s*:\s*"/;
/** The beginning of an answer up to its result, with room for an id and an error that come first. */
const HEAD_BYTES = 1024;

/** Where the text is that is the result: no hexadecimal has a quotation mark in it. Nowhere where there is no text. */
function findResultText(bytes: Buffer): { start: number; end: number } {
  const head = resultTextPattern.exec(bytes.toString('latin1', 0, HEAD_BYTES));
  const start = head ? head.index + head[0].length : 0;
  const end = head ? bytes.indexOf(QUOTE, start) : 0;
  return end < 0 ? { start: 0, end: 0 } : { start, end };
}

/** Reads hexadecimal; null where it is none. */
async function parseHex(text: Buffer): Promise<Buffer | null> {
  if (text.length % 2 !== 0) return null;
  const bytes = Buffer.allocUnsafeSlow(text.length / 2);
  for (let offset = 0; offset < bytes.length; offset += BYTES_PER_SLICE) {
    if (timeSlices.isUsedUp()) await timeSlices.next();
    const end = Math.min(bytes.length, offset + BYTES_PER_SLICE);
    // It ends at the first character that is none of a number, and says nothing.
    if (bytes.write(text.toString('latin1', 2 * offset, 2 * end), offset, 'hex') < end - offset) return null;
  }
  return bytes;
}

async function readBytes(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new ResponseTooLong();
    chunks.push(chunk);
  }
  const [first] = chunks;
  if (first && chunks.length === 1) return Buffer.from(first.buffer, first.byteOffset, size);
  const bytes = Buffer.allocUnsafeSlow(size);
  let offset = 0;
  for (const chunk of chunks) {
    if (timeSlices.isUsedUp()) await timeSlices.next();
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** Codes of the system and of undici say more to an operator than their sentences, and hold nothing secret. */
function describeFailure(error: unknown, timeoutMs: number): string {
  const { name, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : { name: '', code: undefined };
  if (name === 'TimeoutError' || /TIMEOUT/.test(code ?? '')) return `did not answer in ${timeoutMs} ms`;
  return `cannot be reached${code ? ` (${code})` : ''}`;
}
