import type { Clock } from '../system/clock.ts';
import type { Metrics } from '../system/metrics.ts';
import { noTracer, type Tracer } from '../system/tracing.ts';
import { type AccountGuard, createAccountGuard } from './health.ts';
import { CALL_TIMEOUT_MS } from './http.ts';
import { type CardAcquirer, NotAccepted, NotSent } from './port.ts';
import { AlreadyWithdrawn, type PushAcquirer } from './push-port.ts';

/** Timeout of a charge, and of its completion after a challenge: the issuer decides during both. */
export const CHARGE_TIMEOUT_MS = 25_000;

/** The acquirer did not respond in time. It may still process the request. */
class CallTimeout extends Error {}

/** The calls of one account: each is admitted by the account's guard, measured, and rejected after a timeout. */
export interface AccountCalls {
  guard: AccountGuard;
  wrapCard(card: CardAcquirer): CardAcquirer;
  wrapPush(push: PushAcquirer): PushAcquirer;
}

export function createAccountCalls({
  adapter,
  clock,
  metrics,
  tracer = noTracer,
  callsPerMinute = null,
  timeoutMs = CALL_TIMEOUT_MS,
  chargeTimeoutMs = CHARGE_TIMEOUT_MS,
}: {
  adapter: string;
  clock: Clock;
  metrics: Metrics;
  tracer?: Tracer;
  callsPerMinute?: number | null;
  timeoutMs?: number;
  chargeTimeoutMs?: number;
}): AccountCalls {
  const guard = createAccountGuard(clock, callsPerMinute);

  const measured = async <Response>(call: string, send: () => Promise<Response>): Promise<Response> => {
    const refusal = guard.admit();
    if (refusal !== null) throw new NotSent(`${adapter} was not called for ${call}: ${refusal.replace('_', ' ')}`);
    const startedMs = performance.now();
    let result: 'responded' | 'failed' | 'timeout' = 'failed';
    try {
      const attributes = { 'paylatch.acquirer': adapter, 'paylatch.acquirer.call': call };
      const response = await tracer.trace({ name: `${adapter} ${call}`, kind: 'client', attributes }, send);
      result = 'responded';
      return response;
    } catch (error) {
      if (error instanceof CallTimeout) result = 'timeout';
      // Neither is a failure of the acquirer. If these counted, a few buyers could open the circuit for all.
      else if (error instanceof AlreadyWithdrawn || error instanceof NotAccepted) result = 'responded';
      throw error;
    } finally {
      const durationMs = performance.now() - startedMs;
      guard.record({
        ...{ hasResponse: result === 'responded', durationMs, call },
        ...(result !== 'responded' && { reason: result }),
      });
      metrics.acquirerCalls.observe({ acquirer: adapter, call, result }, durationMs / 1000);
    }
  };
  const within = async <Response>(
    call: string,
    send: () => Promise<Response>,
    limitMs = timeoutMs,
  ): Promise<Response> =>
    await measured(call, async () => {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<never>((_resolve, reject) => {
        const reason = `${adapter} did not respond to ${call} in ${limitMs} ms`;
        timer = setTimeout(() => reject(new CallTimeout(reason)), limitMs);
      });
      try {
        return await Promise.race([send(), timeout]);
      } finally {
        clearTimeout(timer);
      }
    });

  return {
    guard,
    wrapCard(card) {
      const { fetchOutcome, complete, encrypted, manualCapture } = card;
      return {
        charge: async (charge) => await measured('charge', () => card.charge(charge)),
        ...(encrypted && {
          encrypted: {
            key: encrypted.key,
            charge: async (charge) => await measured('charge', () => encrypted.charge(charge)),
          },
        }),
        ...(fetchOutcome && {
          fetchOutcome: async (charge) => await within('fetch', () => fetchOutcome.call(card, charge)),
        }),
        ...(complete && {
          complete: async (charge, returned) =>
            await within('complete', () => complete.call(card, charge, returned), chargeTimeoutMs),
        }),
        abandon: async (charge) => await within('abandon', () => card.abandon(charge)),
        reverse: async (charge) => await within('reverse', () => card.reverse(charge)),
        refund: async (refund) => await within('refund', () => card.refund(refund)),
        ...(manualCapture && {
          manualCapture: {
            capture: async (request) => await within('capture', () => manualCapture.capture(request)),
            void: async (request) => await within('void', () => manualCapture.void(request)),
          },
        }),
      };
    },
    wrapPush: (push) => ({
      listChoices: async (payment) => await within('choices', () => push.listChoices(payment)),
      issueInstructions: async (payment) => await within('issue', () => push.issueInstructions(payment)),
      fetchPayment: async (payment) => await within('fetch', () => push.fetchPayment(payment)),
      withdraw: async (payment) => await within('withdraw', () => push.withdraw(payment)),
      refund: async (refund) => await within('refund', () => push.refund(refund)),
      ...(push.listTransactions && { listTransactions: push.listTransactions.bind(push) }),
      ...(push.readCurrentPayments && { readCurrentPayments: push.readCurrentPayments.bind(push) }),
      ...(push.simulatorUrl && { simulatorUrl: push.simulatorUrl.bind(push) }),
    }),
  };
}
