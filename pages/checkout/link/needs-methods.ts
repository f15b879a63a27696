import type { PageState } from '../../../src/api/page-state.ts';

/** Whether more than the card is on offer or was used: what that needs is loaded apart. */
export function needsMethods({ methods, received, goesBack, moneyMayCome, phase, card }: PageState): boolean {
  const isSent = received !== null || goesBack !== null || moneyMayCome || (phase === 'paid' && card === null);
  return isSent || methods.some(({ action }) => action !== 'card');
}
