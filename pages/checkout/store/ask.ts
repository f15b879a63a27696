import type { ProblemDocument } from '../../../src/api/problem.ts';

/** What came of a request; `lost` when nothing that can be read came back, so that nobody knows. */
export type Answer<T> =
  | { readonly kind: 'done'; readonly body: T }
  | { readonly kind: 'problem'; readonly problem: ProblemDocument }
  | { readonly kind: 'lost' };

/** Longer than a provider may take, and short enough that a dead connection is noticed. */
const ANSWER_WITHIN_MS = 60_000;

/** Asks our own host for JSON. */
export async function ask<T>(fetchFrom: typeof fetch, path: string, request: RequestInit): Promise<Answer<T>> {
  try {
    const response = await fetchFrom(path, {
      ...request,
      cache: 'no-store',
      credentials: 'same-origin',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    if (response.ok) return { kind: 'done', body: (await response.json()) as T };
    // A gateway's own error page says nothing about what became of the request behind it.
    if (!response.headers.get('content-type')?.startsWith('application/problem+json')) return { kind: 'lost' };
    const problem = (await response.json()) as ProblemDocument;
    return { kind: 'problem', problem: { ...problem, status: response.status } };
  } catch {
    return { kind: 'lost' };
  }
}
