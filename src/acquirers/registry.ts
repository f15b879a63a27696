import type { Hono } from 'hono';
import type { PaymentMethod } from '../api/method-catalogue.ts';
import type { Database } from '../database/database.ts';
import type { HttpEnv } from '../http/context.ts';
import type { Job } from '../jobs/runner.ts';
import type { Clock } from '../system/clock.ts';
import type { Environment } from '../system/config.ts';
import type { Metrics } from '../system/metrics.ts';
import type { Random } from '../system/random.ts';
import { createProviderCalls } from './calls.ts';
import type { CardProvider, OutcomeListener } from './port.ts';
import type { PushListener, PushProvider } from './push-port.ts';
import { createSandbox } from './sandbox/index.ts';
import type { RenderIssuerPage, RenderSimulatorPage } from './sandbox/routes.ts';

/** One line for each acquirer. */
const adapters: readonly CreateAcquirer[] = [createSandbox];

/** Pages of the sandbox's issuer and bank. */
export interface AcquirerPages {
  renderIssuerPage: RenderIssuerPage;
  renderSimulatorPage: RenderSimulatorPage;
}

/** Where adapters report what they learn by themselves: a webhook, a return of the buyer, a poll. */
export interface AcquirerListeners {
  onOutcome: OutcomeListener;
  onPayment: PushListener;
}

/** An adapter: what it moves, and the routes and jobs that it needs for that. */
export interface Acquirer {
  card?: CardProvider;
  push?: PushProvider;
  routes?(listeners: AcquirerListeners): readonly Hono<HttpEnv>[];
  jobs?(listeners: AcquirerListeners): readonly Job[];
}

/** Creates an adapter; null where this installation is not set up for it. */
export type CreateAcquirer = (context: {
  database: Database;
  clock: Clock;
  random: Random;
  publicUrl: string;
  environment: Environment;
  pages: AcquirerPages;
}) => Acquirer | null;

/** The acquirers that payments go through. */
export interface Acquirers {
  /** Charges cards; null where none does. */
  card: CardProvider | null;
  /** For push payments; the first that supports a method gets it. */
  push: readonly PushProvider[];
}

/** The adapters that this installation is set up for. */
export function createAcquirers(context: Parameters<CreateAcquirer>[0]): readonly Acquirer[] {
  return adapters.flatMap((create) => create(context) ?? []);
}

/** Payments' view of the adapters: every call is measured and ends in time. */
export function connectAcquirers(
  all: readonly Acquirer[],
  { metrics, wrapCard = (card) => card }: { metrics: Metrics; wrapCard?: (card: CardProvider) => CardProvider },
): Acquirers {
  const calls = createProviderCalls({ metrics });
  const [card] = all.flatMap((acquirer) => acquirer.card ?? []);
  return {
    card: card ? calls.ofCardProvider(wrapCard(card)) : null,
    push: all.flatMap((acquirer) => (acquirer.push ? [calls.ofPushProvider(acquirer.push)] : [])),
  };
}

/** The acquirer of a push payment; null where none supports the method. */
export function pushAcquirerFor({ push }: Acquirers, method: PaymentMethod): PushProvider | null {
  return push.find((acquirer) => acquirer.carries(method)) ?? null;
}

/** Whether a method can be paid here. */
export function supports(acquirers: Acquirers, method: PaymentMethod): boolean {
  return method.action === 'card' ? acquirers.card !== null : pushAcquirerFor(acquirers, method) !== null;
}
