import type { Metrics } from '../system/metrics.ts';
import type { CardProvider } from './port.ts';
import type { PushProvider } from './push-port.ts';

/** How long a call of a provider may take; a charge has a longer time of its own. */
const CALL_TIMEOUT_MS = 10_000;

/** Rejects a call that got no answer in time. What it asked for may be done all the same. */
class NoAnswer extends Error {}

/** How providers are called: every call is measured, and rejects when no answer comes in time, so that nobody waits for ever. */
export function createProviderCalls({
  metrics,
  timeoutMs = CALL_TIMEOUT_MS,
}: {
  metrics: Metrics;
  timeoutMs?: number;
}) {
  function callsOf(provider: { name: string }) {
    const measured = async <Answer>(call: string, make: () => Promise<Answer>): Promise<Answer> => {
      const startedMs = performance.now();
      let result: 'answered' | 'failed' | 'late' = 'failed';
      try {
        const answer = await make();
        result = 'answered';
        return answer;
      } catch (error) {
        if (error instanceof NoAnswer) result = 'late';
        throw error;
      } finally {
        metrics.providerCalls.observe(
          { provider: provider.name, call, result },
          (performance.now() - startedMs) / 1000,
        );
      }
    };
    const within = async <Answer>(call: string, make: () => Promise<Answer>): Promise<Answer> =>
      await measured(call, async () => {
        let timer: NodeJS.Timeout | undefined;
        const late = new Promise<never>((_resolve, reject) => {
          const reason = `${provider.name} did not answer to ${call} in ${timeoutMs} ms`;
          timer = setTimeout(() => reject(new NoAnswer(reason)), timeoutMs);
        });
        try {
          return await Promise.race([make(), late]);
        } finally {
          clearTimeout(timer);
        }
      });
    return { measured, within };
  }

  return {
    ofCardProvider(provider: CardProvider): CardProvider {
      const { measured, within } = callsOf(provider);
      return {
        name: provider.name,
        charge: async (charge) => await measured('charge', () => provider.charge(charge)),
        lookUp: async (attemptKey) => await within('look_up', () => provider.lookUp(attemptKey)),
        abandon: async (attemptKey) => await within('abandon', () => provider.abandon(attemptKey)),
        reverse: async (attemptKey) => await within('reverse', () => provider.reverse(attemptKey)),
        refund: async (refund) => await within('refund', () => provider.refund(refund)),
      };
    },

    ofPushProvider(provider: PushProvider): PushProvider {
      const { within } = callsOf(provider);
      return {
        name: provider.name,
        carries: (method) => provider.carries(method),
        choices: async (payment) => await within('choices', () => provider.choices(payment)),
        issue: async (payment) => await within('issue', () => provider.issue(payment)),
        lookUp: async (instructionsKey) => await within('look_up', () => provider.lookUp(instructionsKey)),
        withdraw: async (instructionsKey) => await within('withdraw', () => provider.withdraw(instructionsKey)),
        refund: async (refund) => await within('refund', () => provider.refund(refund)),
        ...(provider.readCurrent && { readCurrent: provider.readCurrent.bind(provider) }),
        ...(provider.simulatorUrl && { simulatorUrl: provider.simulatorUrl.bind(provider) }),
      };
    },
  };
}
