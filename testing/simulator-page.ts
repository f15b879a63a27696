import type { Page } from '@playwright/test';
import { words } from './words.ts';

/** What the buyer's bank, wallet or chain may be made to do in the sandbox. */
export type SimulatedDecision = 'exact' | 'less' | 'more' | 'twice' | 'late' | 'refuse' | 'block';

/** The sandbox's page that stands for the buyer's bank, wallet or chain. */
export class SimulatorPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Decides what becomes of the payment. */
  async decide(decision: SimulatedDecision) {
    await this.page.getByRole('button', { name: words.simulator[decision], exact: true }).click();
  }
}
