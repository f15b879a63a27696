import type { TransactionDetail } from '../../../client/api.ts';
import { type AccountApi } from '../api.ts';
import type { AccountContext } from '../context.ts';
import { keptOf } from '../transactions/sums.ts';
import { readFiat, type Waiting } from './waiting.ts';
import type { PaylatchError } from '../../../client/error.ts';
import { toProblem } from '../problems.ts';

export type Verdict = 'accept' | 'reject';

export interface Reasons {
  /** Kept with the decision. */
  reason: string;
  /** Where rejected coins go back to; nothing is sent without. */
  refundAddress: string;
  /** Whether rejected money of a payment link has been given back in another way already. */
  isOutOfBand: boolean;
}

/** What became of a decision. */
export type Outcome =
  | { state: 'done' }
  /** Rejected, but the provider does not give it back: it waits again. */
  | { state: 'kept' }
  /** Somebody else was first; `by` is null where it is not told who. What the buyer has paid by now is nobody's decision. */
  | { state: 'decided'; by: string | null; verdict: Verdict | 'paid' | null; reason: string | null }
  /** Where no answer came it may have arrived: the same key then does it once. */
  | { state: 'failed'; problem: PaylatchError };

/** True if the payment is no longer in review. */
export function isGone({ state }: Outcome): boolean {
  return state === 'done' || state === 'decided';
}

type Decided = Extract<Outcome, { state: 'decided' }>;
type Asker = Pick<AccountContext, 'account' | 'api'>;

const alreadyDecided = ['nothing_to_decide', 'nothing_to_accept', 'already_paid'];
const undecidedBy = { state: 'decided', by: null, verdict: null, reason: null } as const satisfies Decided;

/** Sends one decision. Whoever comes second changes nothing, and learns what the first one decided. */
export async function decide(asker: Asker, waiting: Waiting, verdict: Verdict, reasons: Reasons): Promise<Outcome> {
  try {
    return waiting.kind === 'fiat'
      ? await decideFiat(asker, waiting, verdict, reasons)
      : await decideCrypto(asker.api, waiting, verdict, reasons);
  } catch (error) {
    const problem = toProblem(error);
    if (!alreadyDecided.includes(problem.code)) return { state: 'failed', problem };
    const found = await whatBecameOf(asker, waiting).catch(() => undecidedBy);
    return found ?? { state: 'failed', problem };
  }
}

async function decideFiat(
  asker: Asker,
  { id }: Waiting,
  verdict: Verdict,
  { reason, isOutOfBand }: Reasons,
): Promise<Outcome> {
  const body = {
    transaction_id: id,
    ...(reason !== '' && { reason }),
    ...(verdict === 'reject' && isOutOfBand && { out_of_band: true }),
  };
  const answer = await asker.api[`${verdict}Transaction`](body);
  if (verdict === 'reject') return { state: keptOf(answer) > 0n ? 'kept' : 'done' };
  // What is paid is answered as it is, whoever has accepted it.
  const isOwn = answer.decision?.by === `person ${asker.account?.person.id}`;
  return isOwn ? { state: 'done' } : decidedFiat(answer);
}

async function decideCrypto(
  api: AccountApi,
  { id }: Waiting,
  verdict: Verdict,
  { reason, refundAddress }: Reasons,
): Promise<Outcome> {
  const body = {
    id,
    ...(reason !== '' && { reason }),
    ...(verdict === 'reject' && refundAddress !== '' && { refundAddress }),
  };
  await api[`${verdict === 'accept' ? 'approve' : 'reject'}CryptoTransaction`](body);
  return { state: 'done' };
}

/** What somebody else has decided; null while it still waits. */
export async function whatBecameOf(asker: Asker, { kind, id }: Waiting): Promise<Decided | null> {
  if (kind === 'fiat') {
    const detail = await readFiat(asker.api, id);
    const isPaid = detail.status === 'transaction_status_confirmed';
    return !isPaid && keptOf(detail) > 0n ? null : decidedFiat(detail);
  }
  const { status, decision } = await asker.api.getCryptoTransaction({ id });
  if (status === 'approved_required') return null;
  if (decision === null) return undecidedBy;
  const { isApproved, reason, by, byName } = decision;
  return { state: 'decided', by: byName ?? by, verdict: isApproved ? 'accept' : 'reject', reason };
}

function decidedFiat({ decision, status }: TransactionDetail): Decided {
  if (decision === undefined)
    return status === 'transaction_status_confirmed' ? { ...undecidedBy, verdict: 'paid' } : undecidedBy;
  const { is_approved: isApproved, reason, by, by_name: byName } = decision;
  return { state: 'decided', by: byName ?? by, verdict: isApproved ? 'accept' : 'reject', reason };
}
