import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseId } from '../../src/acquirers/hyperswitch/ids.ts';
import { webhookPath } from '../../src/acquirers/registry.ts';
import { startHyperswitch } from '../../test/acquirers/simulators/hyperswitch/index.ts';
import { sendTo } from '../../test/acquirers/simulators/webhooks.ts';
import type { AcquirerCharge } from '../../test/support/payment-load-checks.ts';

const WEBHOOK_INTERVAL_MS = 500;

interface ChargeBody {
  payment_id?: string;
  /** Our reference of the transaction; absent if the ID is only reserved. */
  merchant_order_reference_id?: string;
}

/**
 * Starts a simulated acquirer, and routes all cards to it. It runs outside the service, and its record of charges is
 * in memory: no failover of the database can change it.
 */
export async function startAcquirer(
  folder: string,
  origin: string,
  runCommand: (args: readonly string[], input?: string) => Promise<Record<string, unknown>>,
) {
  const simulator = await startHyperswitch({ now: Date.now, log: join(folder, 'acquirer.log') });
  const { url, credentials, webhooks, violations } = simulator;
  const added = await runCommand(
    ['acquirer', 'add', '--adapter', 'hyperswitch', '--name', 'Simulator'],
    JSON.stringify({ apiUrl: url, apiKey: credentials.apiKey, responseHashKey: credentials.hashKey }),
  );
  const account = String(added['account']);
  await runCommand(['acquirer', 'route', '--account', account, '--method', 'credit_card']);
  webhooks.send = sendTo(origin + webhookPath(account));
  void sendWebhooks();

  async function sendWebhooks(): Promise<never> {
    for (;;) {
      await webhooks.deliver().catch(() => undefined);
      await pause(WEBHOOK_INTERVAL_MS);
    }
  }

  return {
    /** Requests and responses that break the acquirer's contract. */
    violations,
    hasPendingWebhooks: () => webhooks.pending.length > 0,
    charges(): AcquirerCharge[] {
      const bodies = simulator.requests.map(({ body }) => body as ChargeBody | null);
      return simulator.charges().map((charge) => ({
        ...charge,
        attemptKey: parseId(charge.reference)?.key ?? charge.reference,
        transactionId:
          bodies.find((body) => body?.payment_id === charge.reference)?.merchant_order_reference_id ?? null,
      }));
    },
  };
}
