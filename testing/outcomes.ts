import type { texts } from './texts.ts';

/** Outcome of a payment, named like the events of `<pay-form>`: `pay-success` and so on. */
export type Outcome = 'success' | 'pending' | 'challenge' | 'decline' | 'cancel' | 'error';

/** Titles that identify an outcome. No title belongs to two outcomes. */
export function outcomeTitles(language: typeof texts): Record<Outcome, string[]> {
  const { phases, decline, problems, issuer, frame, sent, received, ended, invoice, restricted } = language;
  return {
    success: [phases.paid.title, phases.paid.already_title],
    pending: [
      phases.checking.title,
      sent.confirmations_title,
      sent.overpaid_title,
      // The buyer can still pay the rest.
      received.title,
      // The full amount arrived after the payment had failed.
      invoice.review_title,
    ],
    challenge: [phases.challenge.title, issuer.title],
    decline: [decline.title],
    cancel: [decline.titles.authentication_abandoned, phases.cancelled.title],
    error: [
      problems.title,
      ...Object.values(problems.titles),
      phases.expired.title,
      frame.expired_title,
      ended.expired_title,
      ended.refused_title,
      phases.failed.title,
      // The payment has ended, and only a part was paid.
      sent.underpaid_title,
      invoice.refunding_title,
      invoice.refunded_title,
      phases.restricted.title,
      restricted.unknown_title,
    ],
  };
}
