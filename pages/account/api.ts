import type { z } from 'zod';
import type { Problem } from '../../client/api.ts';
import type { accountCalls } from '../../src/api/account.ts';
import { type AccountCallName, accountPlaces, MERCHANT_HEADER } from '../../src/shared/account-calls.ts';

type Calls = typeof accountCalls;
type BodyOf<Name extends AccountCallName> = Calls[Name] extends { body: infer Body extends z.ZodType }
  ? z.input<Body>
  : undefined;
type AnswerOf<Name extends AccountCallName> = z.output<Calls[Name]['answer']>;

/** A problem as the service tells it, or one of this page's own. */
type Told = Partial<Omit<Problem, 'code'>> & { code: string };

/** Why nothing came of a request: a problem that the service told, or that it could not be reached. */
export class AccountProblem extends Error {
  override readonly name = 'AccountProblem';
  /** Null where there was no answer: offline, or the service is away. */
  readonly status: number | null;
  readonly title: string;
  readonly detail: string;
  /** One of the problem catalogue; `unreachable` and `away` are this page's own. */
  readonly code: string;
  /** What to say when asking for help. */
  readonly requestId: string | null;
  /** The mistakes of single fields: `pointer` is `/email`. */
  readonly errors: readonly { pointer: string; code: string; detail: string }[];
  /** Seconds until it is worth trying again, where the service said so. */
  readonly retryAfter: number | null;

  constructor(told: Told, retryAfter: number | null = null) {
    super(told.detail ?? told.title ?? told.code);
    this.status = told.status ?? null;
    this.title = told.title ?? '';
    this.detail = told.detail ?? '';
    this.code = told.code;
    this.requestId = told.request_id ?? null;
    this.errors = told.errors ?? [];
    this.retryAfter = retryAfter;
  }

  /** What is wrong with the field `name`, in the service's words. */
  of(name: string): string | null {
    return this.errors.find(({ pointer }) => pointer === `/${name}` || pointer === `?${name}`)?.detail ?? null;
  }
}

export type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  /** The one of an earlier try that may have arrived; a fresh one otherwise. */
  idempotencyKey?: string;
}

/**
 * Speaks with the service as whoever has signed in, by the session's cookie: the calls of `/account/`, and
 * the merchant's API as it is for everybody.
 */
export class AccountApi {
  /** The merchant that requests are about. */
  merchant: number | null = null;
  /** Called when the service no longer knows who this is. */
  onSignedOut: () => void = () => {};
  readonly #fetch: typeof globalThis.fetch;

  constructor(fetch: typeof globalThis.fetch) {
    this.#fetch = fetch;
  }

  /** The same for one merchant, whichever the frame goes on to. */
  of(merchant: number | null): AccountApi {
    const api = new AccountApi(this.#fetch);
    api.merchant = merchant;
    api.onSignedOut = () => this.onSignedOut();
    return api;
  }

  /** One of the calls of `src/api/account.ts`. */
  async call<Name extends AccountCallName>(
    name: Name,
    ...[body]: BodyOf<Name> extends undefined ? [] : [body: BodyOf<Name>]
  ): Promise<AnswerOf<Name>> {
    const { method, path } = accountPlaces[name];
    return await this.#ask<AnswerOf<Name>>(method, path, { body });
  }

  async get<Answer>(path: string, query: QueryValues = {}, options: RequestOptions = {}): Promise<Answer> {
    return await this.#ask<Answer>('GET', addressOf(path, query), options);
  }

  async post<Answer>(path: string, body: unknown, options: RequestOptions = {}): Promise<Answer> {
    return await this.#change<Answer>('POST', path, body, options);
  }

  async put<Answer>(path: string, body: unknown, options: RequestOptions = {}): Promise<Answer> {
    return await this.#change<Answer>('PUT', path, body, options);
  }

  async patch<Answer>(path: string, body: unknown, options: RequestOptions = {}): Promise<Answer> {
    return await this.#change<Answer>('PATCH', path, body, options);
  }

  /** What is too long to wait for: its body is read as it comes. */
  async stream(path: string, query: QueryValues = {}, options: RequestOptions = {}): Promise<Response> {
    return await this.#answer('GET', addressOf(path, query), { ...options, accept: '*/*' });
  }

  async #change<Answer>(method: string, path: string, body: unknown, options: RequestOptions): Promise<Answer> {
    const { idempotencyKey = crypto.randomUUID() } = options;
    return await this.#ask<Answer>(method, path, { ...options, body, idempotencyKey });
  }

  async #ask<Answer>(method: string, address: string, options: RequestOptions & { body?: unknown }): Promise<Answer> {
    const response = await this.#answer(method, address, options);
    return (response.status === 204 ? {} : await response.json()) as Answer;
  }

  async #answer(
    method: string,
    address: string,
    { body, signal, idempotencyKey, accept = 'application/json' }: RequestOptions & { body?: unknown; accept?: string },
  ): Promise<Response> {
    const headers = new Headers({ Accept: accept });
    if (this.merchant !== null) headers.set(MERCHANT_HEADER, String(this.merchant));
    if (method !== 'GET') headers.set('Content-Type', 'application/json');
    if (method === 'POST' && idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
    const request: RequestInit = { method, headers, credentials: 'same-origin', cache: 'no-store' };
    if (method !== 'GET') request.body = JSON.stringify(body ?? {});
    if (signal) request.signal = signal;
    const response = await this.#fetch(address, request).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw new AccountProblem({ code: navigator.onLine ? 'away' : 'unreachable' });
    });
    if (response.ok) return response;
    const problem = await problemOf(response);
    if (problem.code === 'unauthorized') this.onSignedOut();
    throw problem;
  }
}

function addressOf(path: string, query: QueryValues): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

async function problemOf(response: Response): Promise<AccountProblem> {
  const told = (await response.json().catch(() => null)) as Partial<Problem> | null;
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const seconds = Number.isFinite(retryAfter) ? retryAfter : null;
  // What stands before the service answers in words of its own while the service is away.
  if (typeof told?.code !== 'string') return new AccountProblem({ code: 'away', status: response.status }, seconds);
  return new AccountProblem({ ...told, code: told.code, status: response.status }, seconds);
}

/** What went wrong, as a problem in any case: what is no problem of a request is a mistake of this page. */
export function asProblem(error: unknown): AccountProblem {
  return error instanceof AccountProblem ? error : new AccountProblem({ code: 'page', detail: String(error) });
}
