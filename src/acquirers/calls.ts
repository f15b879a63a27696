import type { Metrics } from '../system/metrics.ts';
import type { CardAcquirer } from './port.ts';
import type { PushAcquirer } from './push-port.ts';

/** Timeout of a call to an acquirer. Charges have a longer timeout of their own (`payments/card/submit.ts`). */
const CALL_TIMEOUT_MS = 10_000;

/** The acquirer did not respond in time. It may still carry out the request. */
class CallTimeout extends Error {}

/** Wraps acquirers: measures every call, and rejects it after a timeout. */
export function createAcquirerCalls({
  metrics,
  timeoutMs = CALL_TIMEOUT_MS,
}: {
  metrics: Metrics;
  timeoutMs?: number;
}) {
  function instrument(acquirer: { name: string }) {
    const measure = async <Response>(call: string, send: () => Promise<Response>): Promise<Response> => {
      const startedMs = performance.now();
      let result: 'responded' | 'failed' | 'timeout' = 'failed';
      try {
        const response = await send();
        result = 'responded';
        return response;
      } catch (error) {
        if (error instanceof CallTimeout) result = 'timeout';
        throw error;
      } finally {
        metrics.acquirerCalls.observe(
          { acquirer: acquirer.name, call, result },
          (performance.now() - startedMs) / 1000,
        );
      }
    };
    const withTimeout = async <Response>(call: string, send: () => Promise<Response>): Promise<Response> =>
      await measure(call, async () => {
        let timer: NodeJS.Timeout | undefined;
        const timeout = new Promise<never>((_resolve, reject) => {
          const reason = `${acquirer.name} did not respond to ${call} in ${timeoutMs} ms`;
          timer = setTimeout(() => reject(new CallTimeout(reason)), timeoutMs);
        });
        try {
          return await Promise.race([send(), timeout]);
        } finally {
          clearTimeout(timer);
        }
      });
    return { measured: measure, within: withTimeout };
  }

  return {
    wrapCardAcquirer(acquirer: CardAcquirer): CardAcquirer {
      const { measured, within } = instrument(acquirer);
      return {
        name: acquirer.name,
        charge: async (charge) => await measured('charge', () => acquirer.charge(charge)),
        fetchOutcome: async (attemptKey) => await within('fetch', () => acquirer.fetchOutcome(attemptKey)),
        abandon: async (attemptKey) => await within('abandon', () => acquirer.abandon(attemptKey)),
        reverse: async (attemptKey) => await within('reverse', () => acquirer.reverse(attemptKey)),
        refund: async (refund) => await within('refund', () => acquirer.refund(refund)),
      };
    },

    wrapPushAcquirer(acquirer: PushAcquirer): PushAcquirer {
      const { within } = instrument(acquirer);
      return {
        name: acquirer.name,
        supports: (method) => acquirer.supports(method),
        listChoices: async (payment) => await within('choices', () => acquirer.listChoices(payment)),
        issueInstructions: async (payment) => await within('issue', () => acquirer.issueInstructions(payment)),
        fetchPayment: async (instructionsKey) => await within('fetch', () => acquirer.fetchPayment(instructionsKey)),
        withdraw: async (instructionsKey) => await within('withdraw', () => acquirer.withdraw(instructionsKey)),
        refund: async (refund) => await within('refund', () => acquirer.refund(refund)),
        ...(acquirer.readCurrentPayments && { readCurrentPayments: acquirer.readCurrentPayments.bind(acquirer) }),
        ...(acquirer.simulatorUrl && { simulatorUrl: acquirer.simulatorUrl.bind(acquirer) }),
      };
    },
  };
}
