import type { CardSubmissionResponse } from '../../../src/api/card-submission.ts';
import { PROOF_HEADER } from '../../../src/shared/limits.ts';
import type { CardKey, PageState } from '../../../src/api/page-state.ts';
import type { CardValues } from '../../../src/shared/card-form.ts';
import { expiryFields } from '../../../src/shared/card.ts';
import { type RequestResult, requestJson } from './request-json.ts';

/** The requests of the link page. */
export class PaymentApi {
  readonly #fetch: typeof fetch;
  readonly #linkPath: string;

  /** `linkPath` is the page's path, `/p/ID`. */
  constructor(linkPath: string, fetcher: typeof fetch) {
    this.#linkPath = linkPath.replace(/\/$/, '');
    this.#fetch = fetcher;
  }

  readState(): Promise<RequestResult<PageState>> {
    return this.#request(`${this.#linkPath}/state`, { method: 'GET' });
  }

  /** Submits a card. If the IP address has exceeded its limit, solves the proof of work and submits once more. */
  async submitCard(
    clientToken: string,
    reference: string,
    card: CardValues,
    shown: { amount: string | undefined; key: CardKey | undefined; nowMs: number },
  ): Promise<RequestResult<CardSubmissionResponse> | { kind: 'unsent' }> {
    const body = await cardSubmission(reference, card, shown).catch(() => null);
    if (body === null) return { kind: 'unsent' };
    const submit = (proof?: string) =>
      this.#post<CardSubmissionResponse>('/fiat/v1/transaction/submit', clientToken, body, proof);
    const result = await submit();
    const challenge = result.kind === 'problem' && result.problem.challenge;
    if (!challenge) return result;
    const proof = await import('./proof-of-work.ts').then(({ solve }) => solve(challenge)).catch(() => null);
    return proof === null ? result : submit(proof);
  }

  /** Abandons the open challenge, so that another card can be used. */
  abandon(clientToken: string): Promise<RequestResult<PageState>> {
    return this.post('abandon', clientToken, {});
  }

  /** Posts to an endpoint of the link: `method`, `abandon`, or `locale`, which needs no token. */
  post<T>(name: string, clientToken: string | null, body: object): Promise<RequestResult<T>> {
    return this.#post(`${this.#linkPath}/${name}`, clientToken, body);
  }

  #post<T>(path: string, clientToken: string | null, body: object, proof?: string): Promise<RequestResult<T>> {
    return this.#request(path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${clientToken}`,
        'content-type': 'application/json',
        ...(proof && { [PROOF_HEADER]: proof }),
      },
      body: JSON.stringify(body),
    });
  }

  #request<T>(path: string, request: RequestInit): Promise<RequestResult<T>> {
    return requestJson(this.#fetch, path, request);
  }
}

/**
 * Body of a submission: splits the expiry into month and year, and adds the browser for 3-D Secure. With a key, the card
 * is encrypted; if that fails, nothing may be sent.
 */
async function cardSubmission(
  reference: string,
  { card_expiry, ...fields }: CardValues,
  { amount, key, nowMs }: { amount: string | undefined; key: CardKey | undefined; nowMs: number },
) {
  const { card_number, card_cvv, ...payer } = fields;
  const entered = Object.fromEntries(Object.entries(key ? payer : fields).filter(([, value]) => value !== ''));
  const expiry = expiryFields(card_expiry);
  const card = key
    ? {
        encrypted_card: await (await import('./card-encryption.ts')).encryptCard(
          { card_number, card_cvv, ...expiry },
          key,
          nowMs,
        ),
      }
    : expiry;
  return { transaction_id: reference, amount, ...entered, ...card, browser: browserInfo() };
}

function browserInfo() {
  const { colorDepth, width, height } = screen;
  return {
    language: navigator.language,
    color_depth: colorDepth,
    screen_width: width,
    screen_height: height,
    time_zone_offset: new Date().getTimezoneOffset(),
  };
}
