import type { Page } from '@playwright/test';
import { words } from './words.ts';

/** Actions of the simulator for the buyer's bank, wallet or chain. */
export type SimulatedDecision = 'exact' | 'less' | 'more' | 'twice' | 'late' | 'refuse' | 'block';

const BLOCK = words.chain.blocks_one.replace('{{count}}', '1');

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
    const place = isBlock ? this.page.getByRole('group', { name: words.chain.mine, exact: true }) : this.page;
    await place.getByRole('button', { name: isBlock ? BLOCK : words.simulator[decision], exact: true }).click();
  }
}
