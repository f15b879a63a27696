/* Generated from the folders `migrations/` by `npm run generate`. */
import type { Migration } from 'kysely/migration';
import type { Engine } from '../database/engine.ts';
import { firstTables } from './0001-first-tables.ts';
import { pushPayments } from './0002-push-payments.ts';
import { confirmations } from './0003-confirmations.ts';
import { buyers } from '../payments/migrations/0004-buyers.ts';
import { prices } from '../payments/migrations/0005-prices.ts';
import { limits } from '../http/migrations/0006-limits.ts';
import { idempotency } from '../operations/migrations/0007-idempotency.ts';
import { eventLog } from '../webhooks/migrations/0008-event-log.ts';
import { callbackCare } from '../webhooks/migrations/0009-callback-care.ts';
import { clients } from '../auth/migrations/0010-clients.ts';
import { formerLinks } from '../payments/migrations/0011-former-links.ts';
import { eventPositions } from '../webhooks/migrations/0012-event-positions.ts';
import { refunds } from './0013-refunds.ts';
import { callbackReceivers } from '../webhooks/migrations/0014-callback-receivers.ts';
import { invoices } from './0015-invoices.ts';
import { simulatedChains } from '../chains/simulated/migrations/0016-simulated-chains.ts';
import { withdrawals } from './0017-withdrawals.ts';
import { coinPayments } from './0018-coin-payments.ts';
import { balances } from './0019-balances.ts';
import { people } from './0020-people.ts';
import { accountReads } from './0021-account-reads.ts';
import { decisions } from '../payments/migrations/0022-decisions.ts';
import { holdings } from './0023-holdings.ts';
import { outOfBand } from '../payments/migrations/0024-out-of-band.ts';
import { resetInvitations } from '../auth/migrations/0025-reset-invitations.ts';
import { tokenCreators } from '../auth/migrations/0026-token-creators.ts';
import { stepUp } from '../auth/migrations/0027-step-up.ts';
import { callbackUrlChanges } from './0028-callback-url-changes.ts';
import { heldWithdrawals } from '../withdrawals/migrations/0030-held-withdrawals.ts';
import { hashedRequestNames } from './0032-hashed-request-names.ts';
import { disabledMethods } from '../methods/migrations/0033-disabled-methods.ts';
import { amountsAcrossCurrencies } from '../payments/migrations/0034-amounts-across-currencies.ts';
import { environmentMark } from './0035-environment-mark.ts';
import { auditActors } from '../audit/migrations/0036-audit-actors.ts';
import { parentTokens } from '../auth/migrations/0046-parent-tokens.ts';
import { reversedDeposits } from './0050-reversed-deposits.ts';
import { addressSafety } from './0051-address-safety.ts';
import { writeOffs } from './0052-write-offs.ts';
import { ledger } from './0055-ledger.ts';
import { cancelledWithdrawals } from './0060-cancelled-withdrawals.ts';
import { settledDifferences } from './0061-settled-differences.ts';
import { dueCoinPayments } from '../invoices/migrations/0062-due-coin-payments.ts';
import { eventSubjects } from '../webhooks/migrations/0063-event-subjects.ts';
import { webhookEndpoints } from '../webhooks/migrations/0064-webhook-endpoints.ts';
import { deposits } from './0065-deposits.ts';
import { renamedCodes } from './0066-renamed-codes.ts';
import { acquirerReferences } from '../payments/migrations/0067-acquirer-references.ts';
import { acquirerAccounts } from '../acquirers/migrations/0068-acquirer-accounts.ts';
import { rates } from '../rates/migrations/0070-rates.ts';
import { rateSources } from '../payments/migrations/0071-rate-sources.ts';
import { rateLocks } from '../invoices/migrations/0072-rate-locks.ts';
import { disputes } from '../payments/migrations/0073-disputes.ts';
import { acquirerHealth } from '../acquirers/migrations/0074-acquirer-health.ts';
import { payers } from '../payments/migrations/0080-payers.ts';
import { attemptPayers } from '../payments/migrations/0085-attempt-payers.ts';
import { lineItems } from '../payments/migrations/0086-line-items.ts';
import { invoiceDescriptions } from '../invoices/migrations/0091-invoice-descriptions.ts';
import { severalEndpoints } from '../webhooks/migrations/0094-several-endpoints.ts';
import { pendingNotifications } from '../acquirers/migrations/0100-pending-notifications.ts';
import { linkLifetimes } from '../payments/migrations/0105-link-lifetimes.ts';
import { merchantLogos } from '../merchants/migrations/0110-merchant-logos.ts';
import { reusableLinks } from '../payments/migrations/0115-reusable-links.ts';
import { webhookTraces } from '../webhooks/migrations/0125-webhook-traces.ts';
import { payerCleanup } from '../payments/migrations/0126-payer-cleanup.ts';
import { storedHealth } from '../acquirers/migrations/0130-stored-health.ts';
import { retentionIndexes } from '../webhooks/migrations/0131-retention-indexes.ts';
import { metadata } from '../payments/migrations/0132-metadata.ts';
import { invoiceMetadata } from '../invoices/migrations/0133-invoice-metadata.ts';
import { updatedSince } from './0134-updated-since.ts';
import { authorizations } from '../payments/migrations/0137-authorizations.ts';
import { sandboxCaptures } from '../acquirers/migrations/0138-sandbox-captures.ts';
import { mails } from '../mail/migrations/0142-mails.ts';
import { languages } from '../auth/migrations/0143-languages.ts';
import { merchantMoves } from './0147-merchant-moves.ts';
import { givenPayers } from '../payments/migrations/0153-given-payers.ts';
import { statisticsRollUp } from '../payments/migrations/0155-statistics-roll-up.ts';
import { amountsOfAllCurrencies } from '../payments/migrations/0156-amounts-of-all-currencies.ts';
import { statisticsRebuild } from '../payments/migrations/0158-statistics-rebuild.ts';
import { instructionsInReview } from '../payments/migrations/0159-instructions-in-review.ts';
import { proposedRates } from '../rates/migrations/0160-proposed-rates.ts';
import { attemptsByPayment } from '../payments/migrations/0161-attempts-by-payment.ts';
import { walletsByBalance } from '../wallets/migrations/0162-wallets-by-balance.ts';
import { reportedResults } from '../payments/migrations/0163-reported-results.ts';
import { reviewDecisions } from '../invoices/migrations/0164-review-decisions.ts';
import { payerLastNames } from '../payments/migrations/0165-payer-last-names.ts';

/** In the order of their names; a migration that was released is never changed. */
export function migrations(engine: Engine): Record<string, Migration> {
  return {
    '0001-first-tables': firstTables(engine),
    '0002-push-payments': pushPayments(engine),
    '0003-confirmations': confirmations,
    '0004-buyers': buyers,
    '0005-prices': prices,
    '0006-limits': limits,
    '0007-idempotency': idempotency,
    '0008-event-log': eventLog(engine),
    '0009-callback-care': callbackCare,
    '0010-clients': clients(engine),
    '0011-former-links': formerLinks,
    '0012-event-positions': eventPositions(engine),
    '0013-refunds': refunds(engine),
    '0014-callback-receivers': callbackReceivers,
    '0015-invoices': invoices(engine),
    '0016-simulated-chains': simulatedChains(engine),
    '0017-withdrawals': withdrawals(engine),
    '0018-coin-payments': coinPayments(engine),
    '0019-balances': balances,
    '0020-people': people(engine),
    '0021-account-reads': accountReads(engine),
    '0022-decisions': decisions,
    '0023-holdings': holdings,
    '0024-out-of-band': outOfBand,
    '0025-reset-invitations': resetInvitations,
    '0026-token-creators': tokenCreators,
    '0027-step-up': stepUp,
    '0028-callback-url-changes': callbackUrlChanges(engine),
    '0030-held-withdrawals': heldWithdrawals,
    '0032-hashed-request-names': hashedRequestNames,
    '0033-disabled-methods': disabledMethods,
    '0034-amounts-across-currencies': amountsAcrossCurrencies,
    '0035-environment-mark': environmentMark,
    '0036-audit-actors': auditActors,
    '0046-parent-tokens': parentTokens,
    '0050-reversed-deposits': reversedDeposits,
    '0051-address-safety': addressSafety(engine),
    '0052-write-offs': writeOffs,
    '0055-ledger': ledger(engine),
    '0060-cancelled-withdrawals': cancelledWithdrawals,
    '0061-settled-differences': settledDifferences,
    '0062-due-coin-payments': dueCoinPayments,
    '0063-event-subjects': eventSubjects(engine),
    '0064-webhook-endpoints': webhookEndpoints(engine),
    '0065-deposits': deposits,
    '0066-renamed-codes': renamedCodes,
    '0067-acquirer-references': acquirerReferences,
    '0068-acquirer-accounts': acquirerAccounts(engine),
    '0070-rates': rates(engine),
    '0071-rate-sources': rateSources,
    '0072-rate-locks': rateLocks,
    '0073-disputes': disputes(engine),
    '0074-acquirer-health': acquirerHealth,
    '0080-payers': payers,
    '0085-attempt-payers': attemptPayers(engine),
    '0086-line-items': lineItems,
    '0091-invoice-descriptions': invoiceDescriptions,
    '0094-several-endpoints': severalEndpoints,
    '0100-pending-notifications': pendingNotifications,
    '0105-link-lifetimes': linkLifetimes,
    '0110-merchant-logos': merchantLogos,
    '0115-reusable-links': reusableLinks(engine),
    '0125-webhook-traces': webhookTraces,
    '0126-payer-cleanup': payerCleanup,
    '0130-stored-health': storedHealth,
    '0131-retention-indexes': retentionIndexes,
    '0132-metadata': metadata(engine),
    '0133-invoice-metadata': invoiceMetadata(engine),
    '0134-updated-since': updatedSince,
    '0137-authorizations': authorizations(engine),
    '0138-sandbox-captures': sandboxCaptures,
    '0142-mails': mails(engine),
    '0143-languages': languages,
    '0147-merchant-moves': merchantMoves,
    '0153-given-payers': givenPayers(engine),
    '0155-statistics-roll-up': statisticsRollUp(engine),
    '0156-amounts-of-all-currencies': amountsOfAllCurrencies,
    '0158-statistics-rebuild': statisticsRebuild,
    '0159-instructions-in-review': instructionsInReview,
    '0160-proposed-rates': proposedRates,
    '0161-attempts-by-payment': attemptsByPayment,
    '0162-wallets-by-balance': walletsByBalance,
    '0163-reported-results': reportedResults,
    '0164-review-decisions': reviewDecisions,
    '0165-payer-last-names': payerLastNames(engine),
  };
}
