import type { Locator, Page } from '@playwright/test';
import { IssuerPage } from './issuer-page.ts';
import { PaymentForm } from './payment-form.ts';
import { anyOf, words } from './words.ts';

/** The page of a payment link. */
export class LinkPage extends PaymentForm {
  readonly page: Page;
  /** The bank's confirmation, which the page goes to. */
  readonly issuer: IssuerPage;
  /** What leads to the bank, on a page that waits for its confirmation. */
  readonly bankLink: Locator;

  constructor(page: Page) {
    super(page);
    this.page = page;
    this.issuer = new IssuerPage(page);
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

  /** Goes back to the shop, paid or not. */
  async backToShop() {
    await this.page.getByRole('link', { name: anyOf(words.phases.back) }).click();
  }
}
