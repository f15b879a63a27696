/*
 * Map of this folder: `card-acquirer.ts` simulates card payments using the test cards in `scenarios.ts`,
 * `push-acquirer.ts` simulates local methods, and `refunds.ts` simulates refunds; `schema.ts` declares their tables.
 * `routes.ts` serves the pages of the simulated issuer and bank. Reasons: docs/decisions/acquirers.md.
 */

import { z } from 'zod';
import { paymentMethods } from '../../methods/catalog.ts';
import { DAY } from '../../shared/time.ts';
import type { Adapter } from '../adapter.ts';
import { createSandboxCardAcquirer } from './card-acquirer.ts';
import { createSandboxPushAcquirer } from './push-acquirer.ts';
import { issuerRoutes, simulatorRoutes } from './routes.ts';

/** The simulated acquirer of the sandbox. It offers every method and stores its records in separate tables. */
export const sandbox: Adapter<null> = {
  name: 'sandbox',
  displayName: 'Sandbox',
  builtIn: 'sandbox',
  credentials: [],
  credentialsSchema: z.null(),
  capabilities: paymentMethods
    .filter(({ action }) => action !== 'crypto')
    .map(({ code, action }) => ({
      method: code,
      countries: 'all',
      currencies: 'all',
      refunds: 'partial',
      ...(action === 'card' && { manualCapture: { validity: 7 * DAY } }),
      latePayments: true,
      payerFields: [],
    })),
  connect: (account) => ({
    card: createSandboxCardAcquirer(account),
    push: createSandboxPushAcquirer(account),
    check: () => Promise.resolve({ result: 'ok', detail: 'The sandbox needs no credentials.' }),
  }),
  inProcess({ pages, notify, ...context }) {
    const card = createSandboxCardAcquirer(context);
    const push = createSandboxPushAcquirer(context);
    return {
      routes: [
        issuerRoutes({ acquirer: card, render: pages.renderIssuerPage, notify }),
        simulatorRoutes({ acquirer: push, render: pages.renderSimulatorPage, notify }),
      ],
      jobs: [push.createLatePaymentJob(notify), card.createNotificationJob(notify)],
    };
  },
};
