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
    const name = decision === 'block' ? BLOCK : words.simulator[decision];
    await this.page.getByRole('button', { name, exact: true }).click();
  }
}
