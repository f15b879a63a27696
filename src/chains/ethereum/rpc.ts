import { Agent, request } from 'undici';
import { z } from 'zod';
import { ChainError } from '../port.ts';
import { type NodeUrl, parseNodeUrl } from './node-url.ts';
import type { RpcCall } from './rpc-methods.ts';

/** An error returned by the node. `reason` is the node's message without secrets. */
export class RpcError extends ChainError {
  /** JSON-RPC code: below -32000 defined by EIP-1474, otherwise the node's own. */
  readonly code: number;
  readonly reason: string;
  constructor(message: string, code: number, reason: string) {
    super('down', message);
    this.name = 'RpcError';
    this.code = code;
    this.reason = reason;
  }
}

/** JSON-RPC 2.0 client of one node. Every failure is a `ChainError` with a message for the operator. */
export interface Rpc {
  /** The node for messages, without the secrets of its URL. */
  readonly nodeName: string;
  request<Result>(call: RpcCall<Result>): Promise<Result>;
  /** Sends several calls in batches. Throws the first error. */
  requestBatch<const Results extends readonly unknown[]>(
    calls: {
      readonly [Index in keyof Results]: RpcCall<Results[Index]>;
    },
  ): Promise<Results>;
  close(): Promise<void>;
}

export interface RpcLimits {
  /** For a request including its response. */
  timeoutMs: number;
  /** Maximum response size. A block of 10 MiB, the maximum (EIP-7934), is twice as long in hexadecimal. */
  maxBytes: number;
}

const defaultLimits: RpcLimits = { timeoutMs: 20_000, maxBytes: 48 * 1024 * 1024 };
/** Calls per batch; nodes and providers limit it. */
const MAX_BATCH = 50;

const responseSchema = z.object({
  id: z.number().nullish(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
});
const responsesSchema = z.array(responseSchema);
type Response = z.infer<typeof responseSchema>;

/** Maximum length of a node's message. */
const MAX_MESSAGE_LENGTH = 300;

export function createRpc({ url, limits }: { url: string; limits?: Partial<RpcLimits> | undefined }): Rpc {
  const { timeoutMs, maxBytes } = { ...defaultLimits, ...limits };
  const nodeUrl = parseNodeUrl(url);
  const nodeName = `The Ethereum node at ${nodeUrl.displayUrl}`;
  const agent = new Agent({ maxResponseSize: maxBytes, connect: { timeout: timeoutMs } });

  /** Posts a body and parses the JSON response. */
  async function postJson(body: string): Promise<unknown> {
    const text = await post(agent, nodeUrl, body, timeoutMs).catch((error: unknown) => {
      throw new ChainError('down', `${nodeName} ${connectionFailure(error, timeoutMs, maxBytes)}.`);
    });
    if (typeof text === 'number') throw new ChainError('down', `${nodeName} ${statusFailure(text)}.`);
    try {
      return JSON.parse(text);
    } catch {
      throw new ChainError('down', `${nodeName} did not respond with JSON. Check that the URL is the node’s own.`);
    }
  }

  function toResult<Result>(call: RpcCall<Result>, response: Response | undefined): Result {
    if (response?.error) {
      const reason = sanitizeMessage(nodeUrl, response.error.message);
      throw new RpcError(`${nodeName} rejected ${call.method}: ${reason}`, response.error.code, reason);
    }
    if (response?.result === undefined) throw new ChainError('down', `${nodeName} did not respond to ${call.method}.`);
    const parsed = call.schema.safeParse(response.result);
    if (parsed.success) return parsed.data;
    const path = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new ChainError(
      'down',
      `${nodeName} returned a malformed result for ${call.method}${path && ` (at ${path})`}.`,
    );
  }

  function parseEnvelope<Form>(schema: z.ZodType<Form>, body: unknown): Form {
    const parsed = schema.safeParse(body);
    if (parsed.success) return parsed.data;
    throw new ChainError('down', `${nodeName} did not respond with JSON-RPC.`);
  }

  async function sendRequest<Result>(call: RpcCall<Result>): Promise<Result> {
    return toResult(call, parseEnvelope(responseSchema, await postJson(JSON.stringify(envelope(call, 0)))));
  }

  async function sendBatch(calls: readonly RpcCall<unknown>[]): Promise<unknown[]> {
    const body = await postJson(JSON.stringify(calls.map(envelope)));
    // A batch that fails as a whole has one response.
    if (!Array.isArray(body)) {
      const whole = parseEnvelope(responseSchema, body);
      return calls.map((call) => toResult(call, whole.error ? whole : undefined));
    }
    // In any order (JSON-RPC 2.0, section 6).
    const byId = new Map(parseEnvelope(responsesSchema, body).map((response) => [response.id, response]));
    return calls.map((call, id) => toResult(call, byId.get(id)));
  }

  return {
    nodeName,
    request: sendRequest,

    async requestBatch<const Results extends readonly unknown[]>(
      calls: {
        readonly [Index in keyof Results]: RpcCall<Results[Index]>;
      },
    ) {
      const all: readonly RpcCall<unknown>[] = calls;
      const results: unknown[] = [];
      for (let start = 0; start < all.length; start += MAX_BATCH)
        results.push(...(await sendBatch(all.slice(start, start + MAX_BATCH))));
      return results as unknown as Results;
    },

    close: async () => await agent.destroy(),
  };
}

function envelope({ method, params }: RpcCall<unknown>, id: number) {
  return { jsonrpc: '2.0', id, method, params };
}

/** Returns the response's body, or its status if it is not 200. */
async function post(agent: Agent, nodeUrl: NodeUrl, body: string, timeoutMs: number): Promise<string | number> {
  const response = await request(nodeUrl.href, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(nodeUrl.authorization && { authorization: nodeUrl.authorization }),
    },
    body,
    dispatcher: agent,
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.statusCode === 200) return await response.body.text();
  await response.body.dump();
  return response.statusCode;
}

/** Does not repeat the connection error, which may contain the URL. */
function connectionFailure(error: unknown, timeoutMs: number, maxBytes: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `did not respond within ${timeoutMs / 1000} s`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return `sent more than ${maxBytes} bytes`;
  return `cannot be reached (${code})`;
}

function statusFailure(status: number): string {
  if (status === 401 || status === 403) return `denied access (HTTP ${status}). Check the key in its URL`;
  if (status === 429) return `reported too many requests (HTTP ${status})`;
  if (status >= 300 && status < 400) return `redirected the request (HTTP ${status}). Check its URL`;
  return `responded with HTTP ${status}`;
}

/** Prepares a node's message for display: no secrets or control characters, limited length. */
function sanitizeMessage(nodeUrl: NodeUrl, message: string): string {
  return nodeUrl
    .hideSecrets(message)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_MESSAGE_LENGTH);
}
