import type { SimulatedDecision } from '../../src/acquirers/sandbox/push-provider.ts';

/** Actions of payers, and of the chain. */
export type WorldsMove = SimulatedDecision | 'block';

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

/** Form value of the simulator for an action; null if it has none. */
export function formOf(simulatorUrl: string, move: WorldsMove): string | null {
  if (!isChain(simulatorUrl)) return move === 'block' ? null : new URLSearchParams({ decision: move }).toString();
  const words = onChain[move];
  return words === undefined ? null : new URLSearchParams({ do: words }).toString();
}
