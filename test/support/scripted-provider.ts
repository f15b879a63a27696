import type { RefundRequest, RefundOutcome } from '../../src/acquirers/refund.ts';
import type { CardCharge, CardAcquirer, ChargeOutcome, OutcomeListener } from '../../src/acquirers/port.ts';

/** How the next charge goes; each is something that real providers do. */
export const plans = [
  'approve',
  'decline',
  'challenge',
  /** Answers that it does not know, and knows later. */
  'silent_approve',
  'silent_decline',
  /** Charges, but its answer is lost. */
  'lost_answer',
  /** Never gets the request. */
  'lost_request',
  /** Notifies before it answers. */
  'notify_first',
  /** Our process dies after the charge was made, or before. */
  'crash_after',
  'crash_before',
] as const;
export type Plan = (typeof plans)[number];

/** The card whose charge goes by a plan: how a submission carries it, also when several run at once. */
export function cardFor(plan: Plan): string {
  const body = `4000001${String(plans.indexOf(plan)).padStart(8, '0')}`;
  const doubled = [...body].toReversed().map((digit, index) => Number(digit) * (index % 2 === 0 ? 2 : 1));
  const sum = doubled.reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return body + String((10 - (sum % 10)) % 10);
}

const declined: ChargeOutcome = {
  kind: 'declined',
  decline: { code: 'card_declined', network_code: '05', retryable: true, advice: 'use_other_card' },
};

export interface BookedCharge {
  attemptKey: string;
  /** The page of the transaction: how the test finds its charges. */
  returnUrl: string;
  amountMinor: bigint;
  state: 'approved' | 'declined' | 'open' | 'silent' | 'reversed';
  /** What a silent charge turns out to be. */
  truth: 'approved' | 'declined';
}

/** How refunds go: each is something that real providers do. */
export const refundPlans = ['succeed', 'refuse', 'wait', 'lost_request', 'lost_answer'] as const;
export type RefundPlan = (typeof refundPlans)[number];

/** A provider that does what the test says, with books that outlive our process as a real one's do. */
export class ScriptedProvider implements CardAcquirer {
  readonly name = 'scripted';
  readonly books = new Map<string, BookedCharge>();
  notify: OutcomeListener = () => Promise.resolve();
  readonly refunds = new Map<string, { chargeKey: string; amountMinor: bigint; outcome: RefundOutcome }>();
  refundPlan: RefundPlan = 'succeed';

  /** Called when a charge hangs because the process is about to die. */
  readonly onHang = new Set<() => void>();
  #hanging: ((error: Error) => void)[] = [];

  async charge(charge: CardCharge): Promise<ChargeOutcome> {
    const known = this.books.get(charge.attemptKey);
    if (known) return this.#outcome(known);
    const plan = plans.find((each) => cardFor(each) === charge.card.number) ?? 'approve';
    if (plan === 'lost_request') throw new Error('connection reset');
    if (plan === 'crash_before') return await this.#hang();
    const states = {
      decline: 'declined',
      challenge: 'open',
      silent_approve: 'silent',
      silent_decline: 'silent',
    } as const;
    const booked: BookedCharge = {
      attemptKey: charge.attemptKey,
      returnUrl: charge.returnUrl,
      amountMinor: charge.amountMinor,
      state: plan in states ? states[plan as keyof typeof states] : 'approved',
      truth: plan === 'silent_decline' ? 'declined' : 'approved',
    };
    this.books.set(charge.attemptKey, booked);
    if (plan === 'lost_answer') throw new Error('timed out');
    if (plan === 'crash_after') return await this.#hang();
    if (plan === 'notify_first') await this.notify(charge.attemptKey, this.#outcome(booked));
    return this.#outcome(booked);
  }

  fetchOutcome(attemptKey: string): Promise<ChargeOutcome | null> {
    const booked = this.books.get(attemptKey);
    return Promise.resolve(booked ? this.#outcome(booked) : null);
  }

  abandon(attemptKey: string): Promise<ChargeOutcome> {
    const booked = this.books.get(attemptKey);
    if (booked?.state === 'open') booked.state = 'declined';
    if (booked) return Promise.resolve(this.#outcome(booked));
    this.books.set(attemptKey, { attemptKey, returnUrl: '', amountMinor: 0n, state: 'declined', truth: 'declined' });
    return Promise.resolve(declined);
  }

  reverse(attemptKey: string): Promise<void> {
    const booked = this.books.get(attemptKey);
    if (booked?.state === 'approved') booked.state = 'reversed';
    return Promise.resolve();
  }

  refund({ refundKey, chargeKey, amountMinor }: RefundRequest): Promise<RefundOutcome> {
    const known = this.refunds.get(refundKey);
    if (known) return Promise.resolve(known.outcome);
    const plan = this.refundPlan;
    if (plan === 'lost_request') return Promise.reject(new Error('connection reset'));
    const outcomes = {
      refuse: { kind: 'refused', code: 'account_closed', detail: 'The account is closed.' },
      wait: { kind: 'pending' },
    } as const;
    const outcome: RefundOutcome = plan in outcomes ? outcomes[plan as keyof typeof outcomes] : { kind: 'succeeded' };
    this.refunds.set(refundKey, { chargeKey, amountMinor, outcome });
    return plan === 'lost_answer' ? Promise.reject(new Error('timed out')) : Promise.resolve(outcome);
  }

  /** What was asked back of a charge and was not refused. */
  refundedOf({ attemptKey }: BookedCharge): bigint {
    const given = [...this.refunds.values()].filter(({ chargeKey }) => chargeKey === attemptKey);
    return given.reduce((sum, { amountMinor, outcome }) => (outcome.kind === 'refused' ? sum : sum + amountMinor), 0n);
  }

  /** What the buyer decides on the issuer's page. */
  decide(returnUrls: readonly string[], approve: boolean): BookedCharge | null {
    const open = this.chargesOf(returnUrls).find((charge) => charge.state === 'open');
    if (open) open.state = approve ? 'approved' : 'declined';
    return open ?? null;
  }

  /** A charge that was declined goes through all the same, as happens with slow networks. */
  changeMind(returnUrls: readonly string[]): BookedCharge | null {
    const refused = this.chargesOf(returnUrls).find((charge) => charge.state === 'declined');
    if (refused) refused.state = 'approved';
    return refused ?? null;
  }

  /** Silent charges turn out to be what they are, and money that was going back has gone. */
  reveal(): void {
    this.refundPlan = 'succeed';
    for (const refund of this.refunds.values())
      if (refund.outcome.kind === 'pending') refund.outcome = { kind: 'succeeded' };
    for (const charge of this.books.values()) if (charge.state === 'silent') charge.state = charge.truth;
  }

  /** Of the pages that one transaction has had. */
  chargesOf(returnUrls: readonly string[]): BookedCharge[] {
    return [...this.books.values()].filter((charge) => returnUrls.includes(charge.returnUrl));
  }

  async notifyAbout(charge: BookedCharge): Promise<void> {
    await this.notify(charge.attemptKey, this.#outcome(charge));
  }

  /** Lets go of what hung: the process that waited for it is dead. */
  releaseHanging(): void {
    for (const reject of this.#hanging.splice(0)) reject(new Error('the process died'));
  }

  #hang(): Promise<never> {
    const hanging = new Promise<never>((_resolve, reject) => this.#hanging.push(reject));
    for (const listener of this.onHang) listener();
    return hanging;
  }

  #outcome({ attemptKey, state }: BookedCharge): ChargeOutcome {
    if (state === 'approved' || state === 'reversed') return { kind: 'approved' };
    if (state === 'open') return { kind: 'challenge', challengeUrl: `https://issuer.example/${attemptKey}` };
    return state === 'silent' ? { kind: 'unknown' } : declined;
  }
}
