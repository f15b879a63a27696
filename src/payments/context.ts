import type { Outbox } from '../webhooks/outbox.ts';
import type { SupportsMethod } from '../methods/availability.ts';
import type { CurrencyRates } from '../rates/port.ts';
import type { Clock } from '../system/clock.ts';
import type { Database } from '../database/database.ts';
import type { EnforceRateLimit } from '../http/rate-limits.ts';
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

/** Dependencies of payments. */
export interface PaymentsContext {
  database: Database;
  clock: Clock;
  random: Random;
  log: Log;
  metrics: Metrics;
  outbox: Outbox;
  rates: CurrencyRates;
  supportsMethod: SupportsMethod;
  merchantTerms: MerchantTerms;
  transactionWriter: TransactionWriter;
  clientTokens: ClientTokens;
  enforceRateLimit: EnforceRateLimit;
  proofOfWork: ProofOfWork;
  acquirers: Acquirers;
  publicUrl: string;
  isSandbox: boolean;
}

/** Returns the acquirer of an attempt. Returns null, and logs it, when the acquirer is no longer set up. */
export function cardAcquirerOf(context: PaymentsContext, attempt: CardAttempt): CardAcquirer | null {
  const { card } = context.acquirers;
  if (card?.name === attempt.provider) return card;
  context.log.error({ provider: attempt.provider }, 'card attempt needs an acquirer that is not set up');
  return null;
}

/** Finds a push acquirer by name. Returns null, and logs it, when the acquirer is no longer set up. */
export function findPushAcquirer({ acquirers, log }: PaymentsContext, name: string): PushAcquirer | null {
  const acquirer = acquirers.push.find((each) => each.name === name);
  if (!acquirer) log.error({ provider: name }, 'push payment needs an acquirer that is not set up');
  return acquirer ?? null;
}

/** URL of a transaction's card form, for a frame on the merchant's page. */
export function embedUrl(context: Pick<PaymentsContext, 'publicUrl'>, linkId: string): string {
  return `${context.publicUrl}/e/${linkId}`;
}

/** URL of a transaction's link page. */
export function linkUrl(context: Pick<PaymentsContext, 'publicUrl'>, linkId: string): string {
  return context.publicUrl + linkPath(linkId);
}

export function linkPath(linkId: string): string {
  return `/p/${linkId}`;
}

/** Query of the link page after a payment: the page shows its confirmation. */
export const PAID_RETURN_QUERY = '?paid=1';
