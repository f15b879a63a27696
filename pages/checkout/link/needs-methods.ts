import type { PageState } from '../../../src/api/page-state.ts';

/** Returns true if the page needs the separate module for non-card methods. */
export function needsMethods({ methods, received, refundProgress, mayReceiveFunds, phase, card }: PageState): boolean {
  const hasPushPayment =
    received !== null || refundProgress !== null || mayReceiveFunds || (phase === 'paid' && card === null);
  return hasPushPayment || methods.some(({ action }) => action !== 'card');
}
