import type { CardSubmissionResponse } from '../../../src/api/card-submission.ts';
import { PROOF_HEADER } from '../../../src/shared/limits.ts';
import type { PageState } from '../../../src/api/page-state.ts';
import type { CardValues } from '../../../src/shared/card-form.ts';
import { expiryFields } from '../../../src/shared/card.ts';
import { type RequestResult, requestJson } from './request-json.ts';

/** The requests of the link page. */
export class PaymentApi {
  readonly #fetch: typeof fetch;
  readonly #linkPath: string;

  /** `linkPath` is the page's own path, `/p/ID`. */
  constructor(linkPath: string, fetchFrom: typeof fetch) {
    this.#linkPath = linkPath.replace(/\/$/, '');
    this.#fetch = fetchFrom;
  }

  readState(): Promise<RequestResult<PageState>> {
    return this.#ask(`${this.#linkPath}/state`, { method: 'GET' });
  }

  /** Where too many cards were tried from this address, does the work that it is offered, and sends the card once more. */
  async submitCard(
    clientToken: string,
    reference: string,
    card: CardValues,
  ): Promise<RequestResult<CardSubmissionResponse>> {
    const submit = (proof?: string) =>
      this.#post<CardSubmissionResponse>(
        '/fiat/v1/transaction/submit',
        clientToken,
        cardSubmission(reference, card),
        proof,
      );
    const result = await submit();
    const challenge = result.kind === 'problem' && result.problem.challenge;
    if (!challenge) return result;
    const proof = await import('./proof-of-work.ts')
      .then(({ solveProofOfWork }) => solveProofOfWork(challenge))
      .catch(() => null);
    return proof === null ? result : submit(proof);
  }

  /** Gives up the open confirmation with the bank, so that another card can be used. */
  abandon(clientToken: string): Promise<RequestResult<PageState>> {
    return this.post('abandon', clientToken, {});
  }

  /** Posts to what stands below the link: `method`, `abandon`, and without a token `locale`. */
  post<T>(name: string, clientToken: string | null, body: object): Promise<RequestResult<T>> {
    return this.#post(`${this.#linkPath}/${name}`, clientToken, body);
  }

  #post<T>(path: string, clientToken: string | null, body: object, proof?: string): Promise<RequestResult<T>> {
    return this.#ask(path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${clientToken}`,
        'content-type': 'application/json',
        ...(proof && { [PROOF_HEADER]: proof }),
      },
      body: JSON.stringify(body),
    });
  }

  #ask<T>(path: string, request: RequestInit): Promise<RequestResult<T>> {
    return requestJson(this.#fetch, path, request);
  }
}

/** The body of a submission: the form's one expiry becomes a month and a year. */
function cardSubmission(reference: string, { card_expiry, ...fields }: CardValues) {
  return { transaction_id: reference, ...fields, ...expiryFields(card_expiry) };
}
