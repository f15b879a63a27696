import type { ProblemDocument } from '../../../src/api/problem.ts';

/** Result of a request; `lost` if there was no readable response, so its effect is unknown. */
export type RequestResult<T> =
  | { readonly kind: 'done'; readonly body: T }
  | { readonly kind: 'problem'; readonly problem: ProblemDocument }
  | { readonly kind: 'lost' };

/** Longer than an acquirer needs, but short enough to detect a dead connection. */
const RESPONSE_TIMEOUT_MS = 60_000;

/** Sends a request to our own host and reads the JSON response. */
export async function requestJson<T>(
  fetcher: typeof fetch,
  path: string,
  request: RequestInit,
): Promise<RequestResult<T>> {
  try {
    const response = await fetcher(path, {
      ...request,
      cache: 'no-store',
      credentials: 'same-origin',
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    if (response.ok) return { kind: 'done', body: (await response.json()) as T };
    // A gateway's error page does not indicate whether the request behind it succeeded.
    if (!response.headers.get('content-type')?.startsWith('application/problem+json')) return { kind: 'lost' };
    const problem = (await response.json()) as ProblemDocument;
    return { kind: 'problem', problem: { ...problem, status: response.status } };
  } catch {
    return { kind: 'lost' };
  }
}
