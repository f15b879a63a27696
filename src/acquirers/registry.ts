import type { CurrencyCode } from '../api/currency.ts';
import type { PaymentMethod } from '../api/method-catalogue.ts';
import { type ChainName, chainNames } from '../shared/crypto-currency.ts';
import type { SupportsMethod } from '../methods/availability.ts';
import type { Environment } from '../system/settings.ts';
import type { Ability, Adapter, Connection, LocalAcquirer, LocalContext } from './adapter.ts';
import { adyen } from './adyen/index.ts';
import type { AccountHealth } from './health.ts';
import { hyperswitch } from './hyperswitch/index.ts';
import { sandbox } from './sandbox/index.ts';
import { xendit } from './xendit/index.ts';

/** All acquirers: a new one adds its adapter here. */
export const adapters: readonly Adapter[] = [sandbox, hyperswitch, adyen, xendit];

/** A connected account of an acquirer. */
export interface AcquirerAccount extends Connection {
  /** Identifies the account in attempts, payment instructions and refunds. */
  key: string;
  /** Name of its adapter. */
  adapter: string;
  abilities: readonly Ability[];
  /** Figures of its calls by this process. */
  health?(): AccountHealth;
}

/** The part of a payment that its acquirer is chosen by. */
export interface RouteQuery {
  merchantId: number;
  method: PaymentMethod;
  /** ISO 3166-1 alpha-3; absent for any country. */
  country?: string;
  currency: CurrencyCode;
}

export interface Acquirers {
  /** Returns the accounts that can take a payment, best first. */
  route(payment: RouteQuery): readonly AcquirerAccount[];
  /** Finds an account, also one that takes no new payments; null if it is not set up. */
  find(key: string): AcquirerAccount | null;
}

/** Finds what an account can do for a payment; null if it cannot take it. */
export function findAbility({ abilities }: Pick<AcquirerAccount, 'abilities'>, payment: RouteQuery): Ability | null {
  const { method, country, currency } = payment;
  return (
    abilities.find(
      (ability) =>
        ability.method === method.code &&
        (country === undefined || ability.countries === 'all' || ability.countries.includes(country)) &&
        (ability.currencies === 'all' || ability.currencies.includes(currency)),
    ) ?? null
  );
}

/** Connects the accounts that an environment has without set-up. */
export function builtInAccounts(
  environment: Environment,
  context: Omit<LocalContext, 'notify' | 'pages'>,
): AcquirerAccount[] {
  return adapters.flatMap((adapter) => {
    if (adapter.builtIn !== environment) return [];
    const key = adapter.name;
    const connection = adapter.connect({
      ...context,
      credentials: null,
      environment,
      fetch,
      webhookUrl: `${context.publicUrl}${webhookPath(key)}`,
    });
    return [{ key, adapter: adapter.name, abilities: adapter.abilities, ...connection }];
  });
}

/** Path that an account's webhooks are posted to. */
export function webhookPath(accountKey: string): string {
  return `/acquirers/${accountKey}/webhooks`;
}

/** Pages and jobs of acquirers that run in our process, with an account in this environment. */
export function localAcquirers(
  environment: Environment,
  context: Omit<LocalContext, 'notify'> & { notify: (accountKey: string) => LocalContext['notify'] },
): LocalAcquirer[] {
  return adapters.flatMap(({ builtIn, name, local }) =>
    builtIn === environment && local ? [local({ ...context, notify: context.notify(name) })] : [],
  );
}

/** Tells whether an account can take a payment, for commands, which connect no accounts. */
export function createMethodSupport(
  config: { environment: Environment } & Readonly<Record<ChainName, unknown>>,
): SupportsMethod {
  const hasChain = chainNames.some((name) => config[name] !== null);
  const builtIn = adapters.filter((adapter) => adapter.builtIn === config.environment);
  return (payment) =>
    builtIn.some((adapter) => findAbility(adapter, payment) !== null) ||
    (payment.method.action === 'crypto' && hasChain);
}
