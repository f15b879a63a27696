import type { SimulatedAction } from '../../src/acquirers/sandbox/push-acquirer.ts';

/** What buyers do, and what a chain does by itself. */
export type WorldsMove = SimulatedAction | 'block';

const onChain: Readonly<Partial<Record<WorldsMove, string>>> = {
  exact: 'pay exact',
  less: 'pay less',
  more: 'pay more',
  twice: 'pay twice',
  block: 'mine 1',
};

export function isChain(simulatorUrl: string | null): boolean {
  return simulatorUrl?.includes('/sandbox/chain/') ?? false;
}

/** What is posted to a simulator for a move; null where it is none there. */
export function formOf(simulatorUrl: string, move: WorldsMove): string | null {
  if (!isChain(simulatorUrl)) return move === 'block' ? null : new URLSearchParams({ decision: move }).toString();
  const words = onChain[move];
  return words === undefined ? null : new URLSearchParams({ do: words }).toString();
}
