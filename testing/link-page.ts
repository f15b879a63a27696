import type { Locator, Page } from '@playwright/test';
import { IssuerPage } from './issuer-page.ts';
import { PaymentForm } from './payment-form.ts';
import { SimulatorPage } from './simulator-page.ts';
import { anyOf, words } from './words.ts';

/** The page of a payment link. */
export class LinkPage extends PaymentForm {
  readonly page: Page;
  /** The bank's confirmation, which the page goes to. */
  readonly issuer: IssuerPage;
  /** What leads to the bank, on a page that waits for its confirmation. */
  readonly bankLink: Locator;
  /** Whom the buyer pays at, where the method leads to another page. */
  readonly simulator: SimulatorPage;
  /** What the buyer is told to do by a method that is begun. */
  readonly instructions: Locator;

  constructor(page: Page) {
    super(page);
    this.page = page;
    this.issuer = new IssuerPage(page);
    this.simulator = new SimulatorPage(page);
    this.instructions = page.locator('.instructions');
    this.bankLink = page.getByRole('link', { name: words.phases.challenge.continue });
  }

  /** Goes to the bank after all. */
  async continueToBank() {
    await this.bankLink.click();
  }

  /** Gives the confirmation up for another try. */
  async useAnotherCard() {
    await this.page.getByRole('button', { name: words.phases.challenge.abandon }).click();
  }

  /** Chooses a bank or a coin, by its name. */
  async chooseOption(name: string) {
    await this.page.getByRole('radio', { name, exact: true }).check();
  }

  /** Opens the sandbox's simulator of the buyer's bank, wallet or chain in a page of its own. */
  async openSimulator(): Promise<SimulatorPage> {
    const opened = this.page.context().waitForEvent('page');
    await this.page.getByRole('link', { name: anyOf(words.instructions.simulator, words.invoice.simulator) }).click();
    return new SimulatorPage(await opened);
  }

  /** Goes back to the shop, paid or not. */
  async backToShop() {
    await this.page.getByRole('link', { name: anyOf(words.phases.back) }).click();
  }
}
