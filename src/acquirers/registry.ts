import type { Hono } from 'hono';
import type { PaymentMethod } from '../api/method-catalogue.ts';
import type { Database } from '../database/database.ts';
import type { HttpEnv } from '../http/context.ts';
import type { Job } from '../jobs/runner.ts';
import type { Clock } from '../system/clock.ts';
import type { Environment, SettingsOf } from '../system/settings.ts';
import { type ChainName, chainNames } from '../shared/crypto-currency.ts';
import type { SupportsMethod } from '../methods/availability.ts';
import type { Metrics } from '../system/metrics.ts';
import type { Random } from '../system/random.ts';
import { createAcquirerCalls } from './calls.ts';
import type { CardAcquirer, OutcomeListener } from './port.ts';
import type { PushPaymentListener, PushAcquirer } from './push-port.ts';
import { sandbox } from './sandbox/index.ts';
import type { RenderIssuerPage, RenderSimulatorPage } from './sandbox/routes.ts';

/** All acquirers: a new one adds its adapter here. */
const adapters: readonly Adapter[] = [sandbox];

/** Pages of the sandbox's simulated issuer and bank. */
export interface AcquirerPages {
  renderIssuerPage: RenderIssuerPage;
  renderSimulatorPage: RenderSimulatorPage;
}

/** Adapters report outcomes and receipts here: from a webhook, the buyer's return, or a poll. */
export interface AcquirerListeners {
  onOutcome: OutcomeListener;
  onPushPayment: PushPaymentListener;
}

/** An acquirer's adapter, exported by its folder. */
export interface Adapter<Options = unknown> {
  /** The acquirer's settings. Their values are passed as `options`. */
  settings?: SettingsOf<Options>;
  /** Returns null when this installation does not use the acquirer. */
  create(context: AcquirerContext, options: Options): Acquirer | null;
  /** Tells whether these settings support a method. Commands call it, since they start no acquirer. */
  supports(method: PaymentMethod, config: { environment: Environment }, options: Options): boolean;
}

/** Option values by adapter. */
export type AcquirerOptions = ReadonlyMap<Adapter, unknown>;

/** The settings of all acquirers. */
export const acquirerSettings: SettingsOf<AcquirerOptions> = {
  declared: Object.assign({}, ...adapters.map(({ settings }) => settings?.declared)),
  read: (values) => new Map(adapters.map((adapter) => [adapter, adapter.settings?.read(values)])),
};

/** The ports that an acquirer implements, with its routes and jobs. */
export interface Acquirer {
  card?: CardAcquirer;
  push?: PushAcquirer;
  routes?(listeners: AcquirerListeners): readonly Hono<HttpEnv>[];
  jobs?(listeners: AcquirerListeners): readonly Job[];
}

/** Dependencies of adapters. */
export interface AcquirerContext {
  database: Database;
  clock: Clock;
  random: Random;
  publicUrl: string;
  environment: Environment;
  pages: AcquirerPages;
}

/** Acquirers by kind of payment. */
export interface Acquirers {
  /** Charges cards; null without a card acquirer. */
  card: CardAcquirer | null;
  /** For push payments: the first that supports a method is used. */
  push: readonly PushAcquirer[];
}

/** Creates the acquirers that this installation uses. */
export function createAcquirers(context: AcquirerContext, options: AcquirerOptions): readonly Acquirer[] {
  return adapters.flatMap((adapter) => adapter.create(context, options.get(adapter)) ?? []);
}

/** Returns a predicate for the payment methods that these settings support. */
export function createMethodSupport(
  config: { environment: Environment; acquirers: AcquirerOptions } & Readonly<Record<ChainName, unknown>>,
): SupportsMethod {
  const hasChain = chainNames.some((name) => config[name] !== null);
  return (method) =>
    adapters.some((adapter) => adapter.supports(method, config, config.acquirers.get(adapter))) ||
    (method.action === 'crypto' && hasChain);
}

/** Connects the adapters to payments: every call is measured and has a timeout. */
export function connectAcquirers(
  all: readonly Acquirer[],
  { metrics, wrapCard = (card) => card }: { metrics: Metrics; wrapCard?: (card: CardAcquirer) => CardAcquirer },
): Acquirers {
  const calls = createAcquirerCalls({ metrics });
  const [card] = all.flatMap((acquirer) => acquirer.card ?? []);
  return {
    card: card ? calls.wrapCardAcquirer(wrapCard(card)) : null,
    push: all.flatMap((acquirer) => (acquirer.push ? [calls.wrapPushAcquirer(acquirer.push)] : [])),
  };
}

/** Returns the acquirer for a push payment method; null when none supports it. */
export function pushAcquirerFor({ push }: Acquirers, method: PaymentMethod): PushAcquirer | null {
  return push.find((acquirer) => acquirer.supports(method)) ?? null;
}

/** Tells whether an acquirer of this installation supports a method. */
export function isSupported(acquirers: Acquirers, method: PaymentMethod): boolean {
  return method.action === 'card' ? acquirers.card !== null : pushAcquirerFor(acquirers, method) !== null;
}
