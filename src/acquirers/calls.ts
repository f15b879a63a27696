import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../system/clock.ts';
import type { Metrics } from '../system/metrics.ts';
import { noTracer, type Tracer } from '../system/tracing.ts';
import { type AccountGuard, createAccountGuard } from './health.ts';
import { CALL_TIMEOUT_MS } from './http.ts';
import { type CardAcquirer, isOutage, NotProcessed } from './port.ts';
import type { PushAcquirer } from './push-port.ts';

/** Timeout of a charge, and of its completion after a challenge: the issuer decides during both. */
export const CHARGE_TIMEOUT_MS = 25_000;

/** The acquirer did not respond in time. It may still process the request. */
class CallTimeout extends Error {}

/** The calls of one account: each is admitted by the account's guard, measured, and rejected after a timeout. */
export interface AccountCalls {
  guard: AccountGuard;
  /** Sends the requests of the account's calls. Calls that then send none are not measured. */
  trackFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch;
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
  const running = new AsyncLocalStorage<{ hasSent: boolean }>();
  let isTracked = false;

  const measure = async <Response>(call: string, send: () => Promise<Response>): Promise<Response> => {
    const rejection = guard.admit();
    if (rejection !== null)
      throw new NotProcessed(`${adapter} was not called for ${call}: ${rejection.replace('_', ' ')}`);
    const startedMs = performance.now();
    const state = { hasSent: !isTracked };
    let result: 'responded' | 'failed' | 'timeout' = 'responded';
    try {
      const attributes = { 'paylatch.acquirer': adapter, 'paylatch.acquirer.call': call };
      const operation = { name: `${adapter} ${call}`, kind: 'client', attributes } as const;
      return await running.run(state, async () => await tracer.trace(operation, send));
    } catch (error) {
      // If other errors counted, a few buyers or refunds could open the circuit for all.
      if (error instanceof CallTimeout) result = 'timeout';
      else if (isOutage(error)) result = 'failed';
      throw error;
    } finally {
      const durationMs = performance.now() - startedMs;
      if (state.hasSent) {
        guard.record({
          ...{ hasResponse: result === 'responded', durationMs, call },
          ...(result !== 'responded' && { reason: result }),
        });
        metrics.acquirerCalls.observe({ acquirer: adapter, call, result }, durationMs / 1000);
      } else guard.release();
    }
  };
  const withTimeout = async <Response>(
    call: string,
    send: () => Promise<Response>,
    limitMs = timeoutMs,
  ): Promise<Response> =>
    await measure(call, async () => {
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
    trackFetch(fetch) {
      isTracked = true;
      return async (...request) => {
        const state = running.getStore();
        if (state) state.hasSent = true;
        return await fetch(...request);
      };
    },
    wrapCard(card) {
      const { fetchOutcome, complete, encrypted, manualCapture } = card;
      return {
        charge: async (charge) => await measure('charge', () => card.charge(charge)),
        ...(encrypted && {
          encrypted: {
            key: encrypted.key,
            charge: async (charge) => await measure('charge', () => encrypted.charge(charge)),
          },
        }),
        ...(fetchOutcome && {
          fetchOutcome: async (charge) => await withTimeout('fetch', () => fetchOutcome.call(card, charge)),
        }),
        ...(complete && {
          complete: async (charge, returned) =>
            await withTimeout('complete', () => complete.call(card, charge, returned), chargeTimeoutMs),
        }),
        abandon: async (charge) => await withTimeout('abandon', () => card.abandon(charge)),
        reverse: async (charge) => await withTimeout('reverse', () => card.reverse(charge)),
        refund: async (refund) => await withTimeout('refund', () => card.refund(refund)),
        ...(manualCapture && {
          manualCapture: {
            capture: async (request) => await withTimeout('capture', () => manualCapture.capture(request)),
            void: async (request) => await withTimeout('void', () => manualCapture.void(request)),
          },
        }),
      };
    },
    wrapPush: (push) => ({
      listChoices: async (payment) => await withTimeout('choices', () => push.listChoices(payment)),
      issueInstructions: async (payment) => await withTimeout('issue', () => push.issueInstructions(payment)),
      fetchPayment: async (payment) => await withTimeout('fetch', () => push.fetchPayment(payment)),
      withdraw: async (payment) => await withTimeout('withdraw', () => push.withdraw(payment)),
      refund: async (refund) => await withTimeout('refund', () => push.refund(refund)),
      ...(push.readDeposits && { readDeposits: push.readDeposits.bind(push) }),
      ...(push.readCurrentPayments && { readCurrentPayments: push.readCurrentPayments.bind(push) }),
      ...(push.simulatorUrl && { simulatorUrl: push.simulatorUrl.bind(push) }),
    }),
  };
}
