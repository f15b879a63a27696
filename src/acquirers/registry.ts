/*
 * Map of this module: `port.ts` (cards), `push-port.ts`, `capture.ts` and `refund.ts` are the ports that the adapters
 * in `adyen/`, `hyperswitch/`, `xendit/` and `sandbox/` implement; `adapter.ts` is an adapter's declaration.
 * `directory.ts` connects the stored accounts, and its `route` lists those that may take a payment, best first.
 * `payments/card/charge.ts` tries them in turn. `calls.ts` and `health.ts` limit and measure their calls. `routes.ts`
 * receives webhooks, and `inbox.ts` stores and applies their notifications. `accounts.ts` manages accounts. Reasons:
 * docs/decisions/acquirers.md.
 */

import type { CurrencyCode } from '../api/currency.ts';
import { type ChainName, chainNames } from '../shared/crypto-currency.ts';
import type { RouteQuery, SupportsMethod } from '../methods/availability.ts';
import type { Environment } from '../system/settings.ts';
import type { MethodCapability, Adapter, Connection, InProcessAcquirer, InProcessContext } from './adapter.ts';
import { adyen } from './adyen/index.ts';
import type { AccountHealth } from './health.ts';
import { hyperswitch } from './hyperswitch/index.ts';
import { sandbox } from './sandbox/index.ts';
import { xendit } from './xendit/index.ts';

/** All acquirers. Add the adapter of a new one here. */
export const adapters: readonly Adapter[] = [sandbox, hyperswitch, adyen, xendit];

/** A connected account of an acquirer. */
export interface AcquirerAccount extends Connection {
  /** Identifies the account in attempts, payment instructions and refunds. */
  key: string;
  /** Name of its adapter. */
  adapter: string;
  capabilities: readonly MethodCapability[];
  /** True if `acquirer_accounts` has it; absent for built-in accounts. */
  isStored?: true;
  /** Health figures of this process's calls to it. */
  health?(): AccountHealth;
}

export interface Acquirers {
  /** Returns the accounts that can process a payment, best first. */
  route(payment: RouteQuery): readonly AcquirerAccount[];
  /** Finds an account, including one that accepts no new payments; null if it is not set up. */
  find(key: string): AcquirerAccount | null;
}

/** Returns the display name of an account's acquirer. */
export function displayNameOf(account: Pick<AcquirerAccount, 'adapter'> | null): string | undefined {
  return adapters.find(({ name }) => name === account?.adapter)?.displayName;
}

/** Finds an account's capability for a payment; null if it cannot process it. */
export function findCapability(
  { capabilities }: Pick<AcquirerAccount, 'capabilities'>,
  payment: RouteQuery,
): MethodCapability | null {
  const { method, country, currency, amountMinor, isManualCapture = false } = payment;
  return (
    capabilities.find(
      (capability) =>
        capability.method === method.code &&
        (country === undefined || capability.countries === 'all' || capability.countries.includes(country)) &&
        (capability.currencies === 'all' || capability.currencies.includes(currency)) &&
        (amountMinor === undefined || isWithinLimits(capability, currency, amountMinor)) &&
        (!isManualCapture || capability.manualCapture !== undefined),
    ) ?? null
  );
}

function isWithinLimits(
  { minimum, maximum, increments }: MethodCapability,
  currency: CurrencyCode,
  amountMinor: bigint,
): boolean {
  return (
    amountMinor >= (minimum?.[currency] ?? 0n) &&
    amountMinor <= (maximum?.[currency] ?? amountMinor) &&
    amountMinor % (increments?.[currency] ?? 1n) === 0n
  );
}

/** Connects the built-in accounts of an environment. */
export function builtInAccounts(
  environment: Environment,
  context: Omit<InProcessContext, 'notify' | 'pages'>,
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
    return [{ key, adapter: adapter.name, capabilities: adapter.capabilities, ...connection }];
  });
}

/** Path to which an account's webhooks are posted. */
export function webhookPath(accountKey: string): string {
  return `/acquirers/${accountKey}/webhooks`;
}

/** Pages and jobs of acquirers that run in our process, with an account in this environment. */
export function inProcessAcquirers(
  environment: Environment,
  context: Omit<InProcessContext, 'notify'> & { notify: (accountKey: string) => InProcessContext['notify'] },
): InProcessAcquirer[] {
  return adapters.flatMap(({ builtIn, name, inProcess }) =>
    builtIn === environment && inProcess ? [inProcess({ ...context, notify: context.notify(name) })] : [],
  );
}

/** True if an account can process a payment. For commands, which connect no accounts. */
export function createMethodSupport(
  config: { environment: Environment } & Readonly<Record<ChainName, unknown>>,
): SupportsMethod {
  const hasChain = chainNames.some((name) => config[name] !== null);
  const builtIn = adapters.filter((adapter) => adapter.builtIn === config.environment);
  return (payment) =>
    (payment.isStoredOnly !== true && builtIn.some((adapter) => findCapability(adapter, payment) !== null)) ||
    (payment.method.action === 'crypto' && hasChain && payment.isManualCapture !== true);
}
