import { withdrawalAuditSubjects } from './withdrawals/audit-subjects.ts';
import { walletAuditSubjects } from './wallets/audit-subjects.ts';
import { invoiceAuditSubjects } from './invoices/audit-subjects.ts';
import { paymentAuditSubjects } from './payments/audit-subjects.ts';
import { methodAuditSubjects } from './methods/audit-subjects.ts';
import { authAuditSubjects } from './auth/audit-subjects.ts';
import { merchantAuditSubjects } from './merchants/audit-subjects.ts';
import { webhookAuditSubjects } from './webhooks/audit-subjects.ts';
import { acquirerAuditSubjects } from './acquirers/audit-subjects.ts';
import type { AuditSubjects } from './audit/recorder.ts';
import type { AccountStore } from './acquirers/account-store.ts';
import type { Database } from './database/database.ts';
import { cryptoTransactionSubject } from './invoices/store.ts';
import { fiatTransactionSubject } from './payments/store.ts';
import type { EventSubjects } from './webhooks/subject.ts';
import { callbackUrlChangeSubject } from './webhooks/url-changes.ts';
import { withdrawalDestinationSubject, withdrawalSubject } from './withdrawals/store.ts';

/** The subjects of every audited operation. */
export function auditSubjects(database: Database, accountStore: Pick<AccountStore, 'readCredentials'>): AuditSubjects {
  return {
    ...merchantAuditSubjects(database),
    ...authAuditSubjects(database),
    ...methodAuditSubjects(database),
    ...paymentAuditSubjects(database),
    ...invoiceAuditSubjects(database),
    ...walletAuditSubjects(database),
    ...withdrawalAuditSubjects(database),
    ...acquirerAuditSubjects(database, accountStore),
    ...webhookAuditSubjects(database),
  };
}

/** The subjects of events, by kind. */
export const eventSubjects: EventSubjects = {
  fiat_transaction: fiatTransactionSubject,
  crypto_transaction: cryptoTransactionSubject,
  withdrawal: withdrawalSubject,
  withdrawal_destination: withdrawalDestinationSubject,
  callback_url_change: callbackUrlChangeSubject,
};
