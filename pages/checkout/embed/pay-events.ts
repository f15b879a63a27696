import type { FromFrame } from '../../../src/shared/frame/from-frame.ts';
import { type PageView, displayedPhase } from '../store/page-view.ts';
import type { PaymentPage } from '../store/payment-page.ts';

/** Phases that are reported as errors, with the API's problem code. */
const errorCodes = {
  expired: 'link_expired',
  failed: 'link_failed',
  restricted: 'country_not_supported',
} as const;

/** Events for the merchant's page after a change of the view; `before` is null for the first view. */
export function payEvents(
  before: PageView | null,
  after: PageView,
  page: Pick<PaymentPage, 'i18n' | 'notice' | 'display'>,
): FromFrame[] {
  const { i18n } = page;
  const { state, problem } = after;
  const { reference } = state;
  const events: FromFrame[] = [];
  const error = (code: string, message: string, retryable: boolean) =>
    events.push({ type: 'pay-error', code, message, retryable, reference });
  if (!before) events.push({ type: 'pay-ready', reference });

  if (isNewDecline(before, after) && state.declined) {
    const { code, advice, retryable } = state.declined;
    // The buyer closed the challenge, so the issuer has not declined the payment.
    if (code === 'authentication_abandoned') events.push({ type: 'pay-cancel', reference, reason: 'challenge' });
    else {
      const { attemptsLeft } = state;
      events.push({ type: 'pay-decline', reference, code, advice, retryable, attemptsLeft });
    }
  }
  const phase = displayedPhase(after);
  if (!before || phase !== displayedPhase(before)) {
    if (phase === 'paid') events.push({ type: 'pay-success', reference });
    else if (phase === 'checking') events.push({ type: 'pay-pending', reference });
    else if (phase === 'cancelled') events.push({ type: 'pay-cancel', reference, reason: 'merchant' });
    else if (phase in errorCodes) {
      const { heading, text } = page.display(after, phase as keyof typeof errorCodes);
      error(errorCodes[phase as keyof typeof errorCodes], `${heading}. ${text}`, false);
    }
  }
  const notice = page.notice(after);
  // Every error ends an attempt. After `abandon_failed` the challenge is still open, and the form says so.
  if (problem !== null && problem !== 'abandon_failed' && problem !== before?.problem) {
    error(problem, notice?.lines.join(' ') ?? '', true);
  }
  // The card form on its own shows no notice about other methods.
  if (before?.state.ended === null && state.ended && notice)
    error(`method_${state.ended.reason}`, notice.lines.join(' '), true);
  if (after.fieldProblems.length > 0 && after.fieldProblems !== before?.fieldProblems) {
    error('validation_failed', i18n.text('problems.fields', { count: after.fieldProblems.length }), true);
  }
  return events;
}

function isNewDecline(before: PageView | null, { state }: PageView): boolean {
  if (!before || !state.declined) return false;
  return !before.state.declined || before.state.attemptsLeft > state.attemptsLeft;
}
