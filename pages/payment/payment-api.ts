import type { CardSubmissionResponse } from '../../src/contract/card-submission.ts';
import type { PageState } from '../../src/contract/page-state.ts';
import type { ProblemDocument } from '../../src/contract/problem.ts';
import type { CardValues } from '../elements/card-fields.ts';
import { parseExpiry } from '../../src/contract/card.ts';

/** What came of a request; `lost` when nothing that can be read came back, so that nobody knows. */
export type Answer<T> =
  | { readonly kind: 'done'; readonly body: T }
  | { readonly kind: 'problem'; readonly problem: ProblemDocument }
  | { readonly kind: 'lost' };

/** Longer than a provider may take, and short enough that a dead connection is noticed. */
const ANSWER_WITHIN_MS = 60_000;

/** The requests of the link page. */
export class PaymentApi {
  readonly #fetch: typeof fetch;
  readonly #linkPath: string;

  /** `linkPath` is the page's own path, `/p/ID`. */
  constructor(linkPath: string, fetchFrom: typeof fetch) {
    this.#linkPath = linkPath.replace(/\/$/, '');
    this.#fetch = fetchFrom;
  }

  readState(): Promise<Answer<PageState>> {
    return this.#ask(`${this.#linkPath}/state`, { method: 'GET' });
  }

  submitCard(clientToken: string, reference: string, card: CardValues): Promise<Answer<CardSubmissionResponse>> {
    return this.#post('/fiat/v1/transaction/submit', clientToken, cardSubmission(reference, card));
  }

  /** Gives up the open confirmation with the bank, so that another card can be used. */
  abandon(clientToken: string): Promise<Answer<PageState>> {
    return this.#post(`${this.#linkPath}/abandon`, clientToken, {});
  }

  #post<T>(path: string, clientToken: string, body: object): Promise<Answer<T>> {
    return this.#ask(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${clientToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async #ask<T>(path: string, request: RequestInit): Promise<Answer<T>> {
    try {
      const response = await this.#fetch(path, {
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
}

/** The body of a submission: the form's one expiry becomes a month and a year. */
function cardSubmission(reference: string, { card_expiry, ...fields }: CardValues) {
  const expiry = parseExpiry(card_expiry);
  return {
    transaction_id: reference,
    ...fields,
    card_expiry_month: expiry ? String(expiry.month).padStart(2, '0') : '',
    card_expiry_year: expiry ? String(expiry.year) : '',
  };
}
