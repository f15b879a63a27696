import type { Outbox } from '../callbacks/outbox.ts';
import type { CanCarry } from '../methods/availability.ts';
import type { RateSource } from '../methods/rates.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { RequireWithin } from '../platform/http/limits.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Random } from '../platform/random.ts';
import type { CardProvider } from '../providers/port.ts';
import type { PushProvider } from '../providers/push-port.ts';
import type { Challenges } from './challenges.ts';
import type { ClientTokens } from './client-token.ts';
import type { NewTransactions } from './new-transactions.ts';
import type { Terms } from './terms.ts';
import type { CardAttempt } from './transaction.ts';

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
  requireWithin: RequireWithin;
  challenges: Challenges;
  /** Carries cards; null when this installation has no provider. */
  cardProvider: CardProvider | null;
  /** Carries what buyers send by themselves; null when this installation has no provider. */
  pushProvider: PushProvider | null;
  publicUrl: string;
  sandbox: boolean;
}

/** The provider that an attempt was made with; null, and told, when this installation no longer has it. */
export function providerOf(context: PaymentsContext, attempt: CardAttempt): CardProvider | null {
  if (context.cardProvider?.name === attempt.provider) return context.cardProvider;
  context.log.error({ provider: attempt.provider }, 'an attempt waits for a provider that is not set up');
  return null;
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
