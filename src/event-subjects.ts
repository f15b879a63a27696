import { cryptoTransactionSubject } from './invoices/event-subject.ts';
import { fiatTransactionSubject } from './payments/event-subject.ts';
import type { EventSubjects } from './webhooks/subject.ts';
import { callbackUrlChangeSubject } from './webhooks/url-changes.ts';
import { withdrawalDestinationSubject, withdrawalSubject } from './withdrawals/event-subjects.ts';

/** The subjects of events, each kind from the module that owns it. */
export const eventSubjects: EventSubjects = {
  fiat_transaction: fiatTransactionSubject,
  crypto_transaction: cryptoTransactionSubject,
  withdrawal: withdrawalSubject,
  withdrawal_destination: withdrawalDestinationSubject,
  callback_url_change: callbackUrlChangeSubject,
};
