import type { Metrics } from '../system/metrics.ts';
import type { CardAcquirer } from './port.ts';
import type { PushAcquirer } from './push-port.ts';
import type { AcquirerAccount } from './registry.ts';

/** Timeout of a call to an acquirer. Charges have a longer timeout of their own (`payments/card/submit.ts`). */
const CALL_TIMEOUT_MS = 10_000;

/** The acquirer did not respond in time. It may still carry out the request. */
class CallTimeout extends Error {}

/** Wraps the ports of accounts: measures every call, and rejects it after a timeout. */
export function createAcquirerCalls({
  metrics,
  timeoutMs = CALL_TIMEOUT_MS,
}: {
  metrics: Metrics;
  timeoutMs?: number;
}) {
  function instrument(account: Pick<AcquirerAccount, 'adapter'>) {
    const measure = async <Response>(call: string, send: () => Promise<Response>): Promise<Response> => {
      const startedMs = performance.now();
      let result: 'answered' | 'failed' | 'late' = 'failed';
      try {
        const response = await send();
        result = 'answered';
        return response;
      } catch (error) {
        if (error instanceof CallTimeout) result = 'late';
        throw error;
      } finally {
        metrics.providerCalls.observe(
          { provider: account.adapter, call, result },
          (performance.now() - startedMs) / 1000,
        );
      }
    };
    const withTimeout = async <Response>(call: string, send: () => Promise<Response>): Promise<Response> =>
      await measure(call, async () => {
        let timer: NodeJS.Timeout | undefined;
        const timeout = new Promise<never>((_resolve, reject) => {
          const reason = `${account.adapter} did not respond to ${call} in ${timeoutMs} ms`;
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
    wrapCard(account: Pick<AcquirerAccount, 'adapter'>, card: CardAcquirer): CardAcquirer {
      const { measured, within } = instrument(account);
      const { fetchOutcome, complete } = card;
      return {
        charge: async (charge) => await measured('charge', () => card.charge(charge)),
        ...(fetchOutcome && {
          fetchOutcome: async (charge) => await within('look_up', () => fetchOutcome.call(card, charge)),
        }),
        ...(complete && {
          complete: async (charge, returned) => await within('complete', () => complete.call(card, charge, returned)),
        }),
        abandon: async (charge) => await within('abandon', () => card.abandon(charge)),
        reverse: async (charge) => await within('reverse', () => card.reverse(charge)),
        refund: async (refund) => await within('refund', () => card.refund(refund)),
      };
    },

    wrapPush(account: Pick<AcquirerAccount, 'adapter'>, push: PushAcquirer): PushAcquirer {
      const { within } = instrument(account);
      return {
        listChoices: async (payment) => await within('choices', () => push.listChoices(payment)),
        issueInstructions: async (payment) => await within('issue', () => push.issueInstructions(payment)),
        fetchPayment: async (payment) => await within('look_up', () => push.fetchPayment(payment)),
        withdraw: async (payment) => await within('withdraw', () => push.withdraw(payment)),
        refund: async (refund) => await within('refund', () => push.refund(refund)),
        ...(push.readCurrentPayments && { readCurrentPayments: push.readCurrentPayments.bind(push) }),
        ...(push.simulatorUrl && { simulatorUrl: push.simulatorUrl.bind(push) }),
      };
    },
  };
}
