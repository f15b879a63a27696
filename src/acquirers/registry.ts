import type { Hono } from 'hono';
import type { PaymentMethod } from '../api/method-catalogue.ts';
import type { Database } from '../database/database.ts';
import type { HttpEnv } from '../http/context.ts';
import type { Job } from '../jobs/runner.ts';
import type { Clock } from '../system/clock.ts';
import type { Environment, SettingsOf } from '../system/settings.ts';
import { type ChainName, chainNames } from '../shared/crypto-currency.ts';
import type { CanCarry } from '../methods/availability.ts';
import type { Metrics } from '../system/metrics.ts';
import type { Random } from '../system/random.ts';
import { createProviderCalls } from './calls.ts';
import type { CardProvider, OutcomeListener } from './port.ts';
import type { PushListener, PushProvider } from './push-port.ts';
import { sandbox } from './sandbox/index.ts';
import type { RenderIssuerPage, RenderSimulatorPage } from './sandbox/routes.ts';

/** One line for each acquirer. */
const adapters: readonly Adapter[] = [sandbox];

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

/** An acquirer's adapter, which its folder exports. */
export interface Adapter<Options = unknown> {
  /** The settings that it needs; `options` is what they say. */
  settings?: SettingsOf<Options>;
  /** Null where this installation is not set up for it. */
  create(context: AcquirerContext, options: Options): Acquirer | null;
  /** Whether it supports a method with these settings, for commands, which start no acquirer. */
  supports(method: PaymentMethod, config: { environment: Environment }, options: Options): boolean;
}

/** What the settings say for each adapter. */
export type AcquirerOptions = ReadonlyMap<Adapter, unknown>;

/** The settings of all acquirers. */
export const acquirerSettings: SettingsOf<AcquirerOptions> = {
  declared: Object.assign({}, ...adapters.map(({ settings }) => settings?.declared)),
  read: (values) => new Map(adapters.map((adapter) => [adapter, adapter.settings?.read(values)])),
};

/** What an acquirer moves, and the routes and jobs that it needs for that. */
export interface Acquirer {
  card?: CardProvider;
  push?: PushProvider;
  routes?(listeners: AcquirerListeners): readonly Hono<HttpEnv>[];
  jobs?(listeners: AcquirerListeners): readonly Job[];
}

/** What adapters are created with. */
export interface AcquirerContext {
  database: Database;
  clock: Clock;
  random: Random;
  publicUrl: string;
  environment: Environment;
  pages: AcquirerPages;
}

/** The acquirers that payments go through. */
export interface Acquirers {
  /** Charges cards; null where none does. */
  card: CardProvider | null;
  /** For push payments; the first that supports a method gets it. */
  push: readonly PushProvider[];
}

/** The acquirers that this installation is set up for. */
export function createAcquirers(context: AcquirerContext, options: AcquirerOptions): readonly Acquirer[] {
  return adapters.flatMap((adapter) => adapter.create(context, options.get(adapter)) ?? []);
}

/** The methods that an installation with these settings supports. */
export function supportedMethods(
  config: { environment: Environment; acquirers: AcquirerOptions } & Readonly<Record<ChainName, unknown>>,
): CanCarry {
  const hasChain = chainNames.some((name) => config[name] !== null);
  return (method) =>
    adapters.some((adapter) => adapter.supports(method, config, config.acquirers.get(adapter))) ||
    (method.action === 'crypto' && hasChain);
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
