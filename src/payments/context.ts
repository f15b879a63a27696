import type { Outbox } from '../webhooks/outbox.ts';
import type { CanCarry } from '../methods/availability.ts';
import type { RateSource } from '../rates/table.ts';
import type { Clock } from '../system/clock.ts';
import type { Database } from '../database/database.ts';
import type { EnforceRateLimit } from '../http/rate-limits.ts';
import type { Log } from '../system/log.ts';
import type { Metrics } from '../system/metrics.ts';
import type { Random } from '../system/random.ts';
import type { CardProvider } from '../acquirers/port.ts';
import type { Acquirers } from '../acquirers/registry.ts';
import type { PushProvider } from '../acquirers/push-port.ts';
import type { Challenges } from './card/proof-of-work.ts';
import type { ClientTokens } from './links/client-token.ts';
import type { NewTransactions } from './new-transactions.ts';
import type { Terms } from './terms.ts';
import type { CardAttempt } from './schema.ts';

/** What payments stand on; everything from outside is passed in. */
export interface PaymentsContext {
  database: Database;
  clock: Clock;
  random: Random;
  log: Log;
  metrics: Metrics;
  outbox: Outbox;
  rates: RateSource;
  canCarry: CanCarry;
  terms: Terms;
  newTransactions: NewTransactions;
  clientTokens: ClientTokens;
  enforceRateLimit: EnforceRateLimit;
  challenges: Challenges;
  acquirers: Acquirers;
  publicUrl: string;
  sandbox: boolean;
}

/** The provider that an attempt was made with; null, and told, when this installation no longer has it. */
export function providerOf(context: PaymentsContext, attempt: CardAttempt): CardProvider | null {
  const { card } = context.acquirers;
  if (card?.name === attempt.provider) return card;
  context.log.error({ provider: attempt.provider }, 'an attempt waits for a provider that is not set up');
  return null;
}

/** A provider by its name; null, and told, when this installation no longer has it. */
export function pushProviderNamed({ acquirers, log }: PaymentsContext, name: string): PushProvider | null {
  const found = acquirers.push.find((provider) => provider.name === name);
  if (!found) log.error({ provider: name }, 'what was begun waits for a provider that is not set up');
  return found ?? null;
}

/** The card form of a transaction, for a frame on the merchant's page. */
export function embedUrl(context: Pick<PaymentsContext, 'publicUrl'>, linkId: string): string {
  return `${context.publicUrl}/e/${linkId}`;
}

/** The page of a transaction, for buyers. */
export function linkUrl(context: Pick<PaymentsContext, 'publicUrl'>, linkId: string): string {
  return context.publicUrl + linkPath(linkId);
}

export function linkPath(linkId: string): string {
  return `/p/${linkId}`;
}

/** Query of the link page that has it say thanks: the buyer comes from paying. */
export const CAME_FROM_PAYING = '?paid=1';
