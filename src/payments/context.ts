import type { Outbox } from '../webhooks/outbox.ts';
import type { SupportsMethod } from '../methods/availability.ts';
import type { RateSource } from '../rates/table.ts';
import type { Clock } from '../system/clock.ts';
import type { Database } from '../database/database.ts';
import type { RequireWithin } from '../http/rate-limits.ts';
import type { Log } from '../system/log.ts';
import type { Metrics } from '../system/metrics.ts';
import type { Random } from '../system/random.ts';
import type { CardAcquirer } from '../acquirers/port.ts';
import type { Acquirers } from '../acquirers/registry.ts';
import type { PushAcquirer } from '../acquirers/push-port.ts';
import type { ProofOfWork } from './card/proof-of-work.ts';
import type { ClientTokens } from './links/client-token.ts';
import type { TransactionWriter } from './transaction-writer.ts';
import type { MerchantTerms } from './merchant-terms.ts';
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
  supportsMethod: SupportsMethod;
  merchantTerms: MerchantTerms;
  transactionWriter: TransactionWriter;
  clientTokens: ClientTokens;
  requireWithin: RequireWithin;
  proofOfWork: ProofOfWork;
  acquirers: Acquirers;
  publicUrl: string;
  isSandbox: boolean;
}

/** The provider that an attempt was made with; null, and told, when this installation no longer has it. */
export function cardAcquirerOf(context: PaymentsContext, attempt: CardAttempt): CardAcquirer | null {
  const { card } = context.acquirers;
  if (card?.name === attempt.provider) return card;
  context.log.error({ provider: attempt.provider }, 'an attempt waits for a provider that is not set up');
  return null;
}

/** A provider by its name; null, and told, when this installation no longer has it. */
export function findPushAcquirer({ acquirers, log }: PaymentsContext, name: string): PushAcquirer | null {
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
export const PAID_RETURN_QUERY = '?paid=1';
