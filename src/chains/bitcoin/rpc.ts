import { Pool } from 'undici';
import { z } from 'zod';
import { timeSlices } from '../../system/time-slices.ts';
import { ChainError } from '../port.ts';

/** A JSON-RPC call. */
export interface RpcCall {
  method: string;
  params: readonly unknown[];
}

/** Result of a call: a value, or an error with a code of Bitcoin Core's `rpc/protocol.h`. */
type RpcResult<Value> = { ok: true; value: Value } | ({ ok: false } & RpcError);

/** An error returned by the node. */
export interface RpcError {
  code: number;
  message: string;
}

/** JSON-RPC client of a node. Every method throws `ChainError` if there is no reliable result. */
export interface Rpc {
  /** One call whose errors the caller interprets, optionally with its own timeout. */
  request<Value>(call: RpcCall, schema: z.ZodType<Value>, timeoutMs?: number): Promise<RpcResult<Value>>;
  /** Several calls in one request. Returns the results in the order of the calls. */
  requestBatch<Value>(calls: readonly RpcCall[], schema: z.ZodType<Value>): Promise<RpcResult<Value>[]>;
  /** One call of a method that some nodes lack, or cannot run for every block. Returns null for an error. */
  requestOptional<Value>(call: RpcCall, schema: z.ZodType<Value>): Promise<Value | null>;
  /** One call that a healthy node never rejects. */
  call<Value>(call: RpcCall, schema: z.ZodType<Value>): Promise<Value>;
  /**
   * One call whose result is a long list of hashes. `onHashes` receives at most `HASHES_PER_SLICE` at a time; other work
   * runs in between.
   */
  requestHashes(call: RpcCall, onHashes: (hashes: readonly string[]) => void): Promise<void>;
  /** One call whose result is a long hexadecimal string. Other work runs while it is parsed. */
  requestBytes(call: RpcCall): Promise<RpcResult<Buffer>>;
  /** Converts an error that the caller does not interpret. */
  unexpectedError(method: string, error: RpcError): ChainError;
  close(): Promise<void>;
}

/** Fits a block of four million bytes in hexadecimal, or half a million transaction hashes. */
const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
/** A few milliseconds of work. */
export const HASHES_PER_SLICE = 4096;
/** A fraction of a millisecond of work. */
const BYTES_PER_SLICE = 32 * 1024;
/** More would use up the node's few RPC threads. */
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
 * Calls a node at an HTTP URL, which contains its user and password. Calls have a timeout, and responses a maximum
 * size. `onConnect` is called for each new connection, because it may reach another node. Errors contain only the
 * host of the URL.
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
        // The client's default timeout is shorter than some calls take.
        headersTimeout: callTimeoutMs,
        signal: AbortSignal.timeout(callTimeoutMs),
      });
      status = response.statusCode;
      bytes = await readBytes(response.body, maxBytes);
    } catch (error) {
      if (error instanceof ResponseTooLong) throw nodeError(`sent more than ${maxBytes} bytes`);
      throw nodeError(describeFailure(error, callTimeoutMs));
    }
    if (status === 401) throw nodeError('rejected the user and password of its URL');
    if (status === 403) throw nodeError('rejects calls from this host (rpcallowip)');
    return { status, bytes };
  }

  /** JSON-RPC 1.0 sends errors with HTTP error statuses, so only the body counts. */
  function parseJson(status: number, text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw nodeError(`responded with status ${status} and no JSON`);
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
      // A list may have as many issues as entries; the first is enough.
      const [issue] = parsed.error.issues;
      const path = issue?.path.length ? ` at ${issue.path.join('.')}` : '';
      throw nodeError(`returned an unexpected result for ${method}${path}: ${issue?.message}`);
    }
    const { code, message } = error;
    if (code === IN_WARMUP) throw nodeError(`is starting: ${message}`);
    if (code === METHOD_NOT_FOUND || code === INTERNAL_ERROR) throw unexpectedError(method, error);
    return { ok: false, code, message };
  }

  const unexpectedError = (method: string, { code, message }: RpcError) =>
    nodeError(`rejected ${method}: ${message} (code ${code})`);

  function parseResponse<Value>(body: unknown, call: RpcCall, schema: z.ZodType<Value>): RpcResult<Value> {
    const response = responseSchema.safeParse(body);
    if (!response.success) throw nodeError(`did not respond to ${call.method} with JSON-RPC`);
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
    request,

    async requestBatch(calls, schema) {
      if (calls.length === 0) return [];
      const body = await post(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })));
      const responses = z.array(responseSchema).safeParse(body);
      if (!responses.success) throw nodeError('did not respond to a batch with JSON-RPC');
      // Responses arrive in any order.
      const byId = new Map(responses.data.map((response) => [response.id, response]));
      return calls.map((call, id) => {
        const response = byId.get(id);
        if (!response) throw nodeError(`did not respond to ${call.method} in a batch`);
        return toResult(response, call, schema);
      });
    },

    async requestOptional(call, schema) {
      const response = responseSchema.safeParse(await post(envelope(call)));
      if (!response.success) throw nodeError(`did not respond to ${call.method} with JSON-RPC`);
      if (response.data.error?.code === METHOD_NOT_FOUND) return null;
      const result = toResult(response.data, call, schema);
      return result.ok ? result.value : null;
    },

    async call(call, schema) {
      const result = await request(call, schema);
      if (result.ok) return result.value;
      throw unexpectedError(call.method, result);
    },

    async requestHashes(call, onHashes) {
      const { status, bytes } = await postRaw(envelope(call));
      // Only the list is in brackets. The rest must be a valid response with an empty list.
      const [start, end] = [bytes.indexOf('['), bytes.lastIndexOf(']')];
      const withoutList =
        start < 0 ? bytes.toString() : `${bytes.toString('utf8', 0, start + 1)}${bytes.toString('utf8', end)}`;
      const result = parseResponse(parseJson(status, withoutList), call, emptyListSchema);
      if (!result.ok) throw unexpectedError(call.method, result);
      // The list's length is a multiple of the length of a quoted hash plus a comma or the closing bracket.
      const isWhole = end === start + 1 || (end - start) % QUOTED_HASH_BYTES === 0;
      for (let offset = start + 1; offset < end; offset += HASHES_PER_SLICE * QUOTED_HASH_BYTES) {
        const hashes =
          isWhole && parseHashes(bytes.subarray(offset, Math.min(end, offset + HASHES_PER_SLICE * QUOTED_HASH_BYTES)));
        if (!hashes) throw nodeError(`returned an unexpected result for ${call.method}: not a list of hashes`);
        onHashes(hashes);
        await timeSlices.next();
      }
    },

    async requestBytes(call) {
      const { status, bytes } = await postRaw(envelope(call));
      const { start, end } = findResultText(bytes);
      const withoutList = `${bytes.toString('utf8', 0, start)}${bytes.toString('utf8', end)}`;
      const result = parseResponse(parseJson(status, withoutList), call, emptyTextSchema);
      if (!result.ok) return result;
      const value = await parseHex(bytes.subarray(start, end));
      if (!value) throw nodeError(`returned an unexpected result for ${call.method}: not hexadecimal`);
      return { ok: true, value };
    },

    unexpectedError,

    close: async () => await pool.close(),
  };
}

/** Parse errors are not passed on: they contain the whole URL with its password. */
function parseNodeUrl(url: string): { origin: string; host: string; path: string; authorization: string | null } {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (!address || !/^https?:$/.test(address.protocol)) {
    throw new ChainError('down', 'The URL of the node must be http or https.');
  }
  const { origin, host, pathname, search, username, password } = address;
  const path = `${pathname}${search}`;
  if (!username && !password) return { origin, host, path, authorization: null };
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { origin, host, path, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  } catch {
    throw new ChainError('down', `The user and password in the URL of the node at ${host} must be percent-encoded.`);
  }
}

class ResponseTooLong extends Error {}

const emptyListSchema = z.array(z.never());
/** Two quotation marks, 64 digits, and a comma, which the last hash lacks. Nodes of this family write no spaces. */
const QUOTED_HASH_BYTES = 67;
const QUOTE = 0x22;
const COMMA = 0x2c;
const hashPattern = /^[0-9a-f]{64}$/;

/** Parses a part of a list of hashes; null if it is malformed. */
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
/** Bytes before the result, with room for a preceding `id` and `error`. */
const HEAD_BYTES = 1024;

/** Returns the range of a result string, which contains no quotation marks. Empty if the result is not a string. */
function findResultText(bytes: Buffer): { start: number; end: number } {
  const head = resultTextPattern.exec(bytes.toString('latin1', 0, HEAD_BYTES));
  const start = head ? head.index + head[0].length : 0;
  const end = head ? bytes.indexOf(QUOTE, start) : 0;
  return end < 0 ? { start: 0, end: 0 } : { start, end };
}

/** Parses hexadecimal; null if it is malformed. */
async function parseHex(text: Buffer): Promise<Buffer | null> {
  if (text.length % 2 !== 0) return null;
  const bytes = Buffer.allocUnsafeSlow(text.length / 2);
  for (let offset = 0; offset < bytes.length; offset += BYTES_PER_SLICE) {
    if (timeSlices.isUsedUp()) await timeSlices.next();
    const end = Math.min(bytes.length, offset + BYTES_PER_SLICE);
    // `write` stops silently at the first character that is not hexadecimal.
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

/** System and undici error codes are more useful to an operator than their messages, and contain no secrets. */
function describeFailure(error: unknown, timeoutMs: number): string {
  const { name, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : { name: '', code: undefined };
  if (name === 'TimeoutError' || /TIMEOUT/.test(code ?? '')) return `did not respond within ${timeoutMs} ms`;
  return `cannot be reached${code ? ` (${code})` : ''}`;
}
