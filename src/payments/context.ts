import type { Mailer } from '../mail/outbox.ts';
import type { Outbox } from '../webhooks/outbox.ts';
import type { SupportsMethod } from '../methods/availability.ts';
import type { CurrencyRates } from '../rates/port.ts';
import type { Clock } from '../system/clock.ts';
import type { Database } from '../database/database.ts';
import type { EnforceRateLimit } from '../http/rate-limits.ts';
import type { Log } from '../system/log.ts';
import type { Metrics } from '../system/metrics.ts';
import type { Eraser } from '../system/eraser.ts';
import type { Random } from '../system/random.ts';
import type { CardAcquirer, ChargeKey } from '../acquirers/port.ts';
import type { Acquirers } from '../acquirers/registry.ts';
import type { PushAcquirer, PushPaymentKey } from '../acquirers/push-port.ts';
import type { ProofOfWork } from './card/proof-of-work.ts';
import type { ClientTokens } from './links/client-token.ts';
import type { TransactionWriter } from './transaction-writer.ts';
import type { MerchantTerms } from './merchant-terms.ts';
import type { CardAttempt, FiatTransaction, PaymentInstructions } from './schema.ts';

/** Dependencies of payments. */
export interface PaymentsContext {
  database: Database;
  clock: Clock;
  random: Random;
  log: Log;
  metrics: Metrics;
  outbox: Outbox;
  mailer: Mailer;
  rates: CurrencyRates;
  supportsMethod: SupportsMethod;
  merchantTerms: MerchantTerms;
  transactionWriter: TransactionWriter;
  clientTokens: ClientTokens;
  enforceRateLimit: EnforceRateLimit;
  proofOfWork: ProofOfWork;
  acquirers: Acquirers;
  /** Erases a payer's data from the crypto payments with these instructions. */
  eraseCryptoPayments(
    database: Database,
    payments: { merchantId: number; instructionsKeys: readonly string[]; erase: Eraser },
  ): Promise<void>;
  publicUrl: string;
  isSandbox: boolean;
}

/** Returns the card port of an attempt's account. Returns null, and logs it, when the account is no longer set up. */
export function cardAcquirerOf({ acquirers, log }: PaymentsContext, attempt: CardAttempt): CardAcquirer | null {
  const card = acquirers.find(attempt.accountKey)?.card;
  if (!card) log.error({ account: attempt.accountKey }, 'card attempt needs an acquirer account that is not set up');
  return card ?? null;
}

/** Returns the push port of an account. Returns null, and logs it, when the account is no longer set up. */
export function pushAcquirerOf(
  { acquirers, log }: PaymentsContext,
  { accountKey }: Pick<PaymentInstructions, 'accountKey'>,
): PushAcquirer | null {
  const push = acquirers.find(accountKey)?.push;
  if (!push) log.error({ account: accountKey }, 'push payment needs an acquirer account that is not set up');
  return push ?? null;
}

/** Identifies an attempt's charge to its acquirer. */
export function chargeKeyOf(
  { attemptKey, acquirerReference, amountMinor }: CardAttempt,
  { currency }: Pick<FiatTransaction, 'currency'>,
): ChargeKey {
  return { attemptKey, reference: acquirerReference, amountMinor, currency };
}

/** Identifies a push payment to its acquirer. */
export function pushKeyOf(
  { instructionsKey, acquirerReference, amountMinor }: PaymentInstructions,
  { currency }: Pick<FiatTransaction, 'currency'>,
): PushPaymentKey {
  return { instructionsKey, acquirerReference, amountMinor, currency };
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

/** Query string of the link page after a payment: the page then shows the confirmation. */
export const PAID_RETURN_QUERY = '?paid=1';
