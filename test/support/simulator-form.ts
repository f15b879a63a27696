import type { SimulatedAction } from '../../src/acquirers/sandbox/push-acquirer.ts';

/** Actions of the simulated buyer, and a new block of the chain. */
export type SimulatorAction = SimulatedAction | 'block';

const chainCommands: Readonly<Partial<Record<SimulatorAction, string>>> = {
  exact: 'pay exact',
  underpay: 'pay underpay',
  overpay: 'pay overpay',
  duplicate: 'pay duplicate',
  block: 'mine 1',
};

export function isChainSimulator(simulatorUrl: string | null): boolean {
  return simulatorUrl?.includes('/sandbox/chain/') ?? false;
}

/** Returns the form for a simulator action; null if the simulator does not have the action. */
export function simulatorForm(simulatorUrl: string, action: SimulatorAction): string | null {
  if (!isChainSimulator(simulatorUrl))
    return action === 'block' ? null : new URLSearchParams({ decision: action }).toString();
  const command = chainCommands[action];
  return command === undefined ? null : new URLSearchParams({ do: command }).toString();
}
