import { Agent, request } from 'undici';
import { z } from 'zod';
import { ChainTrouble } from '../port.ts';
import { type NodeUrl, readNodeUrl } from './node-url.ts';
import type { Question } from './questions.ts';

/** The node understood a question and would not or could not answer it; `reason` is its own. */
export class NodeRefusal extends ChainTrouble {
  /** Of JSON-RPC: below -32000 it has a meaning (EIP-1474), others are the node's own. */
  readonly code: number;
  readonly reason: string;
  constructor(message: string, code: number, reason: string) {
    super('down', message);
    this.name = 'NodeRefusal';
    this.code = code;
    this.reason = reason;
  }
}

/** JSON-RPC 2.0 with one node. Every failure is a `ChainTrouble`, in words for whoever runs the service. */
export interface Rpc {
  /** For messages: what and where it is, without its secrets. */
  readonly node: string;
  ask<Answer>(question: Question<Answer>): Promise<Answer>;
  /** Several at once, in batches; all are answered, or it throws for the first that is not. */
  askAll<const Answers extends readonly unknown[]>(
    questions: {
      readonly [Place in keyof Answers]: Question<Answers[Place]>;
    },
  ): Promise<Answers>;
  close(): Promise<void>;
}

export interface RpcLimits {
  /** For a whole exchange, its answer read to the end. */
  timeoutMs: number;
  /** Of an answer. A block of 10 MiB, the most there may be (EIP-7934), is twice as long in hexadecimal. */
  mostBytes: number;
  /** Questions in one batch; nodes and providers take no more than so many. */
  mostQuestions: number;
}

const usualLimits: RpcLimits = { timeoutMs: 20_000, mostBytes: 48 * 1024 * 1024, mostQuestions: 50 };

const reply = z.object({
  id: z.number().nullish(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
});
const replies = z.array(reply);
type Reply = z.infer<typeof reply>;

/** What is kept of a node's own words. */
const MOST_CHARACTERS = 300;

export function createRpc({ url, limits }: { url: string; limits?: Partial<RpcLimits> | undefined }): Rpc {
  const { timeoutMs, mostBytes, mostQuestions } = { ...usualLimits, ...limits };
  const at = readNodeUrl(url);
  const node = `The Ethereum node at ${at.shown}`;
  const agent = new Agent({ maxResponseSize: mostBytes, connect: { timeout: timeoutMs } });

  /** Sends a body, answers what came back read as JSON. */
  async function exchange(body: string): Promise<unknown> {
    const text = await post(agent, at, body, timeoutMs).catch((error: unknown) => {
      throw new ChainTrouble('down', `${node} ${whyNothingCame(error, timeoutMs, mostBytes)}.`);
    });
    if (typeof text === 'number') throw new ChainTrouble('down', `${node} ${whyRefused(text)}.`);
    try {
      return JSON.parse(text);
    } catch {
      throw new ChainTrouble('down', `${node} answered with something other than JSON: is it the node's own address?`);
    }
  }

  function answerTo<Answer>(question: Question<Answer>, given: Reply | undefined): Answer {
    if (given?.error) {
      const reason = words(at, given.error.message);
      throw new NodeRefusal(`${node} refused ${question.method}: ${reason}`, given.error.code, reason);
    }
    if (given?.result === undefined) throw new ChainTrouble('down', `${node} left ${question.method} unanswered.`);
    const read = question.form.safeParse(given.result);
    if (read.success) return read.data;
    const place = read.error.issues[0]?.path.join('.') ?? '';
    throw new ChainTrouble(
      'down',
      `${node} answered ${question.method} in a form that is not Ethereum's${place && ` (at ${place})`}.`,
    );
  }

  function read<Form>(form: z.ZodType<Form>, body: unknown): Form {
    const parsed = form.safeParse(body);
    if (parsed.success) return parsed.data;
    throw new ChainTrouble('down', `${node} answered in a form that is not JSON-RPC's.`);
  }

  async function ask<Answer>(question: Question<Answer>): Promise<Answer> {
    return answerTo(question, read(reply, await exchange(JSON.stringify(envelope(question, 0)))));
  }

  async function askBatch(questions: readonly Question<unknown>[]): Promise<unknown[]> {
    const body = await exchange(JSON.stringify(questions.map(envelope)));
    // A batch that is refused as a whole has one answer.
    if (!Array.isArray(body)) {
      const whole = read(reply, body);
      return questions.map((question) => answerTo(question, whole.error ? whole : undefined));
    }
    // In any order (JSON-RPC 2.0, section 6).
    const byId = new Map(read(replies, body).map((given) => [given.id, given]));
    return questions.map((question, id) => answerTo(question, byId.get(id)));
  }

  return {
    node,
    ask,

    async askAll<const Answers extends readonly unknown[]>(
      questions: {
        readonly [Place in keyof Answers]: Question<Answers[Place]>;
      },
    ) {
      const all: readonly Question<unknown>[] = questions;
      const answers: unknown[] = [];
      for (let from = 0; from < all.length; from += mostQuestions) {
        const some = all.slice(from, from + mostQuestions);
        const [only] = some;
        // Some providers take no batches; what need not be one is none.
        answers.push(...(only && some.length === 1 ? [await ask(only)] : await askBatch(some)));
      }
      return answers as unknown as Answers;
    },

    close: async () => await agent.destroy(),
  };
}

function envelope({ method, params }: Question<unknown>, id: number) {
  return { jsonrpc: '2.0', id, method, params };
}

/** The body of an answer, or the status of one that is none. */
async function post(agent: Agent, at: NodeUrl, body: string, timeoutMs: number): Promise<string | number> {
  const response = await request(at.href, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(at.authorization && { authorization: at.authorization }),
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
function whyNothingCame(error: unknown, timeoutMs: number, mostBytes: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `did not answer within ${timeoutMs / 1000} s`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason given';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return `answered with more than ${mostBytes} bytes`;
  return `cannot be reached (${code})`;
}

function whyRefused(status: number): string {
  if (status === 401 || status === 403) return `does not let us in (HTTP ${status}): look at the key in its URL`;
  if (status === 429) return `has had too many questions from us (HTTP ${status})`;
  if (status >= 300 && status < 400) return `says that it is elsewhere (HTTP ${status}): look at its URL`;
  return `answered with HTTP ${status}`;
}

/** What a node says, fit to be shown: without secrets and control characters, and not longer than a few lines. */
function words(at: NodeUrl, said: string): string {
  return at
    .hideSecrets(said)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, MOST_CHARACTERS);
}
