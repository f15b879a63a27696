import type { CryptoTransaction } from '../../../client/api.ts';
import { type AccountApi, type AccountProblem, asProblem } from '../api.ts';
import { readFiat, type Waiting, waitsForPerson } from './waiting.ts';

export type Verdict = 'accept' | 'reject';

export interface Reasons {
  /** Kept with the decision. */
  reason: string;
  /** Where rejected money goes back to; nothing is sent without. */
  refundAddress: string;
}

/** What became of a decision. */
export type Outcome =
  | { state: 'done' }
  /** Somebody else was first; `by` is null where it is not told who. */
  | { state: 'decided'; by: string | null; verdict: Verdict | null; reason: string | null }
  /** Where no answer came it may have arrived: the same key then does it once. */
  | { state: 'failed'; problem: AccountProblem };

const alreadyDecided = ['nothing_to_decide', 'nothing_to_accept'];

/** Sends one decision. Whoever comes second changes nothing, and learns what the first one decided. */
export async function decide(
  api: AccountApi,
  waiting: Waiting,
  verdict: Verdict,
  { reason, refundAddress }: Reasons,
  idempotencyKey: string,
): Promise<Outcome> {
  const { kind, id } = waiting;
  const why = reason === '' ? {} : { reason };
  try {
    if (kind === 'fiat') await api.post('/fiat/v1/transaction/accept', { transaction_id: id }, { idempotencyKey });
    else if (verdict === 'accept') await api.post('/v1/transaction/approve', { id, ...why }, { idempotencyKey });
    else {
      const body = { id, ...why, ...(refundAddress === '' ? {} : { refundAddress }) };
      await api.post('/v1/transaction/reject', body, { idempotencyKey });
    }
    return { state: 'done' };
  } catch (error) {
    const problem = asProblem(error);
    if (!alreadyDecided.includes(problem.code)) return { state: 'failed', problem };
    const found = await whatBecameOf(api, waiting).catch(() => null);
    return found ?? { state: 'decided', by: null, verdict: null, reason: null };
  }
}

/** What somebody else has decided; null while it still waits. */
export async function whatBecameOf(api: AccountApi, { kind, id }: Waiting): Promise<Outcome | null> {
  if (kind === 'fiat') {
    const detail = await readFiat(api, id);
    if (waitsForPerson(detail)) return null;
    const isAccepted = detail.status === 'transaction_status_confirmed';
    return { state: 'decided', by: null, verdict: isAccepted ? 'accept' : null, reason: null };
  }
  const { status, decision } = await api.get<CryptoTransaction>('/v1/transaction', { id });
  if (status === 'approved_required') return null;
  if (decision === null) return { state: 'decided', by: null, verdict: null, reason: null };
  const { isApproved, reason, by, byName } = decision;
  return { state: 'decided', by: byName ?? by, verdict: isApproved ? 'accept' : 'reject', reason };
}
