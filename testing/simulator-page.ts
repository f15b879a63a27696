import type { Page } from '@playwright/test';
import { words } from './words.ts';

/** What the buyer's bank, wallet or chain may be made to do in the sandbox. */
export type SimulatedDecision = 'exact' | 'less' | 'more' | 'twice' | 'late' | 'refuse' | 'block';

const BLOCK = words.chain.blocks_one.replace('{{count}}', '1');

/** The sandbox's page that stands for the buyer's bank, wallet or chain. */
export class SimulatorPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Decides what becomes of the payment. Of coins, `block` mines one block, and there is no `late` and no `refuse`. */
  async decide(decision: SimulatedDecision) {
    const isBlock = decision === 'block';
    // As many blocks can be reorganised as mined.
    const place = isBlock ? this.page.getByRole('group', { name: words.chain.mine, exact: true }) : this.page;
    await place.getByRole('button', { name: isBlock ? BLOCK : words.simulator[decision], exact: true }).click();
  }
}
