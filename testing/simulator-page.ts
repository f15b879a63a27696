import type { Page } from '@playwright/test';
import { texts } from './texts.ts';

/** Actions of the simulator for the buyer's bank, wallet or chain. */
export type SimulatedDecision = 'exact' | 'underpay' | 'overpay' | 'duplicate' | 'late' | 'refuse' | 'block';

const BLOCK_BUTTON = texts.chain.blocks_one.replace('{{count}}', '1');

/** The sandbox's simulator of the buyer's bank, wallet or chain. */
export class SimulatorPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Performs an action. For crypto payments, `block` mines one block; `late` and `refuse` are not available. */
  async decide(decision: SimulatedDecision) {
    const isBlock = decision === 'block';
    // The groups for mining and for reorgs both have a button with this label.
    const scope = isBlock ? this.page.getByRole('group', { name: texts.chain.mine, exact: true }) : this.page;
    await scope.getByRole('button', { name: isBlock ? BLOCK_BUTTON : texts.simulator[decision], exact: true }).click();
  }
}
