import type { Adapter } from '../registry.ts';
import { createSandboxCardAcquirer } from './card-acquirer.ts';
import { createSandboxPushAcquirer } from './push-acquirer.ts';
import { issuerRoutes, simulatorRoutes } from './routes.ts';

/** The simulated acquirer; disabled in production. */
export const sandbox: Adapter = {
  supports: (_method, { environment }) => environment === 'sandbox',
  create({ environment, pages, ...context }) {
    if (environment !== 'sandbox') return null;
    const card = createSandboxCardAcquirer(context);
    const push = createSandboxPushAcquirer(context);
    return {
      card,
      push,
      routes: ({ onOutcome, onPushPayment }) => [
        issuerRoutes({ acquirer: card, render: pages.renderIssuerPage, onOutcome }),
        simulatorRoutes({ acquirer: push, render: pages.renderSimulatorPage, onPushPayment }),
      ],
      jobs: ({ onOutcome, onPushPayment }) => [
        push.createLatePaymentJob(onPushPayment),
        card.createNotificationJob(onOutcome),
      ],
    };
  },
};
