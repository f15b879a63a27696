import { Agent, request } from 'undici';
import { z } from 'zod';
import { ChainError } from '../port.ts';
import { type NodeUrl, parseNodeUrl } from './node-url.ts';
import type { RpcCall } from './rpc-methods.ts';

/** The node understood a question and would not or could not answer it; `reason` is its own. */
export class RpcError extends ChainError {
  /** Of JSON-RPC: below -32000 it has a meaning (EIP-1474), others are the node's own. */
  readonly code: number;
  readonly reason: string;
  constructor(message: string, code: number, reason: string) {
    super('down', message);
    this.name = 'RpcError';
    this.code = code;
    this.reason = reason;
  }
}

/** JSON-RPC 2.0 with one node. Every failure is a `ChainError`, in words for whoever runs the service. */
export interface Rpc {
  /** For messages: what and where it is, without its secrets. */
  readonly nodeName: string;
  request<Answer>(question: RpcCall<Answer>): Promise<Answer>;
  /** Several at once, in batches; all are answered, or it throws for the first that is not. */
  requestBatch<const Answers extends readonly unknown[]>(
    questions: {
      readonly [Place in keyof Answers]: RpcCall<Answers[Place]>;
    },
  ): Promise<Answers>;
  close(): Promise<void>;
}

export interface RpcLimits {
  /** For a whole exchange, its answer read to the end. */
  timeoutMs: number;
  /** Of an answer. A block of 10 MiB, the most there may be (EIP-7934), is twice as long in hexadecimal. */
  maxBytes: number;
  /** Questions in one batch; nodes and providers take no more than so many. */
  maxBatch: number;
}

const defaultLimits: RpcLimits = { timeoutMs: 20_000, maxBytes: 48 * 1024 * 1024, maxBatch: 50 };

const responseSchema = z.object({
  id: z.number().nullish(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
});
const responsesSchema = z.array(responseSchema);
type Response = z.infer<typeof responseSchema>;

/** What is kept of a node's own words. */
const MAX_MESSAGE_LENGTH = 300;

export function createRpc({ url, limits }: { url: string; limits?: Partial<RpcLimits> | undefined }): Rpc {
  const { timeoutMs, maxBytes, maxBatch } = { ...defaultLimits, ...limits };
  const nodeUrl = parseNodeUrl(url);
  const nodeName = `The Ethereum node at ${nodeUrl.displayUrl}`;
  const agent = new Agent({ maxResponseSize: maxBytes, connect: { timeout: timeoutMs } });

  /** Sends a body, answers what came back read as JSON. */
  async function postJson(body: string): Promise<unknown> {
    const text = await post(agent, nodeUrl, body, timeoutMs).catch((error: unknown) => {
      throw new ChainError('down', `${nodeName} ${connectionFailure(error, timeoutMs, maxBytes)}.`);
    });
    if (typeof text === 'number') throw new ChainError('down', `${nodeName} ${statusFailure(text)}.`);
    try {
      return JSON.parse(text);
    } catch {
      throw new ChainError(
        'down',
        `${nodeName} answered with something other than JSON: is it the node's own address?`,
      );
    }
  }

  function toResult<Answer>(call: RpcCall<Answer>, response: Response | undefined): Answer {
    if (response?.error) {
      const reason = sanitizeMessage(nodeUrl, response.error.message);
      throw new RpcError(`${nodeName} refused ${call.method}: ${reason}`, response.error.code, reason);
    }
    if (response?.result === undefined) throw new ChainError('down', `${nodeName} left ${call.method} unanswered.`);
    const parsed = call.schema.safeParse(response.result);
    if (parsed.success) return parsed.data;
    const path = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new ChainError(
      'down',
      `${nodeName} answered ${call.method} in a form that is not Ethereum's${path && ` (at ${path})`}.`,
    );
  }

  function parseEnvelope<Form>(schema: z.ZodType<Form>, body: unknown): Form {
    const parsed = schema.safeParse(body);
    if (parsed.success) return parsed.data;
    throw new ChainError('down', `${nodeName} answered in a form that is not JSON-RPC's.`);
  }

  async function sendRequest<Answer>(call: RpcCall<Answer>): Promise<Answer> {
    return toResult(call, parseEnvelope(responseSchema, await postJson(JSON.stringify(envelope(call, 0)))));
  }

  async function sendBatch(calls: readonly RpcCall<unknown>[]): Promise<unknown[]> {
    const body = await postJson(JSON.stringify(calls.map(envelope)));
    // A batch that is refused as a whole has one answer.
    if (!Array.isArray(body)) {
      const whole = parseEnvelope(responseSchema, body);
      return calls.map((call) => toResult(call, whole.error ? whole : undefined));
    }
    // In any order (JSON-RPC 2.0, section 6).
    const byId = new Map(parseEnvelope(responsesSchema, body).map((response) => [response.id, response]));
    return calls.map((question, id) => toResult(question, byId.get(id)));
  }

  return {
    nodeName: nodeName,
    request: sendRequest,

    async requestBatch<const Answers extends readonly unknown[]>(
      questions: {
        readonly [Place in keyof Answers]: RpcCall<Answers[Place]>;
      },
    ) {
      const all: readonly RpcCall<unknown>[] = questions;
      const answers: unknown[] = [];
      for (let from = 0; from < all.length; from += maxBatch) {
        const some = all.slice(from, from + maxBatch);
        const [only] = some;
        // Some providers take no batches; what need not be one is none.
        answers.push(...(only && some.length === 1 ? [await sendRequest(only)] : await sendBatch(some)));
      }
      return answers as unknown as Answers;
    },

    close: async () => await agent.destroy(),
  };
}

function envelope({ method, params }: RpcCall<unknown>, id: number) {
  return { jsonrpc: '2.0', id, method, params };
}

/** The body of an answer, or the status of one that is none. */
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

/** In our words: an error of the connection may hold the URL. */
function connectionFailure(error: unknown, timeoutMs: number, maxBytes: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `did not answer within ${timeoutMs / 1000} s`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason given';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return `answered with more than ${maxBytes} bytes`;
  return `cannot be reached (${code})`;
}

function statusFailure(status: number): string {
  if (status === 401 || status === 403) return `does not let us in (HTTP ${status}): look at the key in its URL`;
  if (status === 429) return `has had too many questions from us (HTTP ${status})`;
  if (status >= 300 && status < 400) return `says that it is elsewhere (HTTP ${status}): look at its URL`;
  return `answered with HTTP ${status}`;
}

/** What a node says, fit to be shown: without secrets and control characters, and not longer than a few lines. */
function sanitizeMessage(nodeUrl: NodeUrl, message: string): string {
  return nodeUrl
    .hideSecrets(message)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_MESSAGE_LENGTH);
}
