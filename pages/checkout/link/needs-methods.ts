import type { PageState } from '../../../src/api/page-state.ts';

/** Returns true if the page needs the separate module for non-card methods. */
export function needsMethods({ methods, received, goesBack, moneyMayCome, phase, card }: PageState): boolean {
  const hasPushPayment = received !== null || goesBack !== null || moneyMayCome || (phase === 'paid' && card === null);
  return hasPushPayment || methods.some(({ action }) => action !== 'card');
}
