import type { Adapter } from '../registry.ts';
import { createSandboxProvider } from './provider.ts';
import { createSandboxPushProvider } from './push-provider.ts';
import { issuerRoutes, simulatorRoutes } from './routes.ts';

/** The simulated acquirer; production has none. */
export const sandbox: Adapter = {
  supports: (_method, { environment }) => environment === 'sandbox',
  create({ environment, pages, ...context }) {
    if (environment !== 'sandbox') return null;
    const card = createSandboxProvider(context);
    const push = createSandboxPushProvider(context);
    return {
      card,
      push,
      routes: ({ onOutcome, onPayment }) => [
        issuerRoutes({ provider: card, render: pages.renderIssuerPage, onOutcome }),
        simulatorRoutes({ provider: push, render: pages.renderSimulatorPage, onPayment }),
      ],
      jobs: ({ onOutcome, onPayment }) => [push.createLateJob(onPayment), card.createNotificationJob(onOutcome)],
    };
  },
};
