import type { z } from 'zod';
import { type Call, createCall } from '../../client/call.ts';
import { type Client, clientFrom } from '../../client/client.ts';
import { responseError, PaylatchError } from '../../client/error.ts';
import type { accountCalls } from '../../src/api/account.ts';
import { type AccountCallName, accountPlaces, MERCHANT_HEADER } from '../../src/shared/account-calls.ts';

type Calls = typeof accountCalls;
type BodyOf<Name extends AccountCallName> = Calls[Name] extends { body: infer Body extends z.ZodType }
  ? z.input<Body>
  : undefined;
type AnswerOf<Name extends AccountCallName> = z.output<Calls[Name]['answer']>;

export type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The merchant's API and the calls of `/account/`, as the signed-in user: by the session's cookie. */
export interface AccountApi extends Client {
  /** Called when the session has ended. */
  onSignedOut: () => void;
  /** The API of one merchant. */
  of(merchant: number | null): AccountApi;
  call<Name extends AccountCallName>(
    name: Name,
    ...[body]: BodyOf<Name> extends undefined ? [] : [body: BodyOf<Name>]
  ): Promise<AnswerOf<Name>>;
  /** A file of the service, whose body is read as it arrives. */
  file(path: string, query: QueryValues, signal: AbortSignal): Promise<Response>;
}

const MAX_RETRY_DELAY_MS = 2000;
/** A retry by hand after this is a new request. */
const KEY_KEPT_MS = 600_000;

interface Sending {
  fetch: typeof globalThis.fetch;
  maxRetries?: number;
}

export function createAccountApi(sending: Sending, merchant: number | null = null): AccountApi {
  const headers = merchant === null ? {} : { [MERCHANT_HEADER]: String(merchant) };
  const send = createCall({ baseUrl: '', headers, maxRetryDelayMs: MAX_RETRY_DELAY_MS, ...sending });
  /** Idempotency keys of requests without a response: the same request sent again by hand takes effect once. */
  const unanswered = new Map<string, { key: string; at: number }>();

  const checked: Call = async (place, input, options) => {
    try {
      return await send(place, place.sends === 'query' ? withoutEmpty(input) : input, options);
    } catch (error) {
      if (error instanceof PaylatchError && error.code === 'unauthorized') api.onSignedOut();
      throw error;
    }
  };
  const withKey: Call = async (place, input, options) => {
    if (place.method !== 'POST') return await checked(place, input, options);
    const request = `${place.path} ${JSON.stringify(input)}`;
    const earlier = unanswered.get(request);
    unanswered.delete(request);
    const key = earlier && Date.now() - earlier.at < KEY_KEPT_MS ? earlier.key : crypto.randomUUID();
    try {
      return await checked(place, input, { idempotencyKey: key, ...options });
    } catch (error) {
      const isUnanswered = error instanceof PaylatchError && (error.status === null || error.status >= 500);
      if (isUnanswered) unanswered.set(request, { key, at: Date.now() });
      throw error;
    }
  };

  const api: AccountApi = {
    ...clientFrom(withKey),
    onSignedOut() {},
    of(other) {
      return Object.assign(createAccountApi(sending, other), { onSignedOut: () => api.onSignedOut() });
    },
    async call(name, ...[body]) {
      const place = accountPlaces[name];
      const sends = place.method === 'GET' ? 'nothing' : 'body';
      return (await checked({ ...place, sends }, body)) as never;
    },
    async file(path, query, signal) {
      const given = Object.entries(withoutEmpty(query)).map(([name, value]) => [name, String(value)]);
      const response = await sending.fetch(`${path}?${new URLSearchParams(given)}`, { headers, signal });
      if (response.ok) return response;
      throw responseError(response, await response.json().catch(() => undefined));
    },
  };
  return api;
}

function withoutEmpty(query: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== '' && value !== null));
}
