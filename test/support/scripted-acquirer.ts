import type { CaptureOutcome, ManualCapture, VoidRequest } from '../../src/acquirers/capture.ts';
import type { RefundRequest, RefundOutcome } from '../../src/acquirers/refund.ts';
import { checkDigitOf } from './card-numbers.ts';
import type { CardCharge, CardAcquirer, ChargeKey, ChargeOutcome, ReversalOutcome } from '../../src/acquirers/port.ts';

/** Behaviors of a charge. All occur with real acquirers. */
export const plans = [
  'approve',
  'decline',
  'challenge',
  /** Responds without an outcome, which follows later. */
  'silent_approve',
  'silent_decline',
  /** Charges, but its response is lost. */
  'lost_answer',
  /** Never receives the request. */
  'lost_request',
  /** Notifies before it responds. */
  'notify_first',
  /** Our process dies after or before the charge. */
  'crash_after',
  'crash_before',
] as const;
export type Plan = (typeof plans)[number];

/** Returns the card number that selects a plan, even for concurrent submissions. */
export function cardFor(plan: Plan): string {
  const body = `4000001${String(plans.indexOf(plan)).padStart(8, '0')}`;
  return body + checkDigitOf(body);
}

const declined: ChargeOutcome = {
  kind: 'declined',
  decline: { code: 'card_declined', network_code: '05', retryable: true, advice: 'use_other_card' },
};

export interface ScriptedCharge {
  attemptKey: string;
  /** The transaction's page, by which the test finds its charges. */
  returnUrl: string;
  amountMinor: bigint;
  state: 'approved' | 'declined' | 'open' | 'silent' | 'reversed';
  /** The later outcome of a silent charge. */
  finalState: 'approved' | 'declined';
}

/** Behaviors of a refund. All occur with real acquirers. */
export const refundPlans = ['succeed', 'refuse', 'wait', 'lost_request', 'lost_answer'] as const;
export type RefundPlan = (typeof refundPlans)[number];

/** Behaviors of a capture or a void. All occur with real acquirers. */
const capturePlans = ['succeed', 'refuse', 'released', 'captured', 'wait', 'lost_request', 'lost_answer'] as const;
export type CapturePlan = (typeof capturePlans)[number];

interface ScriptedModification {
  kind: 'capture' | 'void';
  modificationKey: string;
  attemptKey: string;
  amountMinor: bigint;
  outcome: CaptureOutcome;
}

/** An acquirer that follows the test's plan. Its records outlive our process, as a real acquirer's do. */
export class ScriptedAcquirer implements CardAcquirer {
  readonly charges = new Map<string, ScriptedCharge>();
  /** Receives outcomes that the acquirer reports itself. */
  notify: (attemptKey: string, outcome: ChargeOutcome) => Promise<void> = () => Promise.resolve();
  readonly refunds = new Map<string, { chargeKey: string; amountMinor: bigint; outcome: RefundOutcome }>();
  refundPlan: RefundPlan = 'succeed';
  readonly modifications = new Map<string, ScriptedModification>();
  capturePlan: CapturePlan = 'succeed';

  /** Called when a charge hangs before the process dies. */
  readonly onHang = new Set<() => void>();
  #hanging: ((error: Error) => void)[] = [];

  async charge(charge: CardCharge): Promise<ChargeOutcome> {
    const existing = this.charges.get(charge.attemptKey);
    if (existing) return this.#outcome(existing);
    const plan = plans.find((each) => cardFor(each) === charge.card.number) ?? 'approve';
    if (plan === 'lost_request') throw new Error('connection reset');
    if (plan === 'crash_before') return await this.#hang();
    const states = {
      decline: 'declined',
      challenge: 'open',
      silent_approve: 'silent',
      silent_decline: 'silent',
    } as const;
    const created: ScriptedCharge = {
      attemptKey: charge.attemptKey,
      returnUrl: charge.returnUrl,
      amountMinor: charge.amountMinor,
      state: plan in states ? states[plan as keyof typeof states] : 'approved',
      finalState: plan === 'silent_decline' ? 'declined' : 'approved',
    };
    this.charges.set(charge.attemptKey, created);
    if (plan === 'lost_answer') throw new Error('timed out');
    if (plan === 'crash_after') return await this.#hang();
    if (plan === 'notify_first') await this.notify(charge.attemptKey, this.#outcome(created));
    return this.#outcome(created);
  }

  fetchOutcome({ attemptKey }: ChargeKey): Promise<ChargeOutcome | null> {
    const charge = this.charges.get(attemptKey);
    return Promise.resolve(charge ? this.#outcome(charge) : null);
  }

  abandon({ attemptKey }: ChargeKey): Promise<ChargeOutcome> {
    const charge = this.charges.get(attemptKey);
    if (charge?.state === 'open') charge.state = 'declined';
    if (charge) return Promise.resolve(this.#outcome(charge));
    this.charges.set(attemptKey, {
      attemptKey,
      returnUrl: '',
      amountMinor: 0n,
      state: 'declined',
      finalState: 'declined',
    });
    return Promise.resolve(declined);
  }

  reverse({ attemptKey }: ChargeKey): Promise<ReversalOutcome> {
    const charge = this.charges.get(attemptKey);
    if (charge?.state === 'approved') charge.state = 'reversed';
    return Promise.resolve({ kind: 'requested' });
  }

  refund({ refundKey, chargeKey, amountMinor }: RefundRequest): Promise<RefundOutcome> {
    const existing = this.refunds.get(refundKey);
    if (existing) return Promise.resolve(existing.outcome);
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

  readonly manualCapture: ManualCapture = {
    capture: async (request) => await this.#operate('capture', request, request.amountMinor),
    void: async (request) => await this.#operate('void', request, 0n),
  };

  #operate(
    kind: ScriptedModification['kind'],
    { charge: { attemptKey }, modificationKey }: VoidRequest,
    amountMinor: bigint,
  ): Promise<CaptureOutcome> {
    const existing = this.modifications.get(modificationKey);
    if (existing) return Promise.resolve(existing.outcome);
    const plan = this.capturePlan;
    if (plan === 'lost_request') return Promise.reject(new Error('connection reset'));
    const outcomes: Partial<Record<CapturePlan, CaptureOutcome>> = {
      refuse: { kind: 'refused', code: 'capture_refused', detail: 'The issuer refused.' },
      released: { kind: 'refused', code: 'authorization_expired', detail: 'It has expired.', isReleased: true },
      captured: { kind: 'captured', amountMinor: 1000n },
      wait: { kind: 'pending' },
    };
    const outcome = outcomes[plan] ?? { kind: 'succeeded' };
    this.modifications.set(modificationKey, { kind, modificationKey, attemptKey, amountMinor, outcome });
    return plan === 'lost_answer' ? Promise.reject(new Error('timed out')) : Promise.resolve(outcome);
  }

  /** Returns the captures of an attempt that were not refused. */
  captures(attemptKey: string): ScriptedModification[] {
    return [...this.modifications.values()].filter(
      (each) => each.attemptKey === attemptKey && each.kind === 'capture' && each.outcome.kind !== 'refused',
    );
  }

  /** Returns the refunded amount of a charge, without refused refunds. */
  refundedAmount({ attemptKey }: ScriptedCharge): bigint {
    const refunds = [...this.refunds.values()].filter(({ chargeKey }) => chargeKey === attemptKey);
    return refunds.reduce(
      (sum, { amountMinor, outcome }) => (outcome.kind === 'refused' ? sum : sum + amountMinor),
      0n,
    );
  }

  /** Completes the buyer's open challenge. */
  completeChallenge(returnUrls: readonly string[], approve: boolean): ScriptedCharge | null {
    const open = this.findCharges(returnUrls).find((charge) => charge.state === 'open');
    if (open) open.state = approve ? 'approved' : 'declined';
    return open ?? null;
  }

  /** Approves a declined charge, as slow networks do. */
  approveDeclined(returnUrls: readonly string[]): ScriptedCharge | null {
    const refused = this.findCharges(returnUrls).find((charge) => charge.state === 'declined');
    if (refused) refused.state = 'approved';
    return refused ?? null;
  }

  /** Resolves silent charges to their final state, and pending refunds. */
  resolvePending(): void {
    this.refundPlan = 'succeed';
    this.capturePlan = 'succeed';
    for (const each of this.modifications.values())
      if (each.outcome.kind === 'pending') each.outcome = { kind: 'succeeded' };
    for (const refund of this.refunds.values())
      if (refund.outcome.kind === 'pending') refund.outcome = { kind: 'succeeded' };
    for (const charge of this.charges.values()) if (charge.state === 'silent') charge.state = charge.finalState;
  }

  /** Finds the charges of a transaction by its pages. */
  findCharges(returnUrls: readonly string[]): ScriptedCharge[] {
    return [...this.charges.values()].filter((charge) => returnUrls.includes(charge.returnUrl));
  }

  async notifyOutcome(charge: ScriptedCharge): Promise<void> {
    await this.notify(charge.attemptKey, this.#outcome(charge));
  }

  /** Rejects hanging calls of a dead process. */
  rejectHanging(): void {
    for (const reject of this.#hanging.splice(0)) reject(new Error('the process died'));
  }

  #hang(): Promise<never> {
    const hanging = new Promise<never>((_resolve, reject) => this.#hanging.push(reject));
    for (const listener of this.onHang) listener();
    return hanging;
  }

  #outcome({ attemptKey, state }: ScriptedCharge): ChargeOutcome {
    if (state === 'approved' || state === 'reversed') return { kind: 'approved' };
    if (state === 'open')
      return {
        kind: 'challenge',
        challenge: { url: `https://issuer.example/${attemptKey}`, method: 'GET', fields: {} },
      };
    return state === 'silent' ? { kind: 'unknown' } : declined;
  }
}
