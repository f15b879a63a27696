import type { Locator, Page } from '@playwright/test';
import { IssuerPage } from './issuer-page.ts';
import { PaymentForm } from './payment-form.ts';
import { SimulatorPage } from './simulator-page.ts';
import { matchAny, texts } from './texts.ts';

/** The page of a payment link. */
export class LinkPage extends PaymentForm {
  readonly page: Page;
  /** The 3-D Secure challenge that the page navigates to. */
  readonly issuer: IssuerPage;
  /** Link to the challenge, on a page with an open challenge. */
  readonly bankLink: Locator;
  /** Simulator that a redirect method leads to. */
  readonly simulator: SimulatorPage;
  /** Payment instructions of a started method. */
  readonly instructions: Locator;

  constructor(page: Page) {
    super(page);
    this.page = page;
    this.issuer = new IssuerPage(page);
    this.simulator = new SimulatorPage(page);
    this.instructions = page.locator('.instructions');
    this.bankLink = page.getByRole('link', { name: texts.phases.challenge.continue });
  }

  /** Returns to the open challenge. */
  async continueToBank() {
    await this.bankLink.click();
  }

  /** Abandons the challenge to use another card. */
  async useAnotherCard() {
    await this.page.getByRole('button', { name: texts.phases.challenge.abandon }).click();
  }

  /** Selects a bank or a coin by its name. */
  async chooseOption(name: string) {
    await this.page.getByRole('radio', { name, exact: true }).check();
  }

  /** Opens the sandbox's simulator of the buyer's bank, wallet or chain in a new tab. */
  async openSimulator(): Promise<SimulatorPage> {
    const opened = this.page.context().waitForEvent('page');
    await this.page
      .getByRole('link', { name: matchAny(texts.instructions.simulator, texts.invoice.simulator) })
      .click();
    return new SimulatorPage(await opened);
  }

  /** Returns to the shop. */
  async backToShop() {
    await this.page.getByRole('link', { name: matchAny(texts.phases.back) }).click();
  }
}
